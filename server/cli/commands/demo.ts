/** `demo`: an etcd in this process with a seeded cluster, to try everything on. */
import { startDemoEtcd, type DemoEtcd } from '../../demo/demoEtcd';
import { seedCluster, type SeedSummary } from '../../demo/seed';
import type { DemoPlan } from '../args/plan';
import type { Context } from '../context';
import { ExitCode, failure, usageError } from '../exit';
import { cell } from '../output/text';
import { thousands } from '../quantities';

/** Runs another command line of this program in the same process. */
export type RunInside = (argv: readonly string[], endpoint: string) => Promise<ExitCode>;

export async function runDemo(
  plan: DemoPlan,
  context: Context,
  runInside: RunInside,
): Promise<ExitCode> {
  if (plan.run.some((word) => /^--endpoints(=|$)/.test(word))) {
    throw usageError('--endpoints does not go with demo: the command runs against the demo');
  }
  const etcd = await start(plan);
  try {
    context.notes.status(`seeding ${thousands(plan.pods)} pods …`);
    const { pods, seed } = plan;
    const summary = await seedCluster(etcd.store, { pods, seed, signal: context.signal });
    context.notes.clearStatus();
    if (plan.run.length > 0) {
      context.notes.line(context.style.dim(introduction(etcd, summary, plan)));
      return await runInside(plan.run, etcd.endpoint);
    }
    await context.rows.write(serving(etcd, summary, plan, context.invocation.program));
    await untilAborted(context.signal);
    context.notes.line('stopped');
    return ExitCode.done;
  } finally {
    await etcd.stop();
  }
}

async function start(plan: DemoPlan): Promise<DemoEtcd> {
  try {
    return await startDemoEtcd({ port: plan.port, rangeStream: plan.rangeStream, logCalls: false });
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    const taken = text.includes('EADDRINUSE');
    const why = taken ? 'the port is taken; give another with --port, or 0 for any' : cell(text);
    throw failure(`the demo cannot listen on 127.0.0.1:${plan.port}: ${why}`, { cause: error });
  }
}

function introduction(etcd: DemoEtcd, summary: SeedSummary, plan: DemoPlan): string {
  const stream = plan.rangeStream ? 'with' : 'without';
  return `embedded etcd at ${etcd.endpoint}, ${stream} RangeStream: ${thousands(summary.total)} objects, ${thousands(plan.pods)} of them pods`;
}

function serving(etcd: DemoEtcd, summary: SeedSummary, plan: DemoPlan, program: string): string {
  const to = `--endpoints ${etcd.endpoint}`;
  const tries = summary.selectors.map(
    ({ selector, matches, where }) =>
      `  ${program} get pods -l ${selector} --limit=100 ${to}   # ${thousands(matches)} match: ${where}`,
  );
  return [
    introduction(etcd, summary, plan),
    'Try in another terminal:',
    ...tries,
    `  ${program} get widgets.example.com ${to}`,
    `  ${program} resources ${to}`,
    `  ${program} probe ${to}`,
    'Ctrl-C stops it.',
    '',
  ].join('\n');
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => {
      resolve();
    });
  });
}
