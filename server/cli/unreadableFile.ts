/** Why a file that somebody named cannot be read. */
import { cell } from './output/text';

const REASONS: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'there is no such file'],
  ['EISDIR', 'it is a folder'],
  ['ENOTDIR', 'a part of its path is no folder'],
  ['EACCES', 'this user may not read it'],
  ['EPERM', 'this user may not read it'],
  ['ELOOP', 'its links lead round in a circle'],
  ['ENAMETOOLONG', 'its name is too long'],
  ['EMFILE', 'too many files are open'],
  ['EIO', 'the disk does not give it'],
  ['NOT_A_FILE', 'it is neither a file nor a pipe'],
]);

/** Of what `readSmallFile` and Node reject with; `largest` in bytes, whole MiB. */
export function whyUnreadable(error: unknown, largest: number): string {
  const code = (error as NodeJS.ErrnoException | null)?.code ?? 'unreadable';
  if (code === 'TOO_LARGE') return `it is larger than ${largest / 1024 / 1024} MiB`;
  return REASONS.get(code) ?? cell(code);
}
