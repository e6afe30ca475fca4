/**
 * The two ways out of the process. Rows go to standard output and wait while it is full; all else
 * goes to standard error.
 */
import { systemClock } from '../common/clock';
import { Turns } from '../common/turns';
import { StoppedError } from './exit';

/** What is used of a Node stream, so that tests can stand in. */
export interface Writable {
  readonly isTTY?: boolean;
  readonly columns?: number | undefined;
  write(text: string, done?: (error?: Error | null) => void): boolean;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

export interface RowOut {
  readonly isTTY: boolean;
  readonly columns: number | undefined;
  /** Resolves once the text is taken; rejects with `StoppedError` when the reader is gone. */
  write(text: string): Promise<void>;
}

export interface LineOut {
  readonly isTTY: boolean;
  readonly columns: number | undefined;
  /** One line, or several; never fails. */
  line(text: string): void;
  /** Shows a passing line on a terminal in place of the one before; nothing in a pipe. */
  status(text: string): void;
  /** Takes the passing line away. Rows on the same terminal need this first. */
  clearStatus(): void;
}

/**
 * Standard output. When its reader is found gone, `stop` is aborted; when `stop` is aborted, for
 * whatever reason, a write that waits gives up.
 */
export function rowOut(stream: Writable, stop: AbortController, beforeWrite: () => void): RowOut {
  let failed: Error | undefined;
  const note = (error: Error): void => {
    failed ??= isClosedPipe(error) ? new StoppedError('pipe') : error;
    stop.abort(failed);
  };
  stream.on('error', note);
  const turns = new Turns(systemClock);
  return {
    isTTY: stream.isTTY ?? false,
    columns: stream.columns,
    async write(text) {
      // A file takes everything at once: without a turn in between no Ctrl-C would be noticed.
      if (turns.due()) await turns.give();
      if (text === '') return;
      beforeWrite();
      await taken(stream, text, stop.signal, note);
    },
  };
}

function taken(
  stream: Writable,
  text: string,
  signal: AbortSignal,
  note: (error: Error) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      reject(signal.reason instanceof Error ? signal.reason : new StoppedError('interrupt'));
    };
    if (signal.aborted) {
      giveUp();
      return;
    }
    signal.addEventListener('abort', giveUp);
    stream.write(text, (error) => {
      if (error) note(error);
      signal.removeEventListener('abort', giveUp);
      resolve();
    });
  });
}

function isClosedPipe(error: Error): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED' || code === 'ECONNRESET';
}

/** Standard error. A closed one is ignored: the rows still count. */
export function lineOut(stream: Writable): LineOut {
  let gone = false;
  let shown = false;
  stream.on('error', () => {
    gone = true;
  });
  const isTTY = stream.isTTY ?? false;
  const write = (text: string): void => {
    if (!gone) stream.write(text);
  };
  const clearStatus = (): void => {
    if (shown) write('\r\x1b[K');
    shown = false;
  };
  return {
    isTTY,
    columns: stream.columns,
    clearStatus,
    line(text) {
      clearStatus();
      write(`${text}\n`);
    },
    status(text) {
      if (!isTTY) return;
      const room = Math.max(10, (stream.columns ?? 80) - 1);
      write(`\r\x1b[K${text.slice(0, room)}`);
      shown = true;
    },
  };
}
