/** What lists counted, written to a file that was named. */
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import type { StoreMetrics } from '../metrics/storeMetrics';
import { failure, usageError } from './exit';
import { cell } from './output/text';
import { shownName } from './textFile';

const REASONS: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'there is no such folder'],
  ['EISDIR', 'it is a folder'],
  ['ENOTDIR', 'a part of its path is no folder'],
  ['EACCES', 'this user may not write it'],
  ['EPERM', 'this user may not write it'],
  ['EROFS', 'the disk is read-only'],
  ['ENOSPC', 'no space is left'],
  ['EDQUOT', 'the disk quota is used up'],
  ['ENXIO', 'nobody reads this pipe'],
]);

function sentence(path: string, error: unknown): string {
  const code = (error as NodeJS.ErrnoException | null)?.code ?? 'unwritable';
  return `--metrics ${shownName(path)} cannot be written: ${REASONS.get(code) ?? cell(code)}`;
}

/** Opening a pipe that nobody reads does not wait. */
const FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NONBLOCK;

/**
 * The file is opened before `work`, so that one that cannot be written is told before anything is read,
 * and written after it, also when it fails. The failure of `work` comes before that of the file.
 */
export async function withMetricsFile<T>(
  path: string | undefined,
  metrics: StoreMetrics,
  work: () => Promise<T>,
): Promise<T> {
  if (path === undefined) return work();
  const file = await opened(path);
  let done: T;
  try {
    done = await work();
  } catch (error) {
    await write(file, metrics).catch(() => undefined);
    throw error;
  }
  try {
    await write(file, metrics);
  } catch (error) {
    throw failure(sentence(path, error), { cause: error });
  }
  return done;
}

async function opened(path: string): Promise<FileHandle> {
  try {
    return await open(path, FLAGS);
  } catch (error) {
    throw usageError(sentence(path, error), { cause: error });
  }
}

async function write(file: FileHandle, { registry }: StoreMetrics): Promise<void> {
  try {
    await file.writeFile(await registry.metrics());
  } finally {
    await file.close();
  }
}
