/** The process: streams, signals and the exit code. */
import '../common/quiet';
import { systemClock } from '../common/clock';
import { readSmallFile } from '../common/smallFile';
import { runApp } from './app';
import type { Context } from './context';
import { ExitCode, StoppedError } from './exit';
import { lineOut, rowOut } from './pipe';
import { askSecret, askYes } from './prompt';
import { explain } from './sentences';
import { makeStyle, wantsColour } from './style';
import { productVersion } from './version';

async function main(argv: readonly string[]): Promise<ExitCode> {
  const { env, stdout, stderr, stdin } = process;
  const stop = new AbortController();
  const notes = lineOut(stderr);
  const rows = rowOut(stdout, stop, () => {
    notes.clearStatus();
  });
  stopOnSignals(stop);
  const context: Context = {
    env,
    clock: systemClock,
    rows,
    notes,
    style: makeStyle(wantsColour(notes.isTTY, env)),
    signal: stop.signal,
    invocation: {
      program: env['npm_lifecycle_event'] === 'start' ? 'npm start --' : 'etcd-list',
      argv,
    },
    askSecret: (question) => askSecret(question, stdin, (text) => void stderr.write(text)),
    // Standard error is where the question is seen.
    ...(stdin.isTTY && notes.isTTY
      ? {
          confirm: (question: string) =>
            askYes(question, stdin, (text) => void stderr.write(text), stop.signal),
        }
      : {}),
    stdin,
    rowStyle: makeStyle(wantsColour(rows.isTTY, env)),
    readFile: (path) => readSmallFile(path, { signal: stop.signal, pipes: true }),
  };
  return runApp(argv, context, productVersion(__dirname));
}

/** The first Ctrl-C stops the work and lets it write its totals; the second ends the process. */
function stopOnSignals(stop: AbortController): void {
  const onSignal = (by: 'interrupt' | 'hangUp') => (): void => {
    const stopped = new StoppedError(by);
    if (stop.signal.aborted) process.exit(explain(stopped).exitCode);
    stop.abort(stopped);
  };
  process.on('SIGINT', onSignal('interrupt'));
  process.on('SIGTERM', onSignal('interrupt'));
  process.on('SIGHUP', onSignal('hangUp'));
}

/** No stack trace ever: what slips through everything else is one sentence. */
function lastResort(error: unknown): void {
  const text = error instanceof Error ? error.message : String(error);
  process.stderr.write(`error: something unforeseen went wrong: ${JSON.stringify(text)}\n`);
  process.exit(ExitCode.failed);
}

process.on('uncaughtException', lastResort);
process.on('unhandledRejection', lastResort);
/** Ends the process once what was said on standard error is out: pipes may be slow. */
function end(code: ExitCode): void {
  process.stderr.write('', () => process.exit(code));
}

main(process.argv.slice(2)).then(end, lastResort);
