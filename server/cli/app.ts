/** One run of the command line: arguments in, exit code out. Nothing is thrown through. */
import { parseArgs } from './args/parse';
import type { Plan } from './args/plan';
import { runDemo } from './commands/demo';
import { runGet } from './commands/get';
import { runLint } from './commands/lint';
import { runProbe } from './commands/probe';
import { runResources } from './commands/resources';
import { runToken } from './commands/token';
import type { Context } from './context';
import { ExitCode, StoppedError } from './exit';
import { cell, shortened } from './output/text';
import { explain } from './sentences';
import { continueCommand } from './shell';

const HELP_WIDTH = 100;

export async function runApp(
  argv: readonly string[],
  context: Context,
  version: string,
): Promise<ExitCode> {
  try {
    const width = Math.min(context.rows.columns ?? HELP_WIDTH, HELP_WIDTH);
    const parsed = parseArgs(argv, { env: context.env, version, width });
    if (parsed.kind === 'plan') return await runPlan(parsed.plan, context, version);
    await context.rows.write(parsed.text);
    return ExitCode.done;
  } catch (error) {
    return report(error, context);
  }
}

async function runPlan(plan: Plan, context: Context, version: string): Promise<ExitCode> {
  switch (plan.command) {
    case 'get':
      await runGet(plan, context);
      return ExitCode.done;
    case 'probe':
      return runProbe(plan, context);
    case 'resources':
      await runResources(plan, context);
      return ExitCode.done;
    case 'demo':
      return runDemo(plan, context, (argv, endpoint) =>
        runApp(argv, insideDemo(context, endpoint), version),
      );
    case 'lint':
      return runLint(plan, context, version);
    default:
      return runToken(plan, context);
  }
}

/** The demo is plain text on the loopback and knows no user, whatever the environment says. */
function insideDemo(context: Context, endpoint: string): Context {
  const kept = Object.entries(context.env).filter(([name]) => !name.startsWith('ETCDCTL_'));
  return { ...context, env: { ...Object.fromEntries(kept), ETCDCTL_ENDPOINTS: endpoint } };
}

/** Prints one sentence for what went wrong, and gives its exit code. */
function report(error: unknown, context: Context): ExitCode {
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
