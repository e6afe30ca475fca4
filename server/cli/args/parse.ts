/** Arguments and environment in, a plan out. Nothing is read and nothing printed here. */
import { cell } from '../output/text';
import { Command, Option, type CommanderError } from 'commander';
import type { Environment } from '../context';
import { usageError } from '../exit';
import { parseCount, parseTokenRevision } from '../quantities';
import { normalizeArgv } from './argv';
import { addCompareFlags, comparePlan, type CompareFlags } from './compare';
import { addConnectionFlags, connectionPlan, type ConnectionFlags } from './connection';
import { addExplainFlags, explainPlan, type ExplainFlags } from './explain';
import { addGetFlags, getPlan, type GetFlags } from './get';
import * as help from './help';
import { addLintFlags, lintPlan, type LintFlags } from './lint';
import { addMetricsFlag, addMetricsFlags, metricsPlan, type MetricsFlags } from './metrics';
import type { DemoPlan, Plan, TokenPlan } from './plan';
import { addRunFlags, runPlan, type RunFlags } from './run';
import { HelpShown, translateParserError } from './usage';

export type Parsed =
  { readonly kind: 'plan'; readonly plan: Plan } | { readonly kind: 'text'; readonly text: string };

export interface ParseOptions {
  readonly env: Environment;
  readonly version: string;
  /** Columns that help may take. */
  readonly width: number;
}

/** Throws `CliError` with exit code 2 when the arguments are wrong. */
export function parseArgs(argv: readonly string[], options: ParseOptions): Parsed {
  const printed: string[] = [];
  const plans: Plan[] = [];
  const program = buildProgram(options, printed, (plan) => {
    plans.push(plan);
  });
  const { booleans, negatable } = booleanFlags(program);
  try {
    program.parse(normalizeArgv(argv, booleans, negatable), { from: 'user' });
  } catch (error) {
    if (!(error instanceof HelpShown)) throw error;
  }
  const plan = plans[0];
  return plan ? { kind: 'plan', plan } : { kind: 'text', text: printed.join('') };
}

type Accept = (plan: Plan) => void;

function buildProgram(options: ParseOptions, printed: string[], accept: Accept): Command {
  const program = new Command('etcd-list');
  const shape = (command: Command, text: string): Command =>
    command
      .configureOutput({
        writeOut: (out) => printed.push(out),
        writeErr: () => undefined,
        getOutHelpWidth: () => options.width,
      })
      .exitOverride((error: CommanderError) => {
        throw translateParserError(command, error);
      })
      .showSuggestionAfterError(false)
      .helpOption('-h, --help', 'show this help')
      .addHelpText('after', text);
  shape(program, help.programHelp)
    .description(
      'Runs the LIST that kube-apiserver would run on etcd, read-only, and says what it costs.',
    )
    .version(options.version, '--version', 'print the version')
    .helpCommand('help [command]', 'show the help of a command')
    .enablePositionalOptions();
  const add = (parent: Command, name: string, text: string, description: string): Command =>
    shape(parent.command(name).description(description), text);
  addGet(
    add(program, 'get', help.getHelp, 'list a resource or a prefix, or read one object'),
    options,
    accept,
  );
  addTokens(
    add(program, 'token', help.tokenHelp, 'decode, check or make continue tokens'),
    add,
    accept,
  );
  addReads(program, add, options, accept);
  addFiles(program, add, options, accept);
  addCompare(
    add(program, 'compare', help.compareHelp, 'read one list in several ways, side by side'),
    options,
    accept,
  );
  addDemo(add(program, 'demo', help.demoHelp, 'an embedded etcd with a seeded cluster'), accept);
  return program;
}

function addGet(command: Command, options: ParseOptions, accept: Accept): void {
  command.argument('[resource|prefix]').argument('[name]').allowExcessArguments(true);
  addGetFlags(command);
  addMetricsFlag(command);
  command.action((_first, _second, given: GetFlags, self: Command) => {
    accept(getPlan(self.args, given, options.env));
  });
}

