/** Counts what a list without a limit would read, before a person is asked whether to read it. */
import { prefixEnd } from '../common/bytes';
import type { ListQuery, Measure } from '../protocol/model';
import { estimatedBytes, sampleSize } from '../store/guard';
import type { ConnectionHolder } from './connectionHolder';
import { onConnection } from './onConnection';
import type { OpenConnection } from './openConnection';
import { keyPrefixOf, listOptionsOf, targetOf } from './query';
import { readQuery } from './queryParams';
import type { Router } from './router';

export function registerMeasure(router: Router, holder: ConnectionHolder): void {
  router.handle('etcdList/measure', readQuery, async (query, call): Promise<Measure> => {
    const connection = holder.required();
    return onConnection(connection, call.signal, (signal) => measure(query, connection, signal));
  });
}

/** The count of a limited read is that of the whole range. */
async function measure(
  query: ListQuery,
  connection: OpenConnection,
  signal: AbortSignal,
): Promise<Measure> {
  const target = await targetOf(query, connection, signal, () => undefined);
  const key = keyPrefixOf(listOptionsOf(query, target), target);
  const { reader } = connection;
  const question = { key, rangeEnd: prefixEnd(key), limit: sampleSize };
  const sample = await reader.range(question, { signal });
  const { count } = sample;
  return { keys: String(count), bytes: estimatedBytes(sample, count), budget: reader.byteBudget };
}
