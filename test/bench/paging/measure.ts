/** Compares the ways of reading one marking, and holds them to what was written and to the bound. */
import { compareWays } from '../../../server/compare/compare';
import {
  ComparisonFailedError,
  overFetched,
  wayNames,
  type ComparedWay,
  type WayName,
} from '../../../server/compare/model';
import { systemClock } from '../../../server/common/clock';
import { silentLog } from '../../../server/common/log';
import { createFeatureChecker } from '../../../server/etcd/features';
import type { EtcdReader } from '../../../server/etcd/interfaces';
import { utf8 } from '../../../server/common/bytes';
import { findResource } from '../../../server/kube/resources/resources';
import { parseFieldSelector, parseLabelSelector } from '../../../server/kube/selectors';
import { createStoreMetrics } from '../../../server/metrics/storeMetrics';
import { createStore } from '../../../server/store/list';
import { builtInTarget } from '../../../server/targets/target';
import { median } from '../statistics';
import { root } from './corpus';
import type { Layout, Marking } from './layouts';

export interface WayPoint {
  readonly requests: number;
  readonly overFetched: number;
  readonly bytes: number;
  readonly largestReply: number;
  readonly ms: number;
}

export interface Point {
  readonly layout: Layout;
  readonly share: number;
  readonly limit: number;
  readonly toTheEnd: boolean;
  readonly ways: Readonly<Record<WayName, WayPoint>>;
}

export interface Asked {
  readonly marking: Marking;
  readonly pods: number;
  readonly limit: number;
  readonly toTheEnd: boolean;
  readonly rounds: number;
  readonly patienceMs: number;
}

function pods() {
  const found = findResource('pods');
  if (found === undefined) throw new Error('there are no Pods');
  return builtInTarget(found, root);
}

function listOf(etcd: EtcdReader, { marking, limit, toTheEnd }: Asked) {
  const target = pods();
  const store = createStore({
    etcd,
    root,
    resourcePrefix: target.path,
    groupResource: target.groupResource,
    decoder: target.decoder({ readsFields: false, onUnjudged: () => undefined }),
    streamSupport: createFeatureChecker(systemClock),
    metrics: createStoreMetrics(),
    clock: systemClock,
    log: silentLog,
    gates: { etcdRangeStream: true, allowUnsafeMalformedObjectDeletion: false },
    guardUnlimitedReads: false,
  });
  const predicate = {
    label: parseLabelSelector(`${marking.label}=yes`),
    field: parseFieldSelector(''),
    limit: BigInt(limit),
    continueToken: '',
  };
  const version = { resourceVersion: '', resourceVersionMatch: '' };
  const options = { key: '/pods/', recursive: true, predicate, ...version };
  return { store, options, keyPrefix: utf8(`${root}/pods/`), toTheEnd };
}

/** Rejects when two ways differ, when a list is not what was written, or past the bound on requests. */
export async function measurePoint(etcd: EtcdReader, asked: Asked): Promise<Point> {
  const { marking, limit, toTheEnd, rounds, patienceMs } = asked;
  const { layout, share, label } = marking;
  try {
    const comparison = await compareWays(
      { list: listOf(etcd, asked), ways: wayNames, rounds, valueOf: ({ value }) => value },
      { signal: AbortSignal.timeout(patienceMs) },
    );
    const { ways } = comparison;
    checkReturned(asked, ways);
    checkBound(ways);
    const points = ways.map((way) => [way.way, pointOf(way)] as const);
    const byWay = Object.fromEntries(points) as Record<WayName, WayPoint>;
    return { layout, share, limit, toTheEnd, ways: byWay };
  } catch (error) {
    const cause = error instanceof ComparisonFailedError ? error.cause : error;
    throw new Error(`${label}, limit ${limit}: ${(cause as Error).message}`, { cause: error });
  }
}

function pointOf({ way, figures, durationsMs }: ComparedWay): WayPoint {
  if (figures === undefined) throw new Error(`${way} was not run`);
  const { requests, bytes, largestReplyBytes: largestReply } = figures;
  const ms = median(durationsMs);
  return { requests, overFetched: overFetched(figures), bytes, largestReply, ms };
}

function checkReturned(asked: Asked, ways: readonly ComparedWay[]): void {
  const { marking, pods: keys, limit, toTheEnd } = asked;
  let written = 0;
  for (let i = 0; i < keys; i++) if (marking.matches(i)) written++;
  const expected = toTheEnd ? written : Math.min(limit, written);
  for (const { way, figures } of ways) {
    if (figures?.returned === expected) continue;
    throw new Error(`${way} returned ${figures?.returned ?? 'nothing'}, not ${expected}`);
  }
}

/** Each list of the adaptive pager takes at most one request more than doubling takes. */
function checkBound(ways: readonly ComparedWay[]): void {
  const of = (name: WayName) => ways.find(({ way }) => way === name)?.figures;
  const [doubling, adaptive] = [of('pages'), of('adaptive')];
  if (doubling === undefined || adaptive === undefined) return;
  if (adaptive.requests <= doubling.requests + doubling.lists) return;
  throw new Error(`adaptive took ${adaptive.requests} requests, pages ${doubling.requests}`);
}
