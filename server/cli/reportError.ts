/** The one sentence that a person is told when something went wrong. */
import type { Context } from './context';
import { ExitCode, StoppedError } from './exit';
import { cell, shortened } from './output/text';
import { explain } from './sentences';
import { continueCommand } from './shell';

/** Prints one sentence for what went wrong, and gives its exit code. */
export function reportError(error: unknown, context: Context): ExitCode {
  const { notes, style, signal, invocation } = context;
  const reason: unknown = signal.reason;
  const actual = signal.aborted && reason instanceof Error ? reason : error;
  const { text, exitCode } = explain(actual, (token) => continueCommand(invocation, token));
  notes.clearStatus();
  // Arguments are repeated in sentences, and may hold what a terminal obeys.
  const said = exitCode === ExitCode.expired ? text : shortened(text);
  const safe = said.split('\n').map(cell).join('\n');
  if (actual instanceof StoppedError && safe !== '') notes.line(safe);
  else if (safe !== '') notes.line(`${style.red('error:')} ${safe}`);
  return exitCode;
}
