/** What a plan writes, as changes of one cluster's keys. */
import type { Change } from './oracle';
import type { BulkPlan, WritePlan } from './plans';

const utf8 = (text: string): Buffer => Buffer.from(text, 'utf8');

/** The same plans in the same order give the same changes below every root. */
export class ClusterWrites {
  /** Keys whose values' errors are not claimed to be worded as upstream's. */
  readonly foreign = new Set<string>();
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
    const uid = `u${String(++this.written)}`;
    if (plan.kind === 'bulk') return this.bulk(plan);
    const { namespace, name } = plan;
    const key = this.keyOf(namespace, name, plan.kind === 'put' ? plan.suffix : '');
    if (plan.kind === 'delete') return [{ key: key.toString('base64'), delete: true }];
    if (plan.kind === 'put') {
      const { labels, node, phase, hostNetwork, json, together } = plan;
      const pod = { namespace, name, labels, node, phase, hostNetwork, json, uid };
      return [{ key: key.toString('base64'), together, pod }];
    }
    const { raw, damage } = plan;
    // Cut so short, the magic bytes are gone and upstream tries its other decoders.
    const cut = damage.keep > 0 && damage.keep < 40;
    if (raw?.foreign ?? cut) this.foreign.add(key.toString('utf8'));
    const pod = { namespace, name, uid, labels: [['app', 'web'] as const] };
    return [
      {
        key: key.toString('base64'),
        ...(raw === undefined ? { pod, damage } : { raw: raw.base64 }),
      },
    ];
  }

  private bulk({ namespace, count, every, badEvery, padding }: BulkPlan): Change[] {
    return Array.from({ length: count }, (_, i) => {
      const name = `bulk-${String(i).padStart(5, '0')}`;
      const labels: [string, string][] = i % every === every - 1 ? [['rare', 'yes']] : [];
      const key = this.keyOf(namespace, name).toString('base64');
      const uid = `u${String(++this.written)}`;
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
