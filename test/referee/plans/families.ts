/** Which plans a run plays, by the name that a case of it has: `pinned:17` is the 18th of `pinned`. */
import fc from 'fast-check';
import {
  addressCluster,
  cluster,
  damagedCluster,
  graftedCluster,
  labelledCluster,
  pinnedCluster,
  writtenCluster,
} from './clusters';
import { largeList, largeWrites } from './large';
import type { ClusterPlan, ListPlan } from './plan';
import type { PlanFile } from './planFile';

export interface Family {
  readonly name: string;
  readonly etcd: PlanFile['etcd'];
  readonly plans: fc.Arbitrary<ClusterPlan>;
}

const on37 = (name: string, plans: fc.Arbitrary<ClusterPlan>): Family => ({
  name,
  etcd: '3.7',
  plans,
});

export const families = {
  random: on37('random', cluster),
  written: on37('written', writtenCluster),
  pinned: on37('pinned', pinnedCluster),
  damaged: on37('damaged', damagedCluster),
  grafted: on37('grafted', graftedCluster),
  labelled: on37('labelled', labelledCluster),
  address: on37('address', addressCluster),
  fallback: { name: 'fallback', etcd: '3.6', plans: cluster },
} as const satisfies Record<string, Family>;

/** The one cluster of many objects; its cases are its lists, each with those before it. */
export const large = { name: 'large', etcd: '3.7' } as const;

export const familyNames: readonly string[] = [...Object.keys(families), large.name];

export const largeLists = (seed: number, count: number): ListPlan[] =>
  fc.sample(largeList, { seed, numRuns: count });

export const largePlan = (steps: readonly ListPlan[]): ClusterPlan => ({
  ...{ root: 'registry', resourcePrefix: '/pods', brief: true },
  ...{ writes: largeWrites, steps },
});

/** The plan that a run with this seed plays as that case, counted from zero. */
export function planOf(family: string, index: number, seed: number): Omit<PlanFile, 'refereePlan'> {
  if (family === large.name) {
    return { etcd: large.etcd, plan: largePlan(largeLists(seed, index + 1)) };
  }
  const found = new Map<string, Family>(Object.entries(families)).get(family);
  if (found === undefined) throw new RangeError(`there are no cases of '${family}'`);
  const [plan] = fc.sample(found.plans, { seed, path: String(index), numRuns: 1 });
  return { etcd: found.etcd, plan: plan! };
}
