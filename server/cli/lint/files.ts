/** The files that `lint` is given: single ones, whole folders, standard input. */
import { open, opendir, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { cell } from '../output/text';
import { failure } from '../exit';

/** Bytes beyond which a file is refused. */
export const LARGEST = 64 * 1024 * 1024;

const EXTENSIONS: ReadonlySet<string> = new Set(['.yaml', '.yml', '.json', '.etcdlist']);
/** Holds what others wrote. */
const SKIPPED: ReadonlySet<string> = new Set(['node_modules', '.git', 'vendor']);

export interface FoundFile {
  readonly name: string;
  /** It was named itself, and not found in a folder. */
  readonly named: boolean;
}

/** Files in the order given, those of a folder by name. Links out of a folder are not followed. */
export async function* findFiles(paths: readonly string[]): AsyncGenerator<FoundFile> {
  for (const path of paths) {
    if (path !== '-' && (await isFolder(path))) yield* within(path);
    else yield { name: path, named: true };
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** A queue and no recursion: folders may lie deep. */
async function* within(folder: string): AsyncGenerator<FoundFile> {
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { files, folders } = await entriesOf(next);
    for (const name of files) yield { name, named: false };
    waiting.push(...folders.reverse());
  }
}

async function entriesOf(folder: string): Promise<{ files: string[]; folders: string[] }> {
  const files: string[] = [];
  const folders: string[] = [];
  for await (const entry of await opendir(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !SKIPPED.has(entry.name)) folders.push(path);
    else if (entry.isFile() && EXTENSIONS.has(extname(entry.name).toLowerCase())) files.push(path);
  }
  return { files: files.sort(), folders: folders.sort() };
}

/** The text of a file, of any Unicode encoding that has a mark at its beginning, else UTF-8. */
export async function readText(name: string, stdin: Readable): Promise<string> {
  const bytes = name === '-' ? await readAll(stdin) : await readWhole(name);
  return textOf(bytes);
}

async function readWhole(name: string): Promise<Uint8Array> {
  try {
    const { size } = await stat(name);
    if (size > LARGEST) throw tooLarge(name);
    const handle = await open(name);
    try {
      return await readAll(handle.createReadStream({ autoClose: false }), name);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw unreadable(name, error);
  }
}

async function readAll(stream: Readable, name = 'standard input'): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of stream as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > LARGEST) throw tooLarge(name);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function tooLarge(name: string): Error {
  return failure(`${cell(name)} is larger than 64 MiB and is not read: split it`);
}

function unreadable(name: string, error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  if (code === undefined || (error as Error).name === 'CliError') return error;
  if (code === 'ENOENT') return failure(`there is no file ${cell(name)}`);
  return failure(`cannot read ${cell(name)}: ${cell(code)}`);
}

function textOf(bytes: Uint8Array): string {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
}
