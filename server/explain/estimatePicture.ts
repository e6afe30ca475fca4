/** Page sizes over round trips: those that double, the naive ones, and the chunks of a stream. */
import type { Estimate, EstimateRow } from './estimateModel';
import type { PageRead } from './estimatePages';
import { chunkPages, chunksOf } from './estimateStream';

export interface PictureSeries {
  readonly name: 'doubling' | 'naive' | 'stream';
  readonly title: string;
  /** Round trips in their order, or chunks of the one that is a stream; at most the first 2,000. */
  readonly pages: readonly PageRead[];
  /** How many there are in all. */
  readonly count: number;
  readonly keys: number;
}

/**
 * What is read from etcd by this list; none where it reads one key. Chunks are sized by their bytes, so that
 * without the size of objects there are none to show.
 */
export function pictureOf({ rows, stored }: Estimate): PictureSeries[] {
  const own = rows.filter(({ name }) => OWN.has(name));
  const doubling = own.find(({ way }) => way === 'etcdPages');
  const naive = rows.find(({ name }) => name === 'naive');
  const stream = own.find(({ way }) => way === 'etcdStream') ?? rows.find(isStream);
  const size = stored.bytesPerKey?.likely;
  return [
    ...(doubling === undefined ? [] : [pagesSeries('doubling', 'doubling', doubling)]),
    ...(naive === undefined ? [] : [pagesSeries('naive', 'naive', naive)]),
    ...(stream === undefined || size === undefined ? [] : [streamSeries(stream, size)]),
  ];
}

/** Ways of the list as it is asked. */
const OWN: ReadonlySet<EstimateRow['name']> = new Set(['asked', 'atEtcd', 'otherGate']);

const isStream = ({ name }: EstimateRow): boolean => name === 'streamed';

function pagesSeries(
  name: 'doubling' | 'naive',
  title: string,
  { pages, cost }: EstimateRow,
): PictureSeries {
  return { name, title, pages, count: cost.requests.likely, keys: cost.keys.likely };
}

function streamSeries({ name, cost }: EstimateRow, size: number): PictureSeries {
  const title = name === 'streamed' ? 'stream without a limit' : 'stream';
  const keys = cost.keys.likely;
  const chunks = chunksOf(keys, size);
  return { name: 'stream', title, pages: chunkPages(chunks), count: chunks.count, keys };
}
