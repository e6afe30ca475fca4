/** Clusters, and what is asked of them. */
import fc from 'fast-check';
import { share, weighted } from './chance';
import { doubledJson } from './doubledJson';
import { graftedPut } from './grafts';
import { addressList, labelledList, list, pinnedList, selectingList, writtenList } from './lists';
import type { ClusterPlan, StepPlan, WritePlan } from './plan';
import { addressedPut, anyWrite, bad, goodWrite, labelledPut, put } from './writes';

const step = (write: fc.Arbitrary<WritePlan>): fc.Arbitrary<StepPlan> =>
  weighted<StepPlan>(
    [40, list],
    [2, writtenList(write)],
    [1, pinnedList(write)],
    [3, fc.record({ kind: fc.constant('write' as const), write })],
    [1, fc.record({ kind: fc.constant('compact' as const), share })],
  );

const clusterOf = (
  write: fc.Arbitrary<WritePlan>,
  steps: fc.Arbitrary<StepPlan> = step(write),
  fewest = 0,
): fc.Arbitrary<ClusterPlan> =>
  fc.record({
    root: fc.constantFrom('registry', '/registry', 'registry/', '/a//b/', 'kubernetes.io', 'ä'),
    resourcePrefix: weighted(
      [20, fc.constant('/pods')],
      [19, fc.constantFrom('/pods/', '/specs/pods')],
      [1, fc.constantFrom('', '/', 'pods')],
    ),
    writes: fc.array(write, { minLength: fewest, maxLength: 60, size: 'max' }),
    steps: fc.array(steps, { minLength: 1, maxLength: 40, size: 'max' }),
  });

const grafts = weighted<WritePlan>([3, graftedPut(put)], [2, doubledJson], [1, put]);

/** Anything in them, of which anything is asked. */
export const cluster: fc.Arbitrary<ClusterPlan> = weighted(
  [6, clusterOf(goodWrite)],
  [4, clusterOf(anyWrite)],
  [1, clusterOf(grafts)],
);

/** Lists, and the pages after them, of what is written at the same time. */
export const writtenCluster = clusterOf(
  anyWrite,
  weighted<StepPlan>([1, list], [3, writtenList(goodWrite)]),
  10,
);

/** Lists from a pinned token that must read on while history is written and compacted. */
export const pinnedCluster = clusterOf(
  goodWrite,
  weighted<StepPlan>([2, list], [3, pinnedList(goodWrite)]),
  30,
);

/** Selectors over objects that cannot be read. */
export const damagedCluster = clusterOf(weighted<WritePlan>([4, put], [2, bad]), selectingList, 10);

/** Every operator of label selectors, over labels that meet it and labels that do not. */
export const labelledCluster = clusterOf(labelledPut, labelledList, 10);

/** Parts, map entries and members that stand twice. */
export const graftedCluster = clusterOf(grafts, weighted([1, list], [2, selectingList]), 10);

/** Pods asked for by their address. */
export const addressCluster = clusterOf(
  weighted<WritePlan>([2, addressedPut], [1, graftedPut(addressedPut)], [1, doubledJson]),
  addressList,
  10,
);
