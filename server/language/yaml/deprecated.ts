/**
 * Keys of node labels that are out of use. The API server itself warns of them, in these words and in
 * these places.
 *
 * Upstream: `k8s.io/kubernetes/pkg/api/node/util.go`, `pkg/api/pod/warnings.go`,
 * `pkg/api/storage/util.go`.
 */
import type { Fix } from '../findings';
import { replacement } from './labelFixes';
import type { WrittenLabel } from './labels';
import type { Report } from './report';
import { textOf, type Content, type Value } from './tree';
import type { Place } from './walk';

const MESSAGES: ReadonlyMap<string, string> = new Map([
  ['beta.kubernetes.io/arch', 'deprecated since v1.14; use "kubernetes.io/arch" instead'],
  ['beta.kubernetes.io/os', 'deprecated since v1.14; use "kubernetes.io/os" instead'],
  [
    'failure-domain.beta.kubernetes.io/region',
    'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  ],
  [
    'failure-domain.beta.kubernetes.io/zone',
    'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  ],
  [
    'beta.kubernetes.io/instance-type',
    'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
  ],
  ['app.kubernetes.io/created-by', 'deprecated since v1.9'],
  [
    'scheduler.alpha.kubernetes.io/preferAvoidPods',
    'deprecated since v1.22; use Taints and Tolerations instead',
  ],
  ['node-role.kubernetes.io/master', 'use "node-role.kubernetes.io/control-plane" instead'],
]);

function fixes(report: Report, node: Content | undefined, message: string): Fix[] {
  const successor = /"(.*)"/.exec(message)?.[1];
  return successor === undefined
    ? []
    : replacement(report.tree, node, `Change to ${successor}`, successor);
}

/** Labels that a map asks nodes for. */
export function deprecatedLabels(
  report: Report,
  { row, path }: Place,
  labels: readonly WrittenLabel[],
): void {
  const { warns } = row.options;
  if (warns === undefined) return;
  for (const { key, entry } of labels) {
    const message = MESSAGES.get(key);
    if (message === undefined) continue;
    const named = row.form === 'object' ? `${path}.${key}` : `${path}[${key}]`;
    const text = `${warns === 'whole' ? path : named}: ${message}`;
    report.about(entry.keySpan, 'deprecated', text, fixes(report, entry.key, message));
  }
}

/** Requirements on nodes. */
export function deprecatedExpressions(
  report: Report,
  place: Place,
  list: Value,
  path: string,
): void {
  if (place.row.options.warns === undefined) return;
  report.tree.items(list).forEach((item, i) => {
    const key = report.tree.field(item, 'key');
    if (key !== undefined) deprecatedKey(report, place, key, `${path}[${i}].key`);
  });
}

/** The key of a node label that stands for itself. */
export function deprecatedKey(report: Report, { row }: Place, value: Value, path: string): void {
  const { warns } = row.options;
  const key = textOf(value) ?? '';
  const message = warns === undefined ? undefined : MESSAGES.get(key);
  if (message === undefined) return;
  const text = warns === 'whole' ? `${path}: ${message}` : `${path}: ${key} is ${message}`;
  report.about(value.span, 'deprecated', text, fixes(report, value.node, message));
}