type Add = (parent: Command, name: string, text: string, description: string) => Command;

interface TokenFlags {
  readonly prefix?: string;
  readonly rv?: string;
  readonly start?: string;
  readonly key?: string;
}

const PREFIX_FLAG = 'full etcd prefix the token belongs to';

function addTokens(token: Command, add: Add, accept: Accept): void {
  for (const verb of ['decode', 'check'] as const) {
    const [text, description] =
      verb === 'decode'
        ? [help.tokenDecodeHelp, 'show what a token says']
        : [help.tokenCheckHelp, 'say whether the API server would take a token'];
    add(token, verb, text, description)
      .argument('<token>')
      .option('--prefix <prefix>', PREFIX_FLAG)
      .action((value: string, given: TokenFlags) => {
        accept(readPlan(verb, value, given.prefix));
      });
  }
  add(token, 'encode', help.tokenEncodeHelp, 'make a token as the API server would')
    .option('--rv <revision>', 'revision the list is pinned to, -1 for the latest')
    .option('--start <key>', 'first key to read, below the prefix')
    .option('--key <key>', 'last full key that was read')
    .option('--prefix <prefix>', 'full etcd prefix of --key')
    .action((given: TokenFlags) => {
      accept(encodePlan(given));
    });
}

/** Whether a token is taken hangs on no prefix; where it starts does. */
function readPlan(verb: 'decode' | 'check', token: string, prefix: string | undefined): TokenPlan {
  if (verb === 'check') return { command: 'token check', token, prefix: slashed(prefix) };
  const given = prefix === undefined ? undefined : slashed(prefix);
  return { command: 'token decode', token, prefix: given };
}

function slashed(prefix: string | undefined): string {
  const text = prefix ?? '/';
  if (!text.startsWith('/'))
    throw usageError(
      `--prefix "${cell(text)}" does not start with a slash: give the full etcd prefix, such as /registry/pods/`,
    );
  return text.endsWith('/') ? text : `${text}/`;
}

function encodePlan(given: TokenFlags): TokenPlan {
  if (given.rv === undefined) throw usageError('token encode needs --rv, the revision of the list');
  const revision = parseTokenRevision('--rv', given.rv);
  if (given.start !== undefined) {
    if (given.key !== undefined)
      throw usageError(
        '--start and --key exclude each other: --start is the first key to read, --key the last one read',
      );
    if (given.start === '') throw usageError('--start is empty: a token needs a start key');
    if (given.start.startsWith('/'))
      throw usageError(
        `--start "${cell(given.start)}" begins with a slash: give the key below the prefix, such as web/nginx-1, or the last full key that was read with --key`,
      );
    const prefix = slashed(given.prefix);
    return { command: 'token encode', revision, key: prefix + given.start, prefix };
  }
  if (given.key === undefined || given.prefix === undefined) {
    throw usageError('token encode needs --start KEY, or --key FULLKEY with --prefix PREFIX');
  }
  return {
    command: 'token encode',
    revision,
    key: `${given.key}\0`,
    prefix: slashed(given.prefix),
  };
}

function addReads(program: Command, add: Add, options: ParseOptions, accept: Accept): void {
  const reads = [
    ['probe', help.probeHelp, 'say which etcd this is and whether it has RangeStream'],
    ['resources', help.resourcesHelp, 'say what is stored below the root'],
  ] as const;
  for (const [name, text, description] of reads) {
    const command = add(program, name, text, description);
    addConnectionFlags(command);
    command.action((given: ConnectionFlags) => {
      accept({ command: name, connection: connectionPlan(given, options.env) });
    });
  }
}

