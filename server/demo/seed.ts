/** Fills a store with a cluster that looks like a real one and is the same for the same seed. */
import { utf8 } from '../common/bytes';
import { systemClock } from '../common/clock';
import { Turns } from '../common/turns';
import type { MvccStore, StoredObject } from './mvcc';
import { namespace, node } from './seedBasics';
import { widget, widgetDefinition } from './seedCustom';
import { podEvent } from './seedEvents';
import { lateCount, planCluster } from './seedPlan';
import type { SeedPlan, SeedPod, Workload } from './seedPlan';
import { encodePod, podTemplate } from './seedPods';
import type { PodTemplate } from './seedPods';
import { configMap, secret, service } from './seedReleases';
import { Slab } from './slab';
import { Random } from './seedRandom';
import { Fields } from './seedWriter';
import type { Seeding } from './seedWriter';
import { deployment, replicaSet } from './seedWorkloads';

export interface SeedOptions {
  /** 20,000 when absent. All else follows from it: about 1 Deployment for 20 Pods, 1 Node for 100. */
  readonly pods?: number;
  readonly seed?: number;
  readonly signal?: AbortSignal;
}

/** A selector worth trying, and how many Pods it matches. */
export interface SeedSelector {
  readonly selector: string;
  readonly matches: number;
  /** Where the matches lie in key order. */
  readonly where: string;
}

export interface SeedSummary {
  /** Objects by their prefix below `/registry/`, such as `services/specs`. */
  readonly counts: ReadonlyMap<string, number>;
  readonly total: number;
  readonly namespaces: readonly string[];
  /** For Pods. */
  readonly selectors: readonly SeedSelector[];
  /** The store's revision afterwards. */
  readonly revision: bigint;
}

const defaultPods = 20_000;

/**
 * Each object gets a revision of its own. The same options make the same keys and values. Gives way
 * to other work while it lasts, and rejects with the signal's reason when that aborts.
 */
export async function seedCluster(
  store: MvccStore,
  options: SeedOptions = {},
): Promise<SeedSummary> {
  const { pods = defaultPods, seed = 1, signal } = options;
  const plan = planCluster(pods, seed);
  const counts = new Map<string, number>();
  const seeding = { random: new Random(seed + 1), out: new Fields() };
  const objects: StoredObject[] = [];
  const turns = new Turns(systemClock);
  for (const object of objectsOf(plan, seeding, counts)) {
    objects.push(object);
    if (!turns.due()) continue;
    await turns.give();
    signal?.throwIfAborted();
  }
  store.bulkLoad(objects);
  return {
    counts,
    total: [...counts.values()].reduce((sum, count) => sum + count, 0),
    namespaces: plan.namespaces,
    selectors: selectorsOf(plan),
    revision: store.revision,
  };
}

/** All objects in the order of their creation; counts them as they are taken. */
function* objectsOf(
  plan: SeedPlan,
  seeding: Seeding,
  counts: Map<string, number>,
): Generator<StoredObject> {
  const slab = new Slab();
  const counted = (prefix: string, object: StoredObject): StoredObject => {
    counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
    return { key: slab.keep(object.key), value: slab.keep(object.value) };
  };
  for (const name of plan.namespaces) yield counted('namespaces', namespace(name, seeding));
  for (const one of plan.nodes) yield counted('minions', node(one, seeding));
  yield counted('apiextensions.k8s.io/customresourcedefinitions', widgetDefinition(seeding.random));
  const templates = new Map<Workload, PodTemplate>();
  for (const workload of plan.workloads) {
    const template = podTemplate(workload);
    templates.set(workload, template);
    yield counted('configmaps', configMap(workload, seeding));
    yield counted('secrets', secret(workload, seeding));
    yield counted('services/specs', service(workload, seeding));
    yield counted('deployments', deployment(workload, template, seeding));
    yield counted('replicasets', replicaSet(workload, template, seeding));
  }
  for (const [i, pod] of plan.pods.entries()) {
    const template = templates.get(pod.workload) ?? podTemplate(pod.workload);
    yield counted('pods', { key: utf8(pod.key), value: encodePod(pod, template, seeding) });
    if (i % 20 === 0) yield counted('events', podEvent(pod, seeding));
  }
  for (let i = 0; i < Math.ceil(plan.pods.length / 100); i++) {
    const name = plan.namespaces[i % plan.namespaces.length] ?? 'default';
    yield counted('example.com/widgets', widget(name, i, seeding.random));
  }
}

function selectorsOf({ pods }: SeedPlan): SeedSelector[] {
  const matching = (label: string, value: string): number =>
    pods.filter((pod: SeedPod) => pod.labels.get(label) === value).length;
  const late = lateCount(pods.length);
  return [
    ['app', 'nginx', 'the first of each hundred'],
    ['tier', 'rare', 'the first of each thousand'],
    ['batch', 'late', `the last ${late}`],
    ['once', 'upon', 'a single one, beyond two thirds of the range'],
  ].map(([label = '', value = '', where = '']) => ({
    selector: `${label}=${value}`,
    matches: matching(label, value),
    where,
  }));
}
