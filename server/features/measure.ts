/** Counts what a list without a limit would read, in one reply or as a stream, before a person is asked whether to read it. */
import { meanWeightOf } from '../cache/admission';
import { prefixEnd } from '../common/bytes';
import type { Clock } from '../common/clock';
import type { StoreMetrics } from '../metrics/storeMetrics';
import type { ListQuery, Measure } from '../protocol/model';
import { estimatedBytes, sampleSize } from '../store/guard';
import type { RequestRecord } from '../store/interfaces';
import { ReceiptBuilder } from '../store/receipt';
import { recordedRange } from '../store/recordedRange';
import type { ConnectionHolder } from './connectionHolder';
import { reading } from './onConnection';
import type { OpenConnection } from './openConnection';
import { keyPrefixOf, listOptionsOf, targetOf, willStream } from './query';
import { readQuery } from './queryParams';
import type { Router } from './router';
import type { CacheDesk } from './watchCaches/cacheDesk';

export interface MeasureParts {
  readonly holder: ConnectionHolder;
  readonly clock: Clock;
  readonly metrics: StoreMetrics;
  readonly caches: CacheDesk;
}

export function registerMeasure(router: Router, parts: MeasureParts): void {
  router.handle('etcdList/measure', readQuery, async (query, call): Promise<Measure> => {
    const connection = parts.holder.required();
    return reading(connection, call.signal, (signal) => measure(query, connection, parts, signal));
  });
}

/**
 * The count of a limited read is that of the whole range. The list that follows shows it as its first
 * request, and is judged by it; what measures a watch cache is no list's.
 */
async function measure(
  query: ListQuery,
  connection: OpenConnection,
  { clock, metrics, holder, caches }: MeasureParts,
  signal: AbortSignal,
): Promise<Measure> {
  const target = await targetOf(query, connection, signal, () => undefined);
  const options = listOptionsOf(query, target);
  const fills = query.serveFrom !== undefined && !caches.running(connection, target);
  const key = keyPrefixOf(fills ? { key: target.path } : options, target);
  const { reader } = connection;
  const records: RequestRecord[] = [];
  const receipt = new ReceiptBuilder(clock, (record, state) => {
    if (state === 'done') records.push(record);
  });
  const range = { key, rangeEnd: prefixEnd(key), limit: sampleSize };
  const { groupResource } = target;
  const context = {
    etcd: reader,
    receipt,
    metrics,
    groupResource,
    clock,
    signal,
  };
  const { reply, request } = await recordedRange(context, 'list', range);
  request.done();
  const { count } = reply;
  const bytes = estimatedBytes(reply, count);
  connection.noteMeasured(fills ? undefined : { keyPrefix: key, requests: records, count, bytes });
  if (fills) {
    const weight = Math.round(meanWeightOf(reply.kvs) * Number(count));
    const budget = caches.room(connection, target);
    return { keys: String(count), bytes: weight, budget, streams: false };
  }
  const streams = willStream(query, holder);
  // A stream comes in parts, each of which the budget bounds.
  const budget = streams ? -1 : reader.byteBudget;
  return { keys: String(count), bytes, budget, streams };
}
