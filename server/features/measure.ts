/** Counts what a list without a limit would read, before a person is asked whether to read it. */
import { prefixEnd } from '../common/bytes';
import type { Measure } from '../protocol/model';
import { estimatedBytes, sampleSize } from '../store/guard';
import type { ConnectionHolder } from './connectionHolder';
import { keyPrefixOf, listOptionsOf, targetOf } from './query';
import { readQuery } from './queryParams';
import type { Router } from './router';

export function registerMeasure(router: Router, holder: ConnectionHolder): void {
  router.handle('etcdList/measure', readQuery, async (query, call): Promise<Measure> => {
    const connection = holder.required();
    const signal = AbortSignal.any([call.signal, connection.closed]);
    const target = await targetOf(query, connection, signal, () => undefined);
    const key = keyPrefixOf(listOptionsOf(query, target), target);
    const range = { key, rangeEnd: prefixEnd(key) };
    const { reader } = connection;
    const { count } = await reader.range({ ...range, countOnly: true }, { signal });
    const sample = await reader.range({ ...range, limit: sampleSize }, { signal });
    const bytes = estimatedBytes(sample, count);
    return { keys: String(count), bytes, budget: reader.byteBudget };
  });
}
