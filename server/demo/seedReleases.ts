/**
 * What a release brings besides its Deployment: a Service, a ConfigMap and a Secret in their stored
 * form. Field numbers: `k8s.io/api/core/v1/generated.proto`.
 */
import { utf8 } from '../common/bytes';
import type { MetaInput } from '../kube/encode';
import type { StoredObject } from './mvcc';
import { manager, ownedMetadata } from './seedManagers';
import type { OwnedFields } from './seedManagers';
import type { Workload } from './seedPlan';
import type { Random } from './seedRandom';
import type { Fields, Manager, Seeding } from './seedWriter';

export const stored = (path: string, value: Uint8Array): StoredObject => ({
  key: utf8(`/registry/${path}`),
  value,
});

export function metaOf(workload: Workload, name: string, random: Random): MetaInput {
  const { namespace, labels, created } = workload;
  return { name, namespace, uid: random.uid(), creationTimestamp: created, labels };
}

type Annotations = readonly (readonly [string, string])[];

const releaseOf = ({ namespace, name }: Workload): Annotations => [
  ['meta.helm.sh/release-name', name],
  ['meta.helm.sh/release-namespace', namespace],
];

function helm(workload: Workload, annotations: Annotations, owned: OwnedFields): Manager {
  const names = annotations.map(([name]) => name);
  const metadata = ownedMetadata(workload.labels.keys(), names);
  return manager('helm', 'v1', workload.created, { metadata, ...owned });
}

interface Port {
  readonly name: string;
  readonly number: number;
  readonly protocol: string;
}

const ports: readonly Port[] = [
  { name: 'http', number: 80, protocol: 'http' },
  { name: 'grpc', number: 9090, protocol: 'kubernetes.io/h2c' },
  { name: 'metrics', number: 9100, protocol: 'http' },
];

const ownedPorts = Object.fromEntries(
  ports.map(({ number }) => [
    `k:{"port":${number},"protocol":"TCP"}`,
    ['.', 'appProtocol', 'name', 'port', 'protocol', 'targetPort'],
  ]),
);

const serviceFields = {
  spec: {
    internalTrafficPolicy: [],
    ipFamilyPolicy: [],
    ports: { '.': [], ...ownedPorts },
    selector: ['app.kubernetes.io/instance', 'app.kubernetes.io/name'],
    sessionAffinity: [],
    type: [],
  },
};

export function service(workload: Workload, { random, out }: Seeding): StoredObject {
  const { namespace, name } = workload;
  const ip = `172.20.${random.below(256)}.${1 + random.below(254)}`;
  const ips = [ip, `fd00:20::${random.hex(4)}`] as const;
  const annotations: Annotations = [
    ...releaseOf(workload),
    ['prometheus.io/path', '/metrics'],
    ['prometheus.io/port', '9100'],
    ['prometheus.io/scrape', 'true'],
  ];
  const value = out.object('v1', 'Service', (f) => {
    const meta = { ...metaOf(workload, name, random), annotations };
    f.meta(1, meta, helm(workload, annotations, serviceFields));
    f.message(2, (spec) => {
      writeServiceSpec(spec, workload, ips);
    });
    f.message(3, (status) => status.message(1, () => undefined));
  });
  return stored(`services/specs/${namespace}/${name}`, value);
}

function writeServiceSpec(
  f: Fields,
  { labels }: Workload,
  [ip, second]: readonly [string, string],
): void {
  for (const { name, number, protocol } of ports) {
    f.message(1, (p) => {
      p.text(1, name).text(2, 'TCP').int(3, number);
      p.message(4, (target) => target.int(1, 1).int(2, 0).text(3, name)).int(5, 0);
      p.text(6, protocol);
    });
  }
  for (const label of serviceFields.spec.selector) f.map(2, [[label, labels.get(label) ?? '']]);
  f.text(3, ip).text(4, 'ClusterIP').text(7, 'None').text(8, '').text(10, '').text(11, '');
  f.int(12, 0).bool(13, false).text(17, 'PreferDualStack');
  f.text(18, ip).text(18, second).text(19, 'IPv4').text(19, 'IPv6').text(22, 'Cluster');
}

const features = [
  ...['async-export', 'bulk-import', 'cached-reads', 'dark-mode', 'fast-checkout', 'new-search'],
  ...['rate-limits', 'signed-urls', 'soft-delete', 'two-factor'],
];

export function configMap(workload: Workload, { random, out }: Seeding): StoredObject {
  const { namespace, name } = workload;
  const annotations: Annotations = [['checksum/source', random.hex(64)], ...releaseOf(workload)];
  const data = [
    ['application.yaml', applicationYaml(workload, random)],
    ['features.properties', featureProperties(random)],
    ['log.level', random.pick(['info', 'info', 'warn', 'debug'])],
  ] as const;
  const meta = { ...metaOf(workload, `${name}-config`, random), annotations };
  const owned = { data: ['.', ...data.map(([file]) => file)] };
  const value = out.object('v1', 'ConfigMap', (f) => {
    f.meta(1, meta, helm(workload, annotations, owned)).map(2, data);
  });
  return stored(`configmaps/${namespace}/${name}-config`, value);
}

function applicationYaml({ name, namespace }: Workload, random: Random): string {
  return [
    ...['server:', '  address: 0.0.0.0:8080', '  shutdownTimeout: 30s', '  maxBodyBytes: 1048576'],
    ...['database:', `  host: postgres.${namespace}.svc.cluster.local`, '  port: 5432'],
    ...[`  name: ${name.replaceAll('-', '_')}`, `  maxConnections: ${5 + random.below(45)}`],
    ...['cache:', `  url: redis://redis.${namespace}.svc.cluster.local:6379/0`],
    ...[`  timeToLive: ${1 + random.below(59)}m`, 'tracing:'],
    ...['  endpoint: http://otel-collector.observability:4317', '  sampleRatio: 0.05', ''],
  ].join('\n');
}

function featureProperties(random: Random): string {
  return features
    .map((name) => `${name}.percent=${random.below(101)}\n${name}.salt=${random.hex(16)}\n`)
    .join('');
}

export function secret(workload: Workload, { random, out }: Seeding): StoredObject {
  const { namespace, name } = workload;
  const pem = (what: string, length: number): Uint8Array =>
    utf8(`-----BEGIN ${what}-----\n${random.hex(length)}\n-----END ${what}-----\n`);
  const value = out.object('v1', 'Secret', (f) => {
    f.meta(1, metaOf(workload, `${name}-tls`, random));
    f.message(2, (e) => e.text(1, 'tls.crt').bytes(2, pem('CERTIFICATE', 900)));
    f.message(2, (e) => e.text(1, 'tls.key').bytes(2, pem('PRIVATE KEY', 600)));
    f.text(3, 'kubernetes.io/tls');
  });
  return stored(`secrets/${namespace}/${name}-tls`, value);
}
