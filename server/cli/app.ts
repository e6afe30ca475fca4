/** One run of the command line: arguments in, exit code out. Nothing is thrown through. */
import { parseArgs } from './args/parse';
import type { Plan } from './args/plan';
import { runCompare } from './commands/compare';
import { runDemo } from './commands/demo';
import { runExplain } from './commands/explain';
import { runGet } from './commands/get';
import { runLint } from './commands/lint';
import { runMetrics } from './commands/metrics';
import { runProbe } from './commands/probe';
import { runResources } from './commands/resources';
import { runQueries } from './commands/run';
import { runToken } from './commands/token';
import type { Context } from './context';
import { ExitCode } from './exit';
import { reportError } from './reportError';

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
    return reportError(error, context);
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
    case 'explain':
      return runExplain(plan, context);
    case 'run':
      return runQueries(plan, context);
    case 'compare':
      return runCompare(plan, context);
    case 'metrics':
      return runMetrics(plan, context);
    default:
      return runToken(plan, context);
  }
}

/** The demo is plain text on the loopback and knows no user, whatever the environment says. */
function insideDemo(context: Context, endpoint: string): Context {
  const kept = Object.entries(context.env).filter(([name]) => !name.startsWith('ETCDCTL_'));
  return { ...context, env: { ...Object.fromEntries(kept), ETCDCTL_ENDPOINTS: endpoint } };
}
