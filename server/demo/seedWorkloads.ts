/** Deployments and ReplicaSets in their stored form. Field numbers: `k8s.io/api/apps/v1/generated.proto`. */
import type { StoredObject } from './mvcc';
import type { Workload } from './seedPlan';
import type { PodTemplate } from './seedPods';
import { metaOf, stored } from './seedReleases';
import type { Fields, Seeding } from './seedWriter';

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
  const helm = { name: 'helm', apiVersion: 'apps/v1', time: created, fields: template.owned };
  const value = out.object('apps/v1', 'Deployment', (f) => {
    f.meta(1, meta, helm);
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
