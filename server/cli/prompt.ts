/** Questions on the terminal: hidden input of a password, and a plain yes or no. */
import { usageError, StoppedError } from './exit';

/** What is used of standard input. */
export interface SecretInput {
  readonly isTTY?: boolean;
  setRawMode?(raw: boolean): unknown;
  resume(): unknown;
  pause(): unknown;
  on(event: 'data', listener: (chunk: Buffer) => void): unknown;
  off(event: 'data', listener: (chunk: Buffer) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
  off(event: 'end', listener: () => void): unknown;
}

export interface SecretQuestion {
  readonly prompt: string;
  /** What is missing, and how it is given where nobody can be asked. */
  readonly elsewhere: { readonly what: string; readonly how: string };
}

/**
 * Reads one line without echo. Ctrl-C rejects with `StoppedError`; Ctrl-D ends the line. Without
 * a terminal there is nobody to ask, and the sentence says how else it may be given.
 */
export async function askSecret(
  { prompt, elsewhere }: SecretQuestion,
  input: SecretInput,
  show: (text: string) => void,
): Promise<string> {
  if (input.isTTY !== true) {
    throw usageError(
      `${elsewhere.what} is needed and there is no terminal to ask on: ${elsewhere.how}`,
    );
  }
  // Raw first: what is typed as soon as the prompt shows must not be echoed.
  input.setRawMode?.(true);
  try {
    show(prompt);
    return await readLine(input);
  } finally {
    input.setRawMode?.(false);
    input.pause();
    show('\n');
  }
}

/**
 * Reads one line that the terminal edits and shows; only `y` and `yes` are a yes. Rejects with the
 * signal's reason when the work is stopped.
 */
export async function askYes(
  question: string,
  input: SecretInput,
  show: (text: string) => void,
  signal: AbortSignal,
): Promise<boolean> {
  show(question);
  try {
    return /^\s*y(?:es)?\s*$/i.test(await shownLine(input, signal));
  } finally {
    input.pause();
  }
}

function shownLine(input: SecretInput, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    let typed = '';
    const leave = (): void => {
      input.off('data', onData);
      input.off('end', onEnd);
      signal.removeEventListener('abort', onAbort);
    };
    const onEnd = (): void => {
      leave();
      resolve(typed);
    };
    const onData = (chunk: Buffer): void => {
      typed += chunk.toString('utf8');
      if (typed.includes('\n')) onEnd();
    };
    const onAbort = (): void => {
      leave();
      reject(signal.reason instanceof Error ? signal.reason : new StoppedError('interrupt'));
    };
    if (signal.aborted) {
      onAbort();
      return;
    }
    signal.addEventListener('abort', onAbort);
    input.on('data', onData);
    input.on('end', onEnd);
    input.resume();
  });
}

function readLine(input: SecretInput): Promise<string> {
  return new Promise((resolve, reject) => {
    let typed: number[] = [];
    const finish = (settle: () => void): void => {
      input.off('data', onData);
      input.off('end', onEnd);
      settle();
    };
    const text = (): string => Buffer.from(typed).toString('utf8');
    const onEnd = (): void => {
      finish(() => {
        resolve(text());
      });
    };
    const onData = (chunk: Buffer): void => {
      for (const byte of chunk) {
        if (byte === CTRL_C) {
          finish(() => {
            reject(new StoppedError('interrupt'));
          });
          return;
        }
        if (byte === CR || byte === LF || byte === CTRL_D) {
          onEnd();
          return;
        }
        typed = edit(typed, byte);
      }
    };
    input.on('data', onData);
    input.on('end', onEnd);
    input.resume();
  });
}

const CTRL_C = 0x03;
const CTRL_D = 0x04;
const LF = 0x0a;
const CR = 0x0d;
const CTRL_U = 0x15;

/** Backspace takes one character, which may be several UTF-8 bytes; Ctrl-U takes all. */
function edit(typed: readonly number[], byte: number): number[] {
  if (byte === CTRL_U) return [];
  if (byte !== 0x7f && byte !== 0x08) return [...typed, byte];
  let end = typed.length - 1;
  while (end > 0 && ((typed[end] ?? 0) & 0xc0) === 0x80) end--;
  return typed.slice(0, Math.max(0, end));
}
