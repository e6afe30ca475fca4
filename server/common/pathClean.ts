/**
 * The shortest equivalent of a slash-separated path by lexical rules: repeated slashes, `.` and
 * inner `..` go, `..` at the root goes too; an empty result is `.`.
 *
 * Upstream: Go's `path.Clean`, which decides whether a token's start key is accepted (rule T3).
 */
export function pathClean(path: string): string {
  const rooted = path.startsWith('/');
  const kept: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') kept.push(segment);
    else if (kept.length > 0 && kept.at(-1) !== '..') kept.pop();
    else if (!rooted) kept.push('..');
  }
  const joined = kept.join('/');
  if (rooted) return `/${joined}`;
  return joined === '' ? '.' : joined;
}

/** Non-empty parts joined by slashes and cleaned (Go's `path.Join`); empty when all are empty. */
export function pathJoin(...parts: readonly string[]): string {
  const present = parts.filter((part) => part !== '');
  return present.length === 0 ? '' : pathClean(present.join('/'));
}
