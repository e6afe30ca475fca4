/** The arguments of `explain`: a query in any of its forms, or a file of them. */
import { Command, Option, type CommanderError } from 'commander';
import { gatesOf } from '../../cache/versions/gates';
import { KUBERNETES_VERSIONS, NEWEST_VERSION } from '../../cache/versions/version';
import { shellWord } from '../../common/shellWord';
import type { Environment } from '../context';
import { usageError } from '../exit';
import { cell } from '../output/text';
import { parseBool } from './argv';
import { askedBy } from './askedBy';
import { namespaceOf, oneOf } from './choice';
import { addConnectionFlags, connectionPlan } from './connection';
import { addEstimateFlags, costPlan, type EstimateFlags } from './estimate';
import { gatesFrom, kubernetesVersionOf } from './gates';
import { addListFlags, getPlan, type GetFlags } from './get';
import { explainFormats, type ExplainPlan, type ExplainSubject } from './plan';
import { translateParserError } from './usage';

export interface ExplainFlags extends GetFlags, EstimateFlags {
  readonly kubernetesVersion?: string;
  readonly watchCache?: string;
}

const gatesFlag = [
  '--feature-gates <list>',
  `gates of the API server, such as ListFromCacheSnapshot=false; in ${NEWEST_VERSION}: ${[...gatesOf(NEWEST_VERSION).keys()].join(', ')}`,
] as const;

/** Those that `get` does not have. */
const ownFlags: readonly (readonly [string, string])[] = [
  [
    '--kubernetes-version <version>',
    `of the API server: ${KUBERNETES_VERSIONS.join(', ')} (default: "${NEWEST_VERSION}")`,
  ],
  [
    '--watch-cache <bool>',
    'whether the resource has a watch cache (default: all but events have one)',
  ],
];

const flags: readonly (readonly [string, string])[] = [
  ['-o, --output <format>', `${explainFormats.join('|')} (default: "text")`],
  gatesFlag,
  ...ownFlags,
];

/** What stands behind the first word of the query is left as it is. */
export function addExplainFlags(command: Command): void {
  command.argument('[query...]').passThroughOptions();
  command.optionsGroup('What is supposed:');
  for (const [flag, description] of flags) command.addOption(new Option(flag, description));
  command.addOption(
    new Option('-n, --namespace <name>', 'kubectl\'s current namespace (default: "default")'),
  );
  command.optionsGroup('What it costs:');
  addEstimateFlags(command);
  addConnectionFlags(command);
}

export function explainPlan(
  words: readonly string[],
  before: ExplainFlags,
  env: Environment,
): ExplainPlan {
  const { given, rest } = isWritten(words)
    ? { given: before, rest: words }
    : withFlagsBehind(words, before);
  const { featureGates, ...asked } = given;
  const version = kubernetesVersionOf(given.kubernetesVersion);
  return {
    command: 'explain',
    subject: subjectOf(rest, asked, env),
    namespace: namespaceOf(given.namespace ?? 'default'),
    output: oneOf('--output', given.output ?? 'text', explainFormats),
    version,
    gates: gatesFrom(featureGates, version),
    watchCache: watchCacheOf(given.watchCache),
    connection: connectionPlan(given, env),
    asksEtcd: asksEtcd(given, env),
    cost: costPlan(given),
  };
}

/** Whoever wants it measured wants etcd to be asked. */
function asksEtcd({ endpoints, measure }: ExplainFlags, env: Environment): boolean {
  return endpoints !== undefined || measure === true || (env['ETCDCTL_ENDPOINTS'] ?? '') !== '';
}

/** A query of its own language, whose flags are not ours. */
function isWritten([first = '']: readonly string[]): boolean {
  return /^(?:kubectl|GET|list)(?:\s|$)/.test(first);
}

const FILE = /\.(?:etcdlist|ya?ml|json)$/i;

function subjectOf(
  words: readonly string[],
  given: ExplainFlags,
  env: Environment,
): ExplainSubject {
  const [first, ...others] = words;
  if (first === undefined) {
    throw usageError(
      'QUERY is missing: give a resource with the flags of get, a kubectl get, a GET, a list, or a query file',
    );
  }
  if (isWritten(words)) return { kind: 'text', text: written(words) };
  if (first === '-' || FILE.test(first)) return { kind: 'file', file: first, names: others };
  return { kind: 'asked', asked: askedBy(getPlan(words, { ...given, output: 'table' }, env)) };
}

/** Words of a shell, but an address, which no shell reads. */
function written(words: readonly string[]): string {
  const [first = '', ...others] = words;
  if (others.length === 0 || first === 'GET') return words.join(' ');
  return words.map(shellWord).join(' ');
}

function withFlagsBehind(words: readonly string[], before: ExplainFlags) {
  const command = new Command('etcd-list').command('explain');
  command
    .configureOutput({ writeErr: () => undefined })
    .exitOverride((error: CommanderError) => {
      throw translateParserError(command, error);
    })
    .showSuggestionAfterError(false)
    .helpOption(false)
    .argument('[words...]');
  addListFlags(command);
  addEstimateFlags(command);
  addConnectionFlags(command);
  for (const [flag, description] of ownFlags) {
    command.addOption(new Option(flag, description));
  }
  command.parse(words, { from: 'user' });
  const rest = command.args[0] === 'get' ? command.args.slice(1) : command.args;
  return { given: { ...before, ...command.opts<ExplainFlags>() }, rest };
}

function watchCacheOf(text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined;
  const truth = parseBool(text);
  if (truth === undefined) throw usageError(`--watch-cache "${cell(text)}": write true or false`);
  return truth;
}
