/** Events about Pods in their stored form. Field numbers: `k8s.io/api/core/v1/generated.proto`. */
import { utf8 } from '../common/bytes';
import type { StoredObject } from './mvcc';
import { fieldSetBytes } from './seedManagers';
import { newest } from './seedPlan';
import type { SeedPod } from './seedPlan';
import type { Fields, Seeding } from './seedWriter';

interface Happening {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly component: string;
  readonly message: (pod: SeedPod) => string;
}

const container = (pod: SeedPod): string =>
  `container main of ${pod.workload.namespace}/${pod.name} on ${pod.node.name}`;

const happenings: readonly [Happening, ...Happening[]] = [
  {
    type: 'Normal',
    reason: 'Scheduled',
    component: 'default-scheduler',
    message: (pod) =>
      `Successfully assigned ${pod.workload.namespace}/${pod.name} to ${pod.node.name}`,
  },
  {
    type: 'Normal',
    reason: 'Pulled',
    component: 'kubelet',
    message: (pod) =>
      `Container image "${pod.workload.image}" already present on machine and can be accessed by the pod`,
  },
  {
    type: 'Normal',
    reason: 'Started',
    component: 'kubelet',
    message: (pod) => `Started ${container(pod)}`,
  },
  {
    type: 'Warning',
    reason: 'Unhealthy',
    component: 'kubelet',
    message: (pod) =>
      'Readiness probe failed: HTTP probe failed with statuscode: 503: upstream ' +
      `postgres.${pod.workload.namespace}.svc.cluster.local:5432 is not reachable from ${container(pod)}`,
  },
];

const references = ['apiVersion', 'kind', 'name', 'namespace', 'uid'];

const owned = fieldSetBytes({
  metadata: { annotations: ['.', 'example.com/zone'], labels: ['.', 'app'] },
  action: [],
  count: [],
  eventTime: [],
  firstTimestamp: [],
  involvedObject: [...references, 'fieldPath'],
  lastTimestamp: [],
  message: [],
  reason: [],
  related: references,
  reportingComponent: [],
  reportingInstance: [],
  source: ['component', 'host'],
  type: [],
});

export function podEvent(pod: SeedPod, { random, out }: Seeding): StoredObject {
  const { namespace } = pod.workload;
  const happening = random.pick(happenings);
  const name = `${pod.name}.18${random.hex(14)}`;
  const when = newest - random.below(3600);
  const meta = {
    ...{ name, namespace, uid: random.uid(), creationTimestamp: when },
    labels: [['app', pod.workload.name] as const],
    annotations: [['example.com/zone', pod.node.zone] as const],
  };
  const { component } = happening;
  const by = { name: component, apiVersion: 'v1', time: when, fields: owned };
  const value = out.object('v1', 'Event', (f) => {
    f.meta(1, meta, by);
    f.message(2, (ref) => {
      ref.text(1, 'Pod').text(2, namespace).text(3, pod.name).text(4, random.uid());
      ref.text(5, 'v1').text(6, '').text(7, 'spec.containers{main}');
    });
    writeHappening(f, happening, pod);
    f.time(6, when)
      .time(7, when)
      .int(8, 1 + random.below(9))
      .text(9, happening.type);
    f.message(10, () => undefined).text(12, happening.reason);
    f.message(13, (ref) => {
      ref.text(1, 'ReplicaSet').text(2, namespace);
      ref.text(3, `${pod.workload.name}-${pod.workload.hash}`).text(4, pod.workload.replicaSetUid);
      ref.text(5, 'apps/v1').text(6, '').text(7, '');
    });
    f.text(14, component).text(15, pod.node.name);
  });
  return { key: utf8(`/registry/events/${namespace}/${name}`), value };
}

function writeHappening(f: Fields, { reason, component, message }: Happening, pod: SeedPod): void {
  f.text(3, reason).text(4, message(pod));
  f.message(5, (source) => source.text(1, component).text(2, pod.node.name));
}
