/** What a command may touch: its ways in and out, and the signal that stops it. */
import type { Readable } from 'node:stream';
import type { Clock } from '../common/clock';
import { StoppedError } from './exit';
import type { LineOut, RowOut } from './pipe';
import type { SecretQuestion } from './prompt';
import { cell } from './output/text';
import type { Invocation } from './shell';
import type { Style } from './style';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Context {
  readonly env: Environment;
  readonly clock: Clock;
  readonly rows: RowOut;
  readonly notes: LineOut;
  /** Style of standard error. */
  readonly style: Style;
  /** Aborts on Ctrl-C and when standard output closes; the reason is a `StoppedError`. */
  readonly signal: AbortSignal;
  /** For commands that say how to go on. */
  readonly invocation: Invocation;
  /** Asks for a secret on the terminal with hidden input. Rejects where there is no terminal. */
  readonly askSecret: (question: SecretQuestion) => Promise<string>;
  /** Asks for a yes. Absent where there is no terminal to ask on. */
  readonly confirm?: (question: string) => Promise<boolean>;
  readonly readFile: (path: string) => Promise<Uint8Array>;
  readonly stdin: Readable;
  /** Style of standard output. */
  readonly rowStyle: Style;
}

/** A line that warns without ending the work. Whatever stored text is in it cannot move the cursor. */
export function warn(context: Context, text: string): void {
  context.notes.line(`${context.style.yellow('warning:')} ${cell(text)}`);
}

/** A line that explains. */
export function note(context: Context, text: string): void {
  context.notes.line(context.style.dim(`note: ${cell(text)}`));
}

/** Whoever read the rows went away: then nothing more is said either. */
export function closedByReader(signal: AbortSignal): boolean {
  const reason: unknown = signal.reason;
  return signal.aborted && reason instanceof StoppedError && reason.by === 'pipe';
}
