/** The objects that are listed: Pods as a cluster stores them, the same for the same count. */
import { concatBytes } from '../../server/common/bytes';
import { encodePod, podTemplate, type PodTemplate } from '../../server/demo/seedPods';
import type { SeedPod, Workload } from '../../server/demo/seedPlan';
import { Random } from '../../server/demo/seedRandom';
import { encoded, Fields, type Seeding } from '../../server/demo/seedWriter';

export interface Corpus {
  /** Storage root; each corpus has its own. */
  readonly root: string;
  readonly pods: number;
  /** About 2 or 20 KB an object. */
  readonly size: 'small' | 'large';
}

/** A corpus that etcd holds. */
export interface StoredCorpus extends Corpus {
  /** Bytes of its keys and values, each on a line of its own. */
  readonly printedBytes: number;
}

const podsPerWorkload = 20;
const nodeCount = 100;
const namespaceCount = 40;

/** Carried by one Pod in a hundred. */
export const onePercent = 'app=app-00';
/** Carried by one Pod in a hundred. */
export const oneNode = 'spec.nodeName=node-0000';

/** Shares of the Pods that `rankSelector` selects. */
export const shares = [1, 0.1, 0.01, 0.001, 0.0001] as const;

/** How many of the Pods it selects; never none. */
export const matchesOf = (pods: number, share: number): number =>
  Math.ceil(pods / Math.round(1 / share));

/** Selects the Pods whose number can be divided by what the share is a part of. */
export function rankSelector(share: number): string {
  const first = Math.round(-Math.log10(share));
  const ranks = [0, 1, 2, 3, 4].filter((rank) => rank >= first);
  return `rank in (${ranks.map((rank) => `d${rank}`).join(',')})`;
}

/** The power of ten that divides a Pod's number, at most four. */
function rankOf(i: number): number {
  let rank = 0;
  for (let step = 10; rank < 4 && i % step === 0; step *= 10) rank++;
  return rank;
}

function workloadOf(random: Random, j: number): Workload {
  const namespace = `team-${String(random.below(namespaceCount)).padStart(2, '0')}`;
  const name = `service-${String(j).padStart(5, '0')}`;
  const created = 1_760_000_000 + j;
  return {
    namespace,
    name,
    hash: random.suffix(10),
    uid: random.uid(),
    replicaSetUid: random.uid(),
    image: `registry.example.com/${namespace}/${name}:1.4.${j % 10}`,
    replicas: podsPerWorkload,
    created,
    labels: new Map([
      ['app.kubernetes.io/instance', `${name}-${namespace}`],
      ['app.kubernetes.io/managed-by', 'Helm'],
      ['app.kubernetes.io/name', name],
      ['version', `v${1 + (j % 3)}`],
    ]),
  };
}

/** Containers that bring an object to about 20 KB. */
function sidecars(): Uint8Array {
  return encoded((f) => {
    for (let n = 0; n < 8; n++) {
      f.message(2, (c) => {
        c.text(1, `sidecar-${n}`).text(2, 'registry.example.com/mesh/proxy:2.8.1').text(5, '');
        for (let v = 0; v < 40; v++) {
          c.message(7, (e) =>
            e.text(1, `MESH_SETTING_${v}`).text(2, `value-${n}-${v}.example.internal`),
          );
        }
      });
    }
  });
}

function templateOf(workload: Workload, { size }: Corpus): PodTemplate {
  const template = podTemplate(workload);
  if (size === 'small') return template;
  return { ...template, afterNode: concatBytes(template.afterNode, sidecars()) };
}

function podOf(i: number, workload: Workload, { root }: Corpus, random: Random): SeedPod {
  const name = `${workload.name}-${workload.hash}-${random.suffix(5)}${i % podsPerWorkload}`;
  const labels = [
    ['app', `app-${String(i % 100).padStart(2, '0')}`],
    ...workload.labels,
    ['pod-template-hash', workload.hash],
    ['rank', `d${rankOf(i)}`],
  ] as const;
  const n = Math.floor(i / 7) % nodeCount;
  return {
    key: `${root}/pods/${workload.namespace}/${name}`,
    name,
    workload,
    node: { name: `node-${String(n).padStart(4, '0')}`, ip: `10.0.0.${n}`, zone: 'a' },
    labels: new Map(labels),
  };
}

/** Keys and stored values. */
export function* corpusEntries(corpus: Corpus): Generator<[string, Uint8Array]> {
  const seeding: Seeding = { random: new Random(corpus.pods), out: new Fields() };
  const { random } = seeding;
  for (let first = 0; first < corpus.pods; first += podsPerWorkload) {
    const workload = workloadOf(random, first / podsPerWorkload);
    const template = templateOf(workload, corpus);
    const end = Math.min(first + podsPerWorkload, corpus.pods);
    for (let i = first; i < end; i++) {
      const pod = podOf(i, workload, corpus, random);
      yield [pod.key, Uint8Array.from(encodePod(pod, template, seeding))];
    }
  }
}
