/** What a plan writes, as changes of one cluster's keys. */
import type { Change, PodInput } from './oracle';
import type { BulkPlan, PutPlan, WritePlan } from './plans/plan';

const utf8 = (text: string): Buffer => Buffer.from(text, 'utf8');

/** How the uids of objects with grafts begin, so that an item tells of them. */
export const graftedUid = 'grafted-';
/** The uid of JSON objects that name members twice. */
export const doubledJsonUid = 'doubled-json';

/** The same plans in the same order give the same changes below every root. */
export class ClusterWrites {
  private readonly keyPrefix: string;
  private written = 0;

  constructor(root: string, resourcePrefix: string) {
    const path = `/${root}/`.replace(/\/+/g, '/');
    this.keyPrefix = `${path}${resourcePrefix.replace(/^\/|\/$/g, '')}/`;
  }

  /** In transactions that etcd takes. */
  of(plans: readonly WritePlan[]): Change[] {
    return intoTransactions(plans.flatMap((plan) => this.changes(plan)));
  }

  private keyOf(namespace: string, name: string, suffix = ''): Buffer {
    return Buffer.concat([
      utf8(`${this.keyPrefix}${namespace}/${name}`),
      Buffer.from(suffix, 'hex'),
    ]);
  }

  private changes(plan: WritePlan): Change[] {
    if (plan.kind === 'bulk') return this.bulk(plan);
    const { namespace, name } = plan;
    const key = this.keyOf(namespace, name, plan.kind === 'put' ? plan.suffix : '');
    const at = { key: key.toString('base64') };
    if (plan.kind === 'delete') return [{ ...at, delete: true }];
    if (plan.kind === 'put') return [{ ...at, together: plan.together, pod: this.pod(plan) }];
    if (plan.raw !== undefined) return [{ ...at, raw: plan.raw }];
    const pod = { namespace, name, uid: this.uid(), labels: [['app', 'web'] as const] };
    return [{ ...at, pod, damage: plan.damage }];
  }

  private uid(mark = 'u'): string {
    return `${mark}${String(++this.written)}`;
  }

  private pod(plan: PutPlan): PodInput {
    const { namespace, name, labels, node, phase, hostNetwork, ip, ips, json, grafts } = plan;
    const uid = this.uid(grafts.length > 0 ? graftedUid : undefined);
    return { namespace, name, labels, node, phase, hostNetwork, ip, ips, json, grafts, uid };
  }

  private bulk({ namespace, count, every, badEvery, padding }: BulkPlan): Change[] {
    return Array.from({ length: count }, (_, i) => {
      const name = `bulk-${String(i).padStart(5, '0')}`;
      const labels: [string, string][] = i % every === every - 1 ? [['rare', 'yes']] : [];
      const key = this.keyOf(namespace, name).toString('base64');
      const uid = this.uid();
      const isBad = badEvery > 0 && i % badEvery === badEvery - 1;
      if (isBad) return { key, together: i > 0, raw: headless };
      return { key, together: i > 0, pod: { namespace, name, labels, padding, uid } };
    });
  }
}

/** Protobuf's magic bytes and nothing behind them. */
const headless = utf8('k8s\0').toString('base64');

/** Bounds of one transaction, below etcd's own (128 writes, 1.5 MiB). */
const mostWrites = 100;
const mostPadding = 1_000_000;

/** Ends a transaction where etcd would refuse it: too many writes, too large, a key twice. */
function intoTransactions(changes: readonly Change[]): Change[] {
  let padding = 0;
  const keys = new Set<string>();
  return changes.map((change) => {
    padding += change.pod?.padding ?? 0;
    const fits = keys.size < mostWrites && padding < mostPadding && !keys.has(change.key);
    const together = change.together === true && fits;
    if (!together) {
      keys.clear();
      padding = change.pod?.padding ?? 0;
    }
    keys.add(change.key);
    return { ...change, together };
  });
}
