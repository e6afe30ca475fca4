/**
 * The chunks of one RangeStream (rules S1, S2), as etcd 3.7 sizes them by the bytes of the one before.
 * Upstream: `EtcdServer.rangeStream` and `adjustChunkLimit` in `server/etcdserver/v3_server.go`.
 */
import type { KeyRange, PageRead, PagesRead } from './estimatePages';
import { MOST_PAGES } from './estimatePages';

const FIRST_CHUNK = 10;
/** etcd's `--max-request-bytes` where no flag says otherwise. */
export const CHUNK_BYTES = 1.5 * 1024 * 1024;

export interface StreamRead extends PagesRead {
  /** Absent where the size of objects is not known, by which etcd chooses it. */
  readonly chunks?: number;
}

/** One request, whose `pages` is one read of all keys; its chunks are told apart by `chunksOf`. */
export function readStream(range: KeyRange, bytesPerKey: number | undefined): StreamRead {
  const { keys: total, placement, limit } = range;
  const keys = limit > 0 ? Math.min(limit, total) : total;
  const returned = placement.among(keys);
  const chunked = bytesPerKey === undefined ? undefined : chunksOf(keys, bytesPerKey);
  return {
    pages: [{ asked: limit, keys, matched: returned }],
    requests: 1,
    fetched: keys,
    examined: keys,
    returned,
    largest: chunked?.largest ?? keys,
    more: keys < total,
    isPartial: false,
    ...(chunked && { chunks: chunked.count }),
  };
}

export interface Chunks {
  /** Keys of each, at most the first `MOST_PAGES`. */
  readonly sizes: readonly number[];
  readonly count: number;
  readonly largest: number;
}

/** All values as large as the mean of them. */
export function chunksOf(keys: number, bytesPerKey: number): Chunks {
  const sizes: number[] = [];
  let [at, size, count, largest] = [0, FIRST_CHUNK, 0, 0];
  do {
    const taken = Math.min(size, keys - at);
    if (sizes.length < MOST_PAGES) sizes.push(taken);
    count++;
    at += taken;
    largest = Math.max(largest, taken);
    const next = adjusted(size, taken * bytesPerKey);
    if (sizes.length === MOST_PAGES && next === size) {
      count += Math.ceil((keys - at) / size);
      at = keys;
    }
    size = next;
  } while (at < keys);
  return { sizes, count, largest };
}

function adjusted(size: number, bytes: number): number {
  if (bytes < Math.floor(CHUNK_BYTES / 2)) return size * 2;
  if (bytes > CHUNK_BYTES * 2) return Math.floor(size / 2) || 1;
  return size;
}

/** As pages of a picture. */
export function chunkPages({ sizes }: Chunks): PageRead[] {
  return sizes.map((keys) => ({ asked: keys, keys, matched: 0 }));
}
