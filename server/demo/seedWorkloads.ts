/**
 * Deployments, ReplicaSets, Services, ConfigMaps and Secrets in their stored form. Field numbers:
 * `generated.proto` of `k8s.io/api/core/v1` and `k8s.io/api/apps/v1`.
 */
import { utf8 } from '../common/bytes';
import type { MetaInput } from '../kube/encode';
import type { StoredObject } from './mvcc';
import type { Workload } from './seedPlan';
import type { PodTemplate } from './seedPods';
import type { Random } from './seedRandom';
import type { Fields, Seeding } from './seedWriter';

const stored = (path: string, value: Uint8Array): StoredObject => ({
  key: utf8(`/registry/${path}`),
  value,
});

function metaOf(workload: Workload, name: string, random: Random): MetaInput {
  const { namespace, labels, created } = workload;
  return { name, namespace, uid: random.uid(), creationTimestamp: created, labels };
}

function writeSelector(f: Fields, workload: Workload, hash: boolean): void {
  f.map(1, [
    ['app.kubernetes.io/instance', workload.labels.get('app.kubernetes.io/instance') ?? ''],
  ]);
  if (hash) f.map(1, [['pod-template-hash', workload.hash]]);
}

function writeTemplate(f: Fields, workload: Workload, template: PodTemplate): void {
  f.meta(1, { name: '', labels: workload.labels });
  f.message(2, (spec) => spec.raw(template.beforeNode).text(10, '').raw(template.afterNode));
}

export function deployment(
  workload: Workload,
  template: PodTemplate,
  { random, out }: Seeding,
): StoredObject {
  const { namespace, name, replicas, created } = workload;
  const meta = {
    ...metaOf(workload, name, random),
    uid: workload.uid,
    generation: 2,
    annotations: [['deployment.kubernetes.io/revision', '2']] as const,
  };
  const manager = { name: 'helm', apiVersion: 'apps/v1', time: created, fields: template.owned };
  const value = out.object('apps/v1', 'Deployment', (f) => {
    f.meta(1, meta, manager);
    f.message(2, (spec) => {
      spec.int(1, replicas).message(2, (s) => {
        writeSelector(s, workload, false);
      });
      spec.message(3, (t) => {
        writeTemplate(t, workload, template);
      });
      spec.message(4, (strategy) => strategy.text(1, 'RollingUpdate'));
      spec.int(5, 0).int(6, 10).bool(7, false).int(9, 600);
    });
    f.message(3, (status) => {
      status.int(1, 2).int(2, replicas).int(3, replicas).int(4, replicas).int(5, 0);
      status.message(6, (c) => {
        c.text(1, 'Available').text(2, 'True').text(4, 'MinimumReplicasAvailable');
        c.text(5, 'Deployment has minimum availability.').time(6, created).time(7, created);
      });
      status.int(7, replicas);
    });
  });
  return stored(`deployments/${namespace}/${name}`, value);
}

export function replicaSet(
  workload: Workload,
  template: PodTemplate,
  { random, out }: Seeding,
): StoredObject {
  const { namespace, replicas, hash } = workload;
  const name = `${workload.name}-${hash}`;
  const meta = {
    ...metaOf(workload, name, random),
    uid: workload.replicaSetUid,
    generation: 1,
    labels: new Map([...workload.labels, ['pod-template-hash', hash]]),
    ownerReferences: [
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        name: workload.name,
        uid: workload.uid,
        controller: true,
      },
    ],
  };
  const value = out.object('apps/v1', 'ReplicaSet', (f) => {
    f.meta(1, meta);
    f.message(2, (spec) => {
      spec.int(1, replicas).message(2, (s) => {
        writeSelector(s, workload, true);
      });
      spec.message(3, (t) => {
        writeTemplate(t, workload, template);
      });
      spec.int(4, 0);
    });
    f.message(3, (s) =>
      s.int(1, replicas).int(2, replicas).int(3, 1).int(4, replicas).int(5, replicas),
    );
  });
  return stored(`replicasets/${namespace}/${name}`, value);
}

export function service(workload: Workload, { random, out }: Seeding): StoredObject {
  const { namespace, name } = workload;
  const ip = `172.20.${random.below(256)}.${1 + random.below(254)}`;
  const value = out.object('v1', 'Service', (f) => {
    f.meta(1, metaOf(workload, name, random));
    f.message(2, (spec) => {
      spec.message(1, (p) => {
        p.text(1, 'http').text(2, 'TCP').int(3, 80);
        p.message(4, (target) => target.int(1, 1).int(2, 0).text(3, 'http')).int(5, 0);
      });
      spec.map(2, [['app.kubernetes.io/instance', `${name}-${namespace}`]]);
      spec.text(3, ip).text(4, 'ClusterIP').text(7, 'None').text(8, '').text(10, '').text(11, '');
      spec.int(12, 0).bool(13, false).text(17, 'SingleStack');
      spec.text(18, ip).text(19, 'IPv4').text(22, 'Cluster');
    });
    f.message(3, (status) => status.message(1, () => undefined));
  });
  return stored(`services/specs/${namespace}/${name}`, value);
}

export function configMap(workload: Workload, { random, out }: Seeding): StoredObject {
  const { namespace, name } = workload;
  const settings = Array.from({ length: 12 }, (_, i) => `feature.${i}.salt=${random.hex(32)}\n`);
  const value = out.object('v1', 'ConfigMap', (f) => {
    f.meta(1, metaOf(workload, `${name}-config`, random));
    f.map(2, [
      ['application.properties', `service.name=${name}\n${settings.join('')}`],
      ['log.level', 'info'],
    ]);
  });
  return stored(`configmaps/${namespace}/${name}-config`, value);
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
