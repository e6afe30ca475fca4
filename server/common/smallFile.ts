/** Certificates, keys and passwords out of files that somebody named: nothing that never ends. */
import { constants, type Stats } from 'node:fs';
import { open, realpath, stat, type FileHandle } from 'node:fs/promises';
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
  /** Bytes that are taken at most; `LARGEST_FILE` when absent. */
  readonly largest?: number;
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
  const opened = await openFile(path, how);
  try {
    return await readToEnd(opened, how);
  } finally {
    await opened.handle.close();
  }
}

interface OpenFile {
  readonly handle: FileHandle;
  /** A pipe that nobody may have opened for writing yet: until somebody has, it looks as if at its end. */
  awaitsWriter: boolean;
}

async function openFile(path: string, how: ReadSmallFile): Promise<OpenFile> {
  // Some devices act when they are opened.
  requireFile(await stat(path), how);
  // Another may stand there by now, and opening a pipe waits for its writer otherwise.
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const found = await handle.stat();
    requireFile(found, how);
    return { handle, awaitsWriter: found.isFIFO() && (await hasName(path)) };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** The shell's `<(command)` has none, and its writer is there from the beginning. */
async function hasName(path: string): Promise<boolean> {
  try {
    return !/^\/(?:dev\/fd|proc)\//.test(await realpath(path));
  } catch {
    return false;
  }
}

function requireFile(found: Stats, { pipes = false, largest = LARGEST_FILE }: ReadSmallFile): void {
  if (found.isDirectory()) throw new SmallFileError('EISDIR');
  if (!found.isFile() && !(pipes && found.isFIFO())) throw new SmallFileError('NOT_A_FILE');
  if (found.size > largest) throw new SmallFileError('TOO_LARGE');
}

/** Bytes of one read. */
const PIECE = 256 * 1024;

async function readToEnd(
  opened: OpenFile,
  { signal, largest = LARGEST_FILE }: ReadSmallFile,
): Promise<Uint8Array> {
  const piece = Buffer.alloc(Math.min(PIECE, largest + 1));
  const pieces: Buffer[] = [];
  let length = 0;
  while (length <= largest) {
    const read = await readSome(opened, piece, signal);
    if (read === 0) return Buffer.concat(pieces, length);
    pieces.push(Buffer.from(piece.subarray(0, read)));
    length += read;
  }
  throw new SmallFileError('TOO_LARGE');
}

/**
 * The same, piece by piece, of a file or pipe of any size. A piece holds its bytes until the next one is
 * asked for.
 */
export async function* readPieces(
  path: string,
  how: Omit<ReadSmallFile, 'largest'>,
): AsyncGenerator<Uint8Array> {
  const { signal } = how;
  signal.throwIfAborted();
  const opened = await openFile(path, { ...how, largest: Infinity });
  try {
    const piece = Buffer.alloc(PIECE);
    for (;;) {
      const read = await readSome(opened, piece, signal);
      if (read === 0) return;
      yield piece.subarray(0, read);
    }
  } finally {
    await opened.handle.close();
  }
}

/** Milliseconds between looks at a pipe whose writer has written nothing yet. */
const PIPE_PAUSE = 10;

async function readSome(opened: OpenFile, bytes: Buffer, signal: AbortSignal): Promise<number> {
  for (;;) {
    signal.throwIfAborted();
    try {
      const { bytesRead } = await opened.handle.read(bytes, 0, bytes.length, null);
      if (bytesRead > 0) opened.awaitsWriter = false;
      if (!opened.awaitsWriter) return bytesRead;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    }
    await pause(PIPE_PAUSE, undefined, { signal });
  }
}