/** What reads files: queries, manifests, scrapes. */
function addFiles(program: Command, add: Add, options: ParseOptions, accept: Accept): void {
  addLint(
    add(program, 'lint', help.lintHelp, 'check the selectors of manifests and queries'),
    accept,
  );
  addRun(
    add(program, 'run', help.runHelp, 'run the queries of a file, one after another'),
    options,
    accept,
  );
  addExplain(
    add(program, 'explain', help.explainHelp, 'say which way an API server would serve a list'),
    options,
    accept,
  );
  addMetrics(
    add(
      program,
      'metrics',
      help.metricsHelp,
      'say which lists hurt, from what an API server counts',
    ),
    accept,
  );
}

function addLint(command: Command, accept: Accept): void {
  addLintFlags(command);
  command.action((paths: string[], given: LintFlags) => {
    accept(lintPlan(paths, given));
  });
}

function addRun(command: Command, options: ParseOptions, accept: Accept): void {
  addRunFlags(command);
  command.action((file: string | undefined, names: string[], given: RunFlags) => {
    accept(runPlan([file, ...names], given, options.env));
  });
}

function addExplain(command: Command, options: ParseOptions, accept: Accept): void {
  addExplainFlags(command);
  command.action((words: string[], given: ExplainFlags) => {
    accept(explainPlan(words, given, options.env));
  });
}

function addCompare(command: Command, options: ParseOptions, accept: Accept): void {
  addCompareFlags(command);
  command.action((_first, given: CompareFlags, self: Command) => {
    accept(comparePlan(self.args, given, options.env));
  });
}

function addMetrics(command: Command, accept: Accept): void {
  addMetricsFlags(command);
  command.action((files: string[], given: MetricsFlags) => {
    accept(metricsPlan(files, given));
  });
}

interface DemoFlags {
  readonly pods: string;
  readonly seed: string;
  readonly port: string;
  readonly rangeStream: boolean;
}

function addDemo(command: Command, accept: Accept): void {
  command
    .argument('[command...]', 'what to run against it, after --')
    .addOption(new Option('--pods <n>', 'pods in the cluster').default('20000'))
    .addOption(new Option('--seed <n>', 'another number makes another cluster').default('1'))
    .addOption(new Option('--port <port>', 'port on 127.0.0.1, 0 for any').default('0'))
    .addOption(new Option('--no-range-stream', 'serve without the RangeStream RPC'))
    .action((run: string[], given: DemoFlags) => {
      accept(demoPlan(run, given));
    });
}

function demoPlan(run: readonly string[], given: DemoFlags): DemoPlan {
  const pods = parseCount('--pods', given.pods, 'give how many pods the demo has, or 0 for none');
  const port = parseCount('--port', given.port, 'give a port up to 65535, or 0 for any');
  const seed = parseCount('--seed', given.seed, 'give a number from 0 to 4294967295');
  if (pods > 1_000_000n)
    throw usageError(
      `--pods ${cell(given.pods)} is too many for a demo in memory: at most 1000000`,
    );
  if (port > 65_535n) throw usageError(`--port ${cell(given.port)} is no port: at most 65535`);
  if (seed > 0xffff_ffffn)
    throw usageError(`--seed ${cell(given.seed)} is too large: at most 4294967295`);
  if (run[0] === 'demo')
    throw usageError('a demo inside a demo is refused: run get, run, compare, probe or resources');
  return {
    command: 'demo',
    pods: Number(pods),
    seed: Number(seed),
    port: Number(port),
    rangeStream: given.rangeStream,
    run,
  };
}

/** Names of the flags without a value, and of those that have a `--no-` form. */
function booleanFlags(program: Command): { booleans: Set<string>; negatable: Set<string> } {
  const booleans = new Set<string>();
  const negatable = new Set<string>();
  const visit = (command: Command): void => {
    for (const option of command.options) {
      const name = option.long?.slice(2) ?? '';
      if (option.negate) negatable.add(name.replace(/^no-/, ''));
      else if (!option.required && !option.optional) booleans.add(name);
    }
    command.commands.forEach(visit);
  };
  visit(program);
  return { booleans, negatable };
}
