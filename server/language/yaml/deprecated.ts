/**
 * Keys of node labels that have a successor. These are the ones that the API server itself warns of,
 * in its words.
 *
 * Upstream: `k8s.io/kubernetes/pkg/api/node/util.go`, `pkg/api/pod/warnings.go`.
 */
import type { Fix } from '../findings';
import { replacement } from './labelFixes';
import type { WrittenLabel } from './labels';
import type { Report } from './report';
import { textOf, type Content, type Value } from './tree';

interface Successor {
  readonly key: string;
  readonly since: string;
}

const SUCCESSORS: ReadonlyMap<string, Successor> = new Map([
  ['beta.kubernetes.io/arch', { key: 'kubernetes.io/arch', since: 'v1.14' }],
  ['beta.kubernetes.io/os', { key: 'kubernetes.io/os', since: 'v1.14' }],
  [
    'failure-domain.beta.kubernetes.io/region',
    { key: 'topology.kubernetes.io/region', since: 'v1.17' },
  ],
  [
    'failure-domain.beta.kubernetes.io/zone',
    { key: 'topology.kubernetes.io/zone', since: 'v1.17' },
  ],
  [
    'beta.kubernetes.io/instance-type',
    { key: 'node.kubernetes.io/instance-type', since: 'v1.17' },
  ],
]);

function text({ key, since }: Successor): string {
  return `deprecated since ${since}; use "${key}" instead`;
}

function fixes(report: Report, node: Content | undefined, { key }: Successor): Fix[] {
  return replacement(report.tree, node, `Change to ${key}`, key);
}

/** Labels that a map asks nodes for. */
export function deprecatedLabels(
  report: Report,
  labels: readonly WrittenLabel[],
  path: string,
): void {
  for (const { key, entry } of labels) {
    const successor = SUCCESSORS.get(key);
    if (successor === undefined) continue;
    const message = `${path}[${key}]: ${text(successor)}`;
    report.about(entry.keySpan, 'deprecated', message, fixes(report, entry.key, successor));
  }
}

/** Requirements on nodes. */
export function deprecatedExpressions(report: Report, list: Value, path: string): void {
  report.tree.items(list).forEach((item, i) => {
    const key = report.tree.field(item, 'key');
    if (key !== undefined) deprecatedKey(report, key, `${path}[${i}].key`);
  });
}

/** The key of a node label that stands for itself. */
export function deprecatedKey(report: Report, value: Value, path: string): void {
  const key = textOf(value) ?? '';
  const successor = SUCCESSORS.get(key);
  if (successor === undefined) return;
  const message = `${path}: ${key} is ${text(successor)}`;
  report.about(value.span, 'deprecated', message, fixes(report, value.node, successor));
}
