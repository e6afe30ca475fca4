/** What a process said last of why it ended, out of all that it said. */

const longest = 300;

/** Of a line of etcd's log what it complains of; undefined when it is no complaint. */
function ofLog(line: string): string | undefined {
  let entry: unknown;
  try {
    entry = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof entry !== 'object' || entry === null) return undefined;
  const { level, msg, error } = entry as Readonly<Record<string, unknown>>;
  if (level !== 'error' && level !== 'panic' && level !== 'fatal') return undefined;
  return [msg, error].filter((part) => typeof part === 'string').join(': ');
}

/** Lines of a Go or Node.js program that fails by itself. */
const failing = /^(?:panic|fatal error|\w*Error|exit status|etcd(?:ctl)?): ?/;
/** Of a trace of calls, which says where and not why. */
const trace = /^\s|^goroutine |^\S+\(.*\)$|^$/;

/**
 * On one line: the last complaint of a log of JSON lines, warnings left out, or a program's failing
 * line; without any the last line that is neither log nor trace.
 */
export function lastComplaint(text: string): string | undefined {
  const lines = text.split('\n').map((line) => line.trimEnd());
  const complaints = lines.flatMap((line) => ofLog(line) ?? (failing.test(line) ? line : []));
  const plain = lines.filter((line) => !line.startsWith('{') && !trace.test(line));
  return (complaints.at(-1) ?? plain.at(-1))?.slice(0, longest);
}
