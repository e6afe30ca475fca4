/** Certificates, keys and passwords out of files that somebody named: nothing that never ends. */
import { constants, type Stats } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

/** Bytes. A bundle of every public authority has a quarter of it. */
export const LARGEST_FILE = 1024 * 1024;

export class SmallFileError extends Error {
  override readonly name = 'SmallFileError';
  /** `NOT_A_FILE` is said of devices and sockets, and of pipes where none are taken. */
  constructor(readonly code: 'NOT_A_FILE' | 'TOO_LARGE' | 'EISDIR') {
    super(code);
  }
}

export interface ReadSmallFile {
  readonly signal: AbortSignal;
  /** Takes pipes too, such as the shell's `<(command)`. */
  readonly pipes?: boolean;
}

/**
 * Follows symbolic links. Rejects with `SmallFileError`, with Node's errors, and with the signal's
 * reason as soon as it aborts. No thread waits for a pipe, so that the process can always end.
 */
export async function readSmallFile(path: string, how: ReadSmallFile): Promise<Uint8Array> {
  const { signal } = how;
  signal.throwIfAborted();
  const ended = new AbortController();
  try {
    return await Promise.race([readWhole(path, how), untilAborted(signal, ended.signal)]);
  } finally {
    ended.abort();
  }
}

/** Rejects with the reason when `signal` aborts; listens no more once `ended` does. */
function untilAborted(signal: AbortSignal, ended: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const onAbort = (): void => {
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', onAbort, { once: true, signal: ended });
  });
}

async function readWhole(path: string, how: ReadSmallFile): Promise<Uint8Array> {
  // Some devices act when they are opened.
  requireFile(await stat(path), how);
  // Another may stand there by now, and opening a pipe waits for its writer otherwise.
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    requireFile(await handle.stat(), how);
    return await readToEnd(handle, how.signal);
  } finally {
    await handle.close();
  }
}

function requireFile(found: Stats, { pipes = false }: ReadSmallFile): void {
  if (found.isDirectory()) throw new SmallFileError('EISDIR');
  if (!found.isFile() && !(pipes && found.isFIFO())) throw new SmallFileError('NOT_A_FILE');
  if (found.size > LARGEST_FILE) throw new SmallFileError('TOO_LARGE');
}

async function readToEnd(handle: FileHandle, signal: AbortSignal): Promise<Uint8Array> {
  const bytes = Buffer.alloc(LARGEST_FILE + 1);
  let length = 0;
  while (length <= LARGEST_FILE) {
    const read = await readSome(handle, bytes, length, signal);
    if (read === 0) return bytes.subarray(0, length);
    length += read;
  }
  throw new SmallFileError('TOO_LARGE');
}

/** Milliseconds between looks at a pipe whose writer has written nothing yet. */
const PIPE_PAUSE = 10;

async function readSome(
  handle: FileHandle,
  bytes: Buffer,
  from: number,
  signal: AbortSignal,
): Promise<number> {
  for (;;) {
    signal.throwIfAborted();
    try {
      return (await handle.read(bytes, from, bytes.length - from, null)).bytesRead;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    }
    await pause(PIPE_PAUSE, undefined, { signal });
  }
}
