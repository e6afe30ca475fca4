/** Namespaces, Nodes and Events in their stored form. Field numbers: `k8s.io/api/core/v1/generated.proto`. */
import { utf8 } from '../common/bytes';
import type { StoredObject } from './mvcc';
import { newest } from './seedPlan';
import type { SeedNode, SeedPod } from './seedPlan';
import type { Random } from './seedRandom';
import type { Fields, Seeding } from './seedWriter';

const oldest = newest - 300 * 86_400;

export function namespace(name: string, { random, out }: Seeding): StoredObject {
  const [product = name, environment = ''] = name.split('-');
  const labels = [
    ['environment', environment],
    ['kubernetes.io/metadata.name', name],
    ['team', `team-${product}`],
  ] as const;
  const meta = { name, uid: random.uid(), creationTimestamp: oldest, labels };
  const value = out.object('v1', 'Namespace', (f) => {
    f.meta(1, meta);
    f.message(2, (spec) => spec.text(1, 'kubernetes'));
    f.message(3, (status) => status.text(1, 'Active'));
  });
  return {
    key: utf8(`/registry/namespaces/${name}`),
    value,
  };
}

export function node(one: SeedNode, { random, out }: Seeding): StoredObject {
  const labels = [
    ['kubernetes.io/arch', 'amd64'],
    ['kubernetes.io/hostname', one.name],
    ['kubernetes.io/os', 'linux'],
    [
      'node.kubernetes.io/instance-type',
      random.pick(['m6i.2xlarge', 'm6i.4xlarge', 'r6i.2xlarge']),
    ],
    ['topology.kubernetes.io/region', 'eu-west-1'],
    ['topology.kubernetes.io/zone', one.zone],
  ] as const;
  const meta = { name: one.name, uid: random.uid(), creationTimestamp: oldest, labels };
  const value = out.object('v1', 'Node', (f) => {
    f.meta(1, meta);
    f.message(2, (spec) => {
      spec
        .text(1, '')
        .text(2, '')
        .text(3, `aws:///${one.zone}/i-${random.hex(17)}`)
        .bool(4, false);
    });
    f.message(3, (status) => {
      writeNodeStatus(status, one, random);
    });
  });
  return { key: utf8(`/registry/minions/${one.name}`), value };
}

function writeNodeStatus(f: Fields, one: SeedNode, random: Random): void {
  const capacity = [
    ['cpu', '8'],
    ['memory', '32396Mi'],
    ['pods', '110'],
  ] as const;
  f.quantities(1, capacity).quantities(2, capacity).text(3, '');
  for (const type of ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'Ready']) {
    f.message(4, (c) => {
      c.text(1, type)
        .text(2, type === 'Ready' ? 'True' : 'False')
        .time(3, newest)
        .time(4, oldest);
      c.text(5, `Kubelet${type === 'Ready' ? 'Ready' : 'HasSufficientMemory'}`);
      c.text(6, 'kubelet is posting ready status');
    });
  }
  f.message(5, (a) => a.text(1, 'InternalIP').text(2, one.ip));
  f.message(5, (a) => a.text(1, 'Hostname').text(2, one.name));
  f.message(6, (endpoints) => endpoints.message(1, (kubelet) => kubelet.int(1, 10_250)));
  f.message(7, (info) => {
    info.text(1, random.hex(32)).text(2, random.uid()).text(3, random.uid());
    info.text(4, '6.12.41').text(5, 'Debian GNU/Linux 12').text(6, 'containerd://2.1.4');
    info.text(7, 'v1.37.0').text(8, '').text(9, 'linux').text(10, 'amd64');
  });
  for (let i = 0; i < 8; i++) {
    f.message(8, (image) =>
      image.text(1, `registry.example.com/base/image-${i}@sha256:${random.hex(64)}`).int(2, 1e8),
    );
  }
}

type Happening = readonly [type: string, reason: string, component: string, message: string];

const happenings: readonly [Happening, ...Happening[]] = [
  ['Normal', 'Scheduled', 'default-scheduler', 'Successfully assigned the Pod to a node'],
  ['Normal', 'Pulled', 'kubelet', 'Container image already present on machine'],
  ['Normal', 'Started', 'kubelet', 'Started container main'],
  [
    'Warning',
    'Unhealthy',
    'kubelet',
    'Readiness probe failed: HTTP probe failed with statuscode: 503',
  ],
];

export function podEvent(pod: SeedPod, { random, out }: Seeding): StoredObject {
  const { namespace } = pod.workload;
  const [type, reason, component, message] = random.pick(happenings);
  const name = `${pod.name}.18${random.hex(14)}`;
  const when = newest - random.below(3600);
  const value = out.object('v1', 'Event', (f) => {
    f.meta(1, { name, namespace, uid: random.uid(), creationTimestamp: when });
    f.message(2, (ref) => {
      ref.text(1, 'Pod').text(2, namespace).text(3, pod.name).text(4, random.uid());
      ref.text(5, 'v1').text(6, '').text(7, 'spec.containers{main}');
    });
    f.text(3, reason)
      .text(4, message)
      .message(5, (s) => s.text(1, component).text(2, pod.node.name));
    f.time(6, when)
      .time(7, when)
      .int(8, 1 + random.below(9))
      .text(9, type);
    f.message(10, () => undefined)
      .text(12, '')
      .text(14, component)
      .text(15, pod.node.name);
  });
  const key = utf8(`/registry/events/${namespace}/${name}`);
  return { key, value };
}
