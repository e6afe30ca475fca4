/** Pods in their stored form. Field numbers: `k8s.io/api/core/v1/generated.proto`. */
import { newest } from './seedPlan';
import { fieldSetBytes } from './seedManagers';
import type { SeedPod, Workload } from './seedPlan';
import type { Seeding } from './seedWriter';
import { encoded } from './seedWriter';
import type { Fields } from './seedWriter';

/** The parts of a PodSpec around its node's name, the same for all Pods of a workload. */
export interface PodTemplate {
  readonly beforeNode: Uint8Array;
  readonly afterNode: Uint8Array;
  /** What the controller owns of a Pod. */
  readonly owned: Uint8Array;
}

const noFields = (): void => undefined;

/** Each condition's parts before and after the time of its last transition. */
const conditions = [
  ...['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'],
].map((type) => ({
  before: encoded((f) => f.text(1, type).text(2, 'True').message(3, noFields)),
  after: encoded((f) => f.text(5, '').text(6, '').int(7, 1)),
}));

export function podTemplate(workload: Workload): PodTemplate {
  return {
    beforeNode: encoded((f) => {
      f.message(1, (v) =>
        v.text(1, 'config').message(2, (s) => {
          writeConfigVolume(s, workload);
        }),
      );
      f.message(1, (v) =>
        v.text(1, 'tls').message(2, (s) => s.message(6, (o) => o.text(1, `${workload.name}-tls`))),
      );
      f.message(2, (c) => {
        writeContainer(c, workload);
      });
      f.text(3, 'Always').int(4, 30).text(6, 'ClusterFirst').text(8, workload.name);
      f.text(9, workload.name);
    }),
    afterNode: encoded((f) => {
      f.bool(11, false).bool(12, false).bool(13, false);
      f.message(14, (s) => s.int(2, 10_001).bool(3, true).int(5, 10_001));
      f.text(16, '').text(17, '').text(19, 'default-scheduler');
      for (const condition of ['not-ready', 'unreachable']) {
        f.message(22, (t) => {
          t.text(1, `node.kubernetes.io/${condition}`).text(2, 'Exists').text(3, '');
          t.text(4, 'NoExecute').int(5, 300);
        });
      }
      f.text(24, '').int(25, 0).bool(30, true).text(31, 'PreemptLowerPriority');
    }),
    owned: ownedByController(workload),
  };
}

function writeConfigVolume(f: Fields, workload: Workload): void {
  f.message(19, (c) => c.message(1, (ref) => ref.text(1, `${workload.name}-config`)).int(3, 420));
}

function writeContainer(f: Fields, workload: Workload): void {
  f.text(1, 'main').text(2, workload.image).text(5, '');
  f.message(6, (p) => p.text(1, 'http').int(2, 0).int(3, 8080).text(4, 'TCP').text(5, ''));
  for (const [name, value] of environmentOf(workload)) {
    f.message(7, (e) => e.text(1, name).text(2, value));
  }
  f.message(7, (e) =>
    e
      .text(1, 'POD_NAME')
      .text(2, '')
      .message(3, (from) => from.message(1, (ref) => ref.text(1, 'v1').text(2, 'metadata.name'))),
  );
  f.message(8, (r) =>
    r.quantities(1, [['memory', '512Mi']]).quantities(2, [
      ['cpu', '100m'],
      ['memory', '256Mi'],
    ]),
  );
  f.message(9, (m) =>
    m.text(1, 'config').bool(2, true).text(3, '/etc/app').text(4, '').text(6, ''),
  );
  f.message(9, (m) => m.text(1, 'tls').bool(2, true).text(3, '/etc/tls').text(4, '').text(6, ''));
  f.message(11, (probe) =>
    probe
      .message(1, (handler) =>
        handler.message(2, (get) =>
          get
            .text(1, '/healthz')
            .message(2, (port) => port.int(1, 1).int(2, 0).text(3, 'http'))
            .text(3, '')
            .text(4, 'HTTP'),
        ),
      )
      .int(2, 0)
      .int(3, 1)
      .int(4, 10)
      .int(5, 1)
      .int(6, 3),
  );
  f.text(13, '/dev/termination-log').text(14, 'IfNotPresent').bool(16, false);
  f.bool(17, false).bool(18, false).text(20, 'File');
}

