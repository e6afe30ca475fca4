/**
 * Flags of kubectl's commands, as far as one of them takes a value or is written as a letter: what has
 * to be known to tell flags from what stands beside them.
 *
 * Upstream (Kubernetes 1.37): `kubectl/pkg/cmd`, `pkg/cmd/util/helpers.go`, `pkg/cmd/delete`.
 */
import { stated, type Flag } from '../shell/flags';
import { GET_FLAGS } from './getFlags';

type Names = Parameters<typeof stated>[0];

const valued = (names: Names): Flag => stated(names, 'text', '');
const switched = (names: Names): Flag => stated(names, 'switch', '');

/** Those that other commands have under the same name with another meaning. */
const OWN: ReadonlyMap<string, readonly Flag[]> = new Map([
  ['logs', [switched('-f --follow'), switched('-p --previous')]],
  ['expose', [valued('-l --labels')]],
]);

const SHARED: readonly Flag[] = [
  stated('--pod-selector', 'labels', ''),
  valued('-c --container'),
  valued('-e --env'),
  valued('-p --patch'),
  switched('-i --stdin'),
  switched('-q --quiet'),
  switched('-t --tty'),
  // Without a value behind `=` they have one of their own.
  switched('--cascade'),
  switched('--dry-run'),
  switched('--validate'),
  ...[
    ...['current-replicas', 'field-manager', 'for', 'from', 'grace-period', 'image', 'labels'],
    ...['limit-bytes', 'max-log-requests', 'patch-file', 'pod-running-timeout', 'port'],
    ...['prune-allowlist', 'replicas', 'resource-version', 'revision', 'since', 'since-time'],
    ...['skip-wait-for-delete-timeout', 'tail', 'target-port', 'timeout', 'to-revision', 'type'],
  ].map((name) => valued(`--${name}`)),
];

const ALL: readonly Flag[] = [...GET_FLAGS, ...SHARED];

/** `verb` is empty while it is not known. */
export function flagsOf(verb: string): readonly Flag[] {
  return [...(OWN.get(verb) ?? []), ...ALL];
}
