/** What is in the seeded cluster: names, owners and labels, before anything is encoded. */
import { Random } from './seedRandom';

export interface SeedNode {
  readonly name: string;
  readonly ip: string;
  readonly zone: string;
}

/** A Deployment and what belongs to it. */
export interface Workload {
  readonly namespace: string;
  readonly name: string;
  readonly hash: string;
  readonly uid: string;
  readonly replicaSetUid: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly image: string;
  readonly replicas: number;
  /** Whole seconds since 1970. */
  readonly created: number;
}

export interface SeedPod {
  readonly key: string;
  readonly name: string;
  readonly workload: Workload;
  readonly node: SeedNode;
  labels: ReadonlyMap<string, string>;
}

export interface SeedPlan {
  readonly namespaces: readonly string[];
  readonly nodes: readonly SeedNode[];
  readonly workloads: readonly Workload[];
  /** In the order of their creation. */
  readonly pods: readonly SeedPod[];
}

/** 2026-01-01T00:00:00Z; nothing in the cluster is younger. */
export const newest = 1_767_225_600;

const environments = ['prod', 'staging', 'dev', 'test'] as const;
const products = [
  ...['billing', 'checkout', 'identity', 'inventory', 'media', 'messaging', 'payments'],
  ...['pricing', 'recommend', 'search'],
];
const components = ['api', 'web', 'worker', 'gateway', 'cache', 'scheduler', 'proxy'] as const;
const apps = [
  ...['account', 'audit', 'basket', 'catalog', 'delivery', 'feed', 'invoice', 'ledger'],
  ...['mailer', 'orders', 'profile', 'quota', 'report', 'session', 'stock', 'token'],
];
const tiers = ['frontend', 'backend', 'cache', 'batch'] as const;
const versions = ['v1', 'v2', 'v2', 'v3'] as const;

/** The same plan for the same count and seed. */
export function planCluster(podCount: number, seed: number): SeedPlan {
  const random = new Random(seed);
  const namespaces = products.flatMap((product) => environments.map((env) => `${product}-${env}`));
  const nodes = Array.from({ length: Math.ceil(podCount / 100) + 3 }, (_, i) => planNode(i));
  const workloads: Workload[] = [];
  const pods: SeedPod[] = [];
  const taken = new Set<string>();
  while (pods.length < podCount) {
    const workload = planWorkload(random, namespaces, Math.min(podCount - pods.length, 40));
    const path = `${workload.namespace}/${workload.name}`;
    if (taken.has(path)) continue;
    taken.add(path);
    workloads.push(workload);
    pods.push(...planPods(random, workload, nodes));
  }
  shapeLabels(pods);
  return { namespaces, nodes, workloads, pods };
}

function planNode(i: number): SeedNode {
  const zone = `eu-west-1${'abc'.charAt(i % 3)}`;
  return {
    name: `node-${zone}-${String(i).padStart(4, '0')}`,
    ip: `10.0.${Math.floor(i / 250)}.${(i % 250) + 2}`,
    zone,
  };
}

function planWorkload(random: Random, namespaces: readonly string[], most: number): Workload {
  const namespace = namespaces[random.below(namespaces.length)] ?? 'default';
  const app = `${apps[random.below(apps.length)] ?? 'app'}-${random.pick(components)}`;
  const name = random.below(3) === 0 ? `${app}-${random.suffix(3)}` : app;
  const version = random.pick(versions);
  const release = `${version.slice(1)}.${random.below(20)}.${random.below(10)}`;
  return {
    namespace,
    name,
    hash: random.suffix(10),
    uid: random.uid(),
    replicaSetUid: random.uid(),
    image: `registry.example.com/${namespace.split('-')[0] ?? 'apps'}/${app}:${release}`,
    replicas: Math.min(most, 1 + random.below(40)),
    created: newest - 86_400 - random.below(200 * 86_400),
    labels: new Map([
      ['app', app],
      ['app.kubernetes.io/instance', `${name}-${namespace}`],
      ['app.kubernetes.io/managed-by', 'Helm'],
      ['app.kubernetes.io/name', app],
      ['team', `team-${namespace.split('-')[0] ?? 'apps'}`],
      ['tier', random.pick(tiers)],
      ['version', version],
    ]),
  };
}

function planPods(random: Random, workload: Workload, nodes: readonly SeedNode[]): SeedPod[] {
  const names = new Set<string>();
  while (names.size < workload.replicas) {
    names.add(`${workload.name}-${workload.hash}-${random.suffix(5)}`);
  }
  return Array.from(names, (name) => ({
    key: `/registry/pods/${workload.namespace}/${name}`,
    name,
    workload,
    node: nodes[random.below(nodes.length)] ?? planNode(0),
    labels: new Map([...workload.labels, ['pod-template-hash', workload.hash]]),
  }));
}

/** How many Pods at the end of the range carry `batch=late`: 200, or a fifth of fewer than 1000. */
export function lateCount(podCount: number): number {
  return Math.min(200, Math.floor(podCount / 5));
}

/**
 * Gives the Pods, in the order of their keys, the labels that show what a LIST costs: `app=nginx` to
 * the first of each hundred, `tier=rare` to the first of each thousand, `batch=late` to the last
 * ones, `once=upon` to a single one beyond two thirds. Below 100 or 1000 Pods the first alone is
 * `nginx` or `rare`.
 */
function shapeLabels(pods: readonly SeedPod[]): void {
  // Keys are ASCII, hence their texts sort as their bytes do.
  const byKey = [...pods].sort((a, b) => (a.key < b.key ? -1 : 1));
  const firstLate = pods.length - lateCount(pods.length);
  const once = Math.floor(pods.length * 0.7137);
  for (const [i, pod] of byKey.entries()) {
    const labels = new Map(pod.labels);
    if (i % 100 === 0) labels.set('app', 'nginx');
    if (i % 1000 === 0) labels.set('tier', 'rare');
    if (i >= firstLate) labels.set('batch', 'late');
    if (i === once) labels.set('once', 'upon');
    pod.labels = labels;
  }
}
