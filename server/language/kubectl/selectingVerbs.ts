/**
 * Which of kubectl's and oc's commands take a label selector behind `-l` or `--selector`. Others have
 * labels to give, a flag of their own, or no such flag there, and plugins have what they like.
 *
 * Upstream (Kubernetes 1.37): `AddLabelSelectorFlagVar` and flags of that name in `kubectl/pkg/cmd`;
 * those of oc in `openshift/oc/pkg/cli`.
 */

type Subcommands = 'any' | 'none' | ReadonlySet<string>;

const ANY: readonly (readonly [string, Subcommands])[] = [
  ...['annotate', 'apply', 'cordon', 'delete', 'describe', 'diff', 'drain', 'expose', 'get'],
  ...['idle', 'label', 'logs', 'rollout', 'scale', 'taint', 'top', 'uncordon', 'wait'],
].map((verb) => [verb, 'any']);

const SELECTING: ReadonlyMap<string, Subcommands> = new Map<string, Subcommands>([
  ...ANY,
  // What it makes by name has no selector.
  ['create', 'none'],
  [
    'set',
    new Set([
      ...['env', 'image', 'resources', 'subject', 'volume', 'volumes', 'probe', 'triggers'],
      ...['build-hook', 'build-secret', 'deployment-hook', 'image-lookup'],
    ]),
  ],
  ['adm', new Set(['cordon', 'drain', 'node-logs', 'pod-network', 'taint', 'top', 'uncordon'])],
]);

/** `operand` is what stands behind the verb, empty for nothing. */
export function takesSelector(verb: string, operand: string): boolean {
  const subcommands = SELECTING.get(verb);
  if (subcommands === undefined) return false;
  if (typeof subcommands !== 'string') return subcommands.has(operand);
  return subcommands === 'any' || operand === '';
}
