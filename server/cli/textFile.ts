/** The text of a file that was named, or of standard input. */
import { addAbortSignal, type Readable } from 'node:stream';
import { encodingOf } from '../common/decodedText';
import { readSmallFile, SmallFileError } from '../common/smallFile';
import type { Context } from './context';
import { cell } from './output/text';
import { whyUnreadable } from './unreadableFile';

/** Bytes beyond which a text is not read. */
export const LARGEST_TEXT = 64 * 1024 * 1024;

export const STDIN = '-';

/** As sentences name it. */
export function shownName(path: string): string {
  if (path === '') return '""';
  return path === STDIN ? 'standard input' : cell(path);
}

export class UnreadableFileError extends Error {
  override readonly name = 'UnreadableFileError';
  constructor(
    readonly path: string,
    readonly why: string,
    options?: ErrorOptions,
  ) {
    super(`${shownName(path)} cannot be read: ${why}`, options);
  }
}

/**
 * Of any Unicode encoding that has a mark at its beginning, else UTF-8; what is none becomes U+FFFD.
 * Rejects with `UnreadableFileError`, and with the signal's reason as soon as it aborts.
 */
export async function readText(
  path: string,
  { stdin, signal }: Pick<Context, 'stdin' | 'signal'>,
): Promise<string> {
  try {
    const bytes =
      path === STDIN
        ? await readAll(stdin, signal)
        : await readSmallFile(path, { signal, pipes: true, largest: LARGEST_TEXT });
    return textOf(bytes);
  } catch (error) {
    signal.throwIfAborted();
    throw new UnreadableFileError(path, whyUnreadable(error, LARGEST_TEXT), { cause: error });
  }
}

async function readAll(stream: Readable, signal: AbortSignal): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of addAbortSignal(signal, stream) as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > LARGEST_TEXT) throw new SmallFileError('TOO_LARGE');
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes)).decode(bytes);
}
