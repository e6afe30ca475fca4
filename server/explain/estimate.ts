/** What a list would cost, the way it would be served and beside that the other ways. Nothing is read. */
import { cacheLimit } from '../cache/serving';
import { isUnfiltered } from '../store/predicate';
import { mayStream } from '../store/streamRule';
import type { AskedList } from './asked';
import {
  cacheReading,
  keyReading,
  objectReading,
  pagesReading,
  streamReading,
  toEndReading,
  type Reading,
} from './estimateCost';
import { grouped } from './estimateNumbers';
import type { Estimate, EstimateRow, RowName, StoredKeys } from './estimateModel';
import { doubling, naive } from './estimatePages';
import { assumptionsOf } from './estimateWords';
import { likelyPath, type Explanation, type Outcome } from './model';
import { readPrefix } from './prefix';
import { readRequest } from './request';

/** Undefined beside a request that is refused. */
export function estimateOf(
  asked: AskedList,
  explanation: Explanation,
  stored: StoredKeys,
): Estimate | undefined {
  const question = questionOf(asked);
  if (question === undefined) return undefined;
  const fitted = fitting(stored, question);
  const rows = rowsOf({ asked, explanation, stored: fitted, ...question });
  if (rows.length === 0) return undefined;
  return { stored: fitted, assumptions: assumptionsOf(fitted, rows, asked.from), rows };
}

interface Question {
  /** 0 for none. */
  readonly limit: number;
  readonly filtered: boolean;
  readonly recursive: boolean;
}

interface Estimating extends Question {
  readonly asked: AskedList;
  readonly explanation: Explanation;
  readonly stored: StoredKeys;
}

/** Whether a sample is needed to tell what it costs: its keys are one, and those of a refused list none. */
export function questionOf(asked: AskedList): Question | undefined {
  const read = asked.resource.startsWith('/') ? readPrefix(asked) : readRequest(asked);
  if (read.kind === 'refused') return undefined;
  const { predicate, narrowed } = read.request;
  const { limit } = predicate;
  const most = BigInt(Number.MAX_SAFE_INTEGER);
  return {
    limit: limit <= 0n ? 0 : Number(limit < most ? limit : most),
    filtered: !isUnfiltered(predicate),
    recursive: narrowed.recursive,
  };
}

/** Without a selector every key is selected, whatever is said of matches. */
function fitting(stored: StoredKeys, { filtered }: Question): StoredKeys {
  return filtered ? stored : { ...stored, matches: { kind: 'all' } };
}

function rowsOf(estimating: Estimating): EstimateRow[] {
  const { explanation, limit, recursive } = estimating;
  const served = likelyPath(explanation.trail).end;
  if (served.way === 'refused') return [];
  const atEtcd = likelyPath(explanation.atEtcd ?? explanation.trail).end;
  const asked = row('asked', 'As it is asked', served, readingBy(served, estimating));
  const others = recursive && atEtcd.way !== 'etcdKey';
  return [
    asked,
    ...(explanation.atEtcd === undefined
      ? []
      : [row('atEtcd', 'The same from etcd', atEtcd, readingBy(atEtcd, estimating))]),
    ...(others && atEtcd.way !== 'watchCache' ? otherGate(atEtcd, estimating) : []),
    ...(others && limit > 0 ? withLimit(atEtcd, estimating) : []),
    ...otherRequests(estimating),
  ];
}

function row(
  name: RowName,
  title: string,
  { way }: Pick<Outcome, 'way'>,
  reading: Reading,
): EstimateRow {
  return { name, title, way, ...reading };
}

/** As the outcome of a decision reads it. */
function readingBy({ way, asksRevision }: Outcome, estimating: Estimating): Reading {
  const { stored, limit, recursive, asked } = estimating;
  switch (way) {
    case 'etcdStream':
      return streamReading(stored, limit);
    case 'etcdKey':
      return keyReading(stored);
    case 'watchCache': {
      const most = recursive ? Number(cacheLimit(BigInt(limit), asked.resourceVersion)) : 1;
      return cacheReading(stored, most, asksRevision === true);
    }
    default:
      return pagesReading(stored, limit, doubling);
  }
}

const STREAM = { way: 'etcdStream' } as const;
const PAGES = { way: 'etcdPages' } as const;

/** The same list where the gate `EtcdRangeStream` is the other way round, or etcd lacks the RPC. */
function otherGate({ way }: Outcome, { stored, limit, filtered, recursive }: Estimating) {
  if (way === 'etcdStream') {
    const title = 'The same from etcd, without RangeStream';
    return [row('otherGate', title, PAGES, pagesReading(stored, limit, doubling))];
  }
  if (!mayStream({ recursive, limit: BigInt(limit), filtered })) return [];
  const title = 'The same from etcd, with RangeStream';
  return [row('otherGate', title, STREAM, streamReading(stored, limit))];
}

function withLimit({ way }: Outcome, { stored, limit, asked }: Estimating): EstimateRow[] {
  const size = grouped(limit);
  const served = way === 'watchCache' ? PAGES : { way };
  return [
    row('naive', `Naive pages of ${size}`, PAGES, pagesReading(stored, limit, naive)),
    ...(asked.toEnd
      ? [
          row('toEnd', 'From etcd, to the end', served, toEndReading(stored, limit, doubling)),
          row(
            'naiveToEnd',
            `Naive pages of ${size}, to the end`,
            PAGES,
            toEndReading(stored, limit, naive),
          ),
        ]
      : []),
    row('withoutLimit', 'Without a limit, one read', PAGES, pagesReading(stored, 0, doubling)),
    row('streamed', 'Without a limit, streamed', STREAM, streamReading(stored, 0)),
  ];
}

/** What else could be asked, where it is served otherwise than by what stands above. */
function otherRequests(estimating: Estimating): EstimateRow[] {
  const { explanation, stored } = estimating;
  return explanation.alternatives.flatMap(({ name, title, trail }) => {
    const { end } = likelyPath(trail);
    if (name === 'oneKey') return [row('oneKey', 'One key, by its name', end, keyOf(end, stored))];
    if (name !== 'resourceVersion0' || end.way !== 'watchCache') return [];
    const reading = readingBy(end, { ...estimating, limit: 0 });
    return [row('resourceVersion0', title, end, reading)];
  });
}

/** Of an object that is there. */
function keyOf({ way, asksRevision }: Outcome, stored: StoredKeys): Reading {
  if (way !== 'watchCache') return objectReading(stored);
  const one: StoredKeys = { ...stored, keys: 1, matches: { kind: 'all' } };
  return cacheReading(one, 1, asksRevision === true);
}
