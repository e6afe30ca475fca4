/** The files that `lint` is given: single ones, whole folders, standard input. */
import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import { usageError } from '../exit';
import { LARGEST_TEXT, STDIN, UnreadableFileError } from '../textFile';
import { whyUnreadable } from '../unreadableFile';

const EXTENSIONS: ReadonlySet<string> = new Set(['.yaml', '.yml', '.json', '.etcdlist']);
/** Holds what others wrote. */
const SKIPPED: ReadonlySet<string> = new Set(['node_modules', '.git', 'vendor']);

/**
 * Files in the order given, those of a folder by name, each once. Links inside a folder are not
 * followed. A folder that cannot be read comes as the error that says so. Rejects with a usage error
 * when a path that was given is not there, before anything is looked at.
 */
export async function* findFiles(
  paths: readonly string[],
): AsyncGenerator<string | UnreadableFileError> {
  const given: { path: string; isFolder: boolean }[] = [];
  for (const path of paths)
    given.push({ path, isFolder: path !== STDIN && (await isFolder(path)) });
  const seen = new Set<string>();
  for (const { path, isFolder } of given) {
    for await (const found of isFolder ? within(path) : [path]) {
      const isKnown = typeof found === 'string' && known(seen, found);
      if (!isKnown) yield found;
    }
  }
}

/** Remembers it too. */
function known(seen: Set<string>, path: string): boolean {
  const whole = path === STDIN ? STDIN : resolve(path);
  const size = seen.size;
  return seen.add(whole).size === size;
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    throw usageError(new UnreadableFileError(path, whyUnreadable(error, LARGEST_TEXT)).message, {
      cause: error,
    });
  }
}

/** A stack and no recursion: folders may lie deep. */
async function* within(folder: string): AsyncGenerator<string | UnreadableFileError> {
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const entries = await entriesOf(next);
    if (entries instanceof UnreadableFileError) {
      yield entries;
      continue;
    }
    yield* pathsOf(next, entries, isLinted);
    waiting.push(...pathsOf(next, entries, isEntered).reverse());
  }
}

async function entriesOf(folder: string): Promise<Dirent[] | UnreadableFileError> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    return new UnreadableFileError(folder, whyUnreadable(error, LARGEST_TEXT), { cause: error });
  }
}

const isLinted = (entry: Dirent): boolean =>
  entry.isFile() && EXTENSIONS.has(extname(entry.name).toLowerCase());

const isEntered = (entry: Dirent): boolean => entry.isDirectory() && !SKIPPED.has(entry.name);

function pathsOf(
  folder: string,
  entries: readonly Dirent[],
  isWanted: (entry: Dirent) => boolean,
): string[] {
  return entries
    .filter(isWanted)
    .map(({ name }) => join(folder, name))
    .sort();
}