function environmentOf({ name, namespace, labels }: Workload): [string, string][] {
  const version = labels.get('version') ?? '';
  return [
    ['SERVICE_NAME', name],
    ['SERVICE_VERSION', version],
    ['LOG_LEVEL', 'info'],
    ['HTTP_ADDR', ':8080'],
    ['DATABASE_HOST', `postgres.${namespace}.svc.cluster.local`],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://otel-collector.observability:4317'],
  ];
}

function ownedByController({ labels, replicaSetUid }: Workload): Uint8Array {
  return fieldSetBytes({
    metadata: {
      annotations: ['.', 'checksum/config'],
      generateName: [],
      labels: ['.', ...labels.keys(), 'pod-template-hash'],
      ownerReferences: ['.', `k:{"uid":"${replicaSetUid}"}`],
    },
    spec: {
      containers: { 'k:{"name":"main"}': ['.', 'env', 'image', 'ports'] },
      volumes: ['.', 'k:{"name":"config"}', 'k:{"name":"tls"}'],
    },
  });
}

export function encodePod(
  pod: SeedPod,
  template: PodTemplate,
  { random, out }: Seeding,
): Uint8Array {
  const { workload, node } = pod;
  const started = workload.created + random.below(newest - workload.created);
  const ip = `10.${128 + random.below(64)}.${random.below(256)}.${1 + random.below(254)}`;
  const meta = {
    name: pod.name,
    generateName: `${workload.name}-${workload.hash}-`,
    namespace: workload.namespace,
    uid: random.uid(),
    creationTimestamp: started,
    labels: pod.labels,
    annotations: [['checksum/config', random.hex(64)] as const],
    ownerReferences: [
      {
        apiVersion: 'apps/v1',
        kind: 'ReplicaSet',
        name: `${workload.name}-${workload.hash}`,
        uid: workload.replicaSetUid,
        controller: true,
      },
    ],
  };
  const controller = {
    name: 'kube-controller-manager',
    apiVersion: 'v1',
    time: started,
    fields: template.owned,
  };
  const value = out.object('v1', 'Pod', (f) => {
    f.meta(1, meta, controller);
    f.message(2, (s) => s.raw(template.beforeNode).text(10, node.name).raw(template.afterNode));
    f.message(3, (s) => {
      writeStatus(s, { pod, started, ip, containerId: random.hex(64) });
    });
  });
  return value;
}

interface Running {
  readonly pod: SeedPod;
  readonly started: number;
  readonly ip: string;
  readonly containerId: string;
}

function writeStatus(f: Fields, { pod, started, ip, containerId }: Running): void {
  f.text(1, 'Running');
  for (const { before, after } of conditions) {
    f.message(2, (c) =>
      c
        .raw(before)
        .time(4, started + 3)
        .raw(after),
    );
  }
  f.text(3, '').text(4, '').text(5, pod.node.ip).text(6, ip).time(7, started);
  f.message(8, (c) => {
    c.text(1, 'main').message(2, (state) =>
      state.message(2, (running) => running.time(1, started + 2)),
    );
    c.message(3, noFields).bool(4, true).int(5, 0).text(6, pod.workload.image);
    c.text(7, `${pod.workload.image.split(':')[0] ?? ''}@sha256:${containerId}`);
    c.text(8, `containerd://${containerId}`).bool(9, true);
  });
  f.text(9, 'Burstable')
    .text(11, '')
    .message(12, (one) => one.text(1, ip))
    .text(14, '');
  f.message(16, (one) => one.text(1, pod.node.ip)).int(17, 1);
}
