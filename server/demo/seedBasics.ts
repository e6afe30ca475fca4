/** Namespaces and Nodes in their stored form. Field numbers: `k8s.io/api/core/v1/generated.proto`. */
import { utf8 } from '../common/bytes';
import type { StoredObject } from './mvcc';
import { newest } from './seedPlan';
import { manager, ownedMetadata } from './seedManagers';
import type { SeedNode } from './seedPlan';
import type { Random } from './seedRandom';
import type { Fields, Seeding } from './seedWriter';

const oldest = newest - 300 * 86_400;

export function namespace(name: string, { random, out }: Seeding): StoredObject {
  const [product = name, environment = ''] = name.split('-');
  const labels = {
    environment,
    'kubernetes.io/metadata.name': name,
    'pod-security.kubernetes.io/audit': 'restricted',
    'pod-security.kubernetes.io/enforce': environment === 'prod' ? 'restricted' : 'baseline',
    'pod-security.kubernetes.io/warn': 'restricted',
    team: `team-${product}`,
  };
  const given = {
    'example.com/contact': `team-${product}@example.com`,
    'example.com/cost-center': String(1000 + random.below(9000)),
    'example.com/description': `Everything that team-${product} runs in ${environment}.`,
  };
  const applied = JSON.stringify({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { annotations: given, labels, name },
  });
  const annotations = {
    ...given,
    'kubectl.kubernetes.io/last-applied-configuration': `${applied}\n`,
  };
  const meta = {
    ...{ name, uid: random.uid(), creationTimestamp: oldest },
    labels: Object.entries(labels),
    annotations: Object.entries(annotations),
  };
  const owned = { metadata: ownedMetadata(Object.keys(labels), Object.keys(annotations)) };
  const value = out.object('v1', 'Namespace', (f) => {
    f.meta(1, meta, manager('kubectl-client-side-apply', 'v1', oldest, owned));
    f.message(2, (spec) => spec.text(1, 'kubernetes'));
    f.message(3, (status) => status.text(1, 'Active'));
  });
  return { key: utf8(`/registry/namespaces/${name}`), value };
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
