/** Pods whose names are in the order of their numbers, marked by the layouts that select them. */
import { encodePod, podTemplate } from '../../../server/demo/seedPods';
import type { Workload } from '../../../server/demo/seedPlan';
import { Random } from '../../../server/demo/seedRandom';
import { Fields } from '../../../server/demo/seedWriter';
import type { Marking } from './layouts';

export const root = '/registry';
const namespaceCount = 40;

function workloadOf(namespace: string, random: Random): Workload {
  const name = 'web';
  return {
    namespace,
    name,
    hash: random.suffix(10),
    uid: random.uid(),
    replicaSetUid: random.uid(),
    image: `registry.example.com/${namespace}/${name}:1.4.2`,
    replicas: 20,
    created: 1_760_000_000,
    labels: new Map([
      ['app.kubernetes.io/instance', `${name}-${namespace}`],
      ['app.kubernetes.io/managed-by', 'Helm'],
      ['app.kubernetes.io/name', name],
    ]),
  };
}

/** Keys, in their order, and stored values. */
export function* entriesOf(
  pods: number,
  markings: readonly Marking[],
): Generator<[string, Uint8Array]> {
  const random = new Random(pods);
  const seeding = { random, out: new Fields() };
  const each = Math.ceil(pods / namespaceCount);
  for (let n = 0; n * each < pods; n++) {
    const namespace = `team-${String(n).padStart(2, '0')}`;
    const workload = workloadOf(namespace, random);
    const template = podTemplate(workload);
    for (let i = n * each; i < Math.min(pods, (n + 1) * each); i++) {
      const name = `web-${String(i).padStart(7, '0')}`;
      const marks = markings.flatMap(({ label, matches }) =>
        matches(i) ? [[label, 'yes'] as const] : [],
      );
      const pod = {
        key: `${root}/pods/${namespace}/${name}`,
        name,
        workload,
        node: { name: `node-${String(i % 100).padStart(4, '0')}`, ip: '10.0.0.1', zone: 'a' },
        labels: new Map([...workload.labels, ...marks]),
      };
      yield [pod.key, Uint8Array.from(encodePod(pod, template, seeding))];
    }
  }
}
