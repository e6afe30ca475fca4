/** The connection flags, their etcdctl variables and their defaults. */
import { cell } from '../output/text';
import { Option, type Command } from 'commander';
import { DEFAULT_ROOT } from '../../kube/resources/resources';
import type { Environment } from '../context';
import { usageError } from '../exit';
import { parseDuration, parseSize } from '../quantities';
import { parseBool } from './argv';
import type { ConnectionPlan } from './plan';

export const DEFAULT_ENDPOINT = '127.0.0.1:2379';
const DEFAULT_BYTE_BUDGET = '512MiB';

export interface ConnectionFlags {
  readonly endpoints?: string;
  readonly cacert?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly insecureSkipTlsVerify?: boolean;
  readonly insecureTransport?: boolean;
  readonly user?: string;
  readonly password?: string;
  readonly passwordFile?: string;
  readonly dialTimeout?: string;
  readonly commandTimeout?: string;
  readonly root?: string;
  readonly serializable?: boolean;
  readonly byteBudget?: string;
}

const flags: readonly (readonly [string, string])[] = [
  ['--endpoints <list>', `host:port or URLs, comma-separated (default: "${DEFAULT_ENDPOINT}")`],
  ['--cacert <file>', "verify the server's certificate with this CA bundle (PEM)"],
  ['--cert <file>', 'client certificate (PEM)'],
  ['--key <file>', 'key of the client certificate (PEM)'],
  ['--insecure-skip-tls-verify', "do not verify the server's certificate"],
  ['--insecure-transport', 'plain text for endpoints without a scheme; =false demands TLS'],
  ['--user <name>', 'etcd user; its password comes from ETCDCTL_PASSWORD, a file or a prompt'],
  ['--password-file <file>', 'file that holds the password of --user'],
  ['--dial-timeout <duration>', 'time to reach an endpoint (default: "2s")'],
  ['--command-timeout <duration>', 'time for one etcd read, 0 for no limit (default: "60s")'],
  ['--root <path>', `storage root of the API server (default: "${DEFAULT_ROOT}")`],
  ['--serializable', 'let one member answer alone: faster, perhaps stale'],
  ['--byte-budget <size>', `largest single reply accepted (default: "${DEFAULT_BYTE_BUDGET}")`],
];

/** Adds the connection flags under a heading of their own. */
export function addConnectionFlags(command: Command): void {
  command.optionsGroup('Connection (each also as ETCDCTL_… variable where etcdctl has one):');
  for (const [flag, description] of flags) command.addOption(new Option(flag, description));
  command.addOption(new Option('--no-insecure-transport').hideHelp());
  command.addOption(new Option('--password <text>').hideHelp());
}

/** Flags first, then etcdctl's variables, then defaults. */
export function connectionPlan(given: ConnectionFlags, env: Environment): ConnectionPlan {
  refuseSecrets(given);
  refuseEmpty(given);
  const text = (flag: string | undefined, name: string): string | undefined =>
    flag ?? nonEmpty(env[`ETCDCTL_${name}`]);
  const named = (flag: string | boolean | undefined, name: string): string =>
    flag === undefined && nonEmpty(env[`ETCDCTL_${name}`]) !== undefined
      ? `ETCDCTL_${name}`
      : flagOf(name);
  const duration = (flag: string | undefined, name: string, otherwise: string): number =>
    parseDuration(named(flag, name), text(flag, name) ?? otherwise);
  const names = {
    endpoints: named(given.endpoints, 'ENDPOINTS'),
    cacert: named(given.cacert, 'CACERT'),
    cert: named(given.cert, 'CERT'),
    key: named(given.key, 'KEY'),
    skipVerify: named(given.insecureSkipTlsVerify, 'INSECURE_SKIP_TLS_VERIFY'),
    insecureTransport: named(given.insecureTransport, 'INSECURE_TRANSPORT'),
  };
  const truth = (flag: boolean | undefined, name: string): boolean | undefined =>
    flag ?? envBool(env, `ETCDCTL_${name}`);
  const [user, passwordInUser] = splitUser(text(given.user, 'USER'));
  const plan: ConnectionPlan = {
    names,
    endpoints: splitEndpoints(
      names.endpoints,
      text(given.endpoints, 'ENDPOINTS') ?? DEFAULT_ENDPOINT,
    ),
    cacert: text(given.cacert, 'CACERT'),
    cert: text(given.cert, 'CERT'),
    key: text(given.key, 'KEY'),
    skipVerify: truth(given.insecureSkipTlsVerify, 'INSECURE_SKIP_TLS_VERIFY') ?? false,
    insecureTransport: truth(given.insecureTransport, 'INSECURE_TRANSPORT'),
    user,
    password: nonEmpty(env['ETCDCTL_PASSWORD']) ?? passwordInUser,
    passwordFile: given.passwordFile,
    dialTimeoutMs: duration(given.dialTimeout, 'DIAL_TIMEOUT', '2s'),
    commandTimeoutMs: duration(given.commandTimeout, 'COMMAND_TIMEOUT', '60s'),
    root: given.root ?? DEFAULT_ROOT,
    serializable: given.serializable ?? false,
    byteBudget: parseSize('--byte-budget', given.byteBudget ?? DEFAULT_BYTE_BUDGET),
  };
  refuseHalves(plan);
  return plan;
}

/** The flags that were given, as words of another command line. */
export function connectionWords(given: ConnectionFlags): string[] {
  return flags.flatMap(([flag]) => {
    const option = new Option(flag);
    const name = `--${option.name()}`;
    const value = given[option.attributeName() as keyof ConnectionFlags];
    if (value === undefined) return [];
    return [value === true ? name : `${name}=${value}`];
  });
}

const FROM_WHERE =
  'set ETCDCTL_PASSWORD, give --password-file FILE, or leave it out and be asked for it';

export const PASSWORD_REFUSED = `--password is refused: arguments show in process lists and shell history; ${FROM_WHERE}`;

/** `COMMAND_TIMEOUT` is `--command-timeout`. */
const flagOf = (variable: string): string => `--${variable.toLowerCase().replaceAll('_', '-')}`;

/** An empty value is a mistake, such as a shell variable that is not set, and not an absent flag. */
function refuseEmpty(given: ConnectionFlags): void {
  const texts: readonly (readonly [string, string | undefined, string])[] = [
    ['--endpoints', given.endpoints, `write host:port, such as ${DEFAULT_ENDPOINT}`],
    ['--cacert', given.cacert, 'give a file'],
    ['--cert', given.cert, 'give a file'],
    ['--key', given.key, 'give a file'],
    ['--user', given.user, 'give the name of an etcd user'],
    ['--password-file', given.passwordFile, 'give a file'],
    ['--root', given.root, `give a path such as ${DEFAULT_ROOT}`],
    ['--dial-timeout', given.dialTimeout, 'give a time like 5s'],
    ['--command-timeout', given.commandTimeout, 'give a time like 5s'],
  ];
  const empty = texts.find(([, value]) => value === '');
  if (empty) throw usageError(`${empty[0]} is empty: ${empty[2]}, or leave the flag out`);
}

function refuseSecrets(given: ConnectionFlags): void {
  if (given.password !== undefined) throw usageError(PASSWORD_REFUSED);
  if (given.user?.includes(':') === true) {
    throw usageError(
      `--user takes the name alone: a password in arguments shows in process lists and shell history; ${FROM_WHERE}`,
    );
  }
}

function refuseHalves(plan: ConnectionPlan): void {
  if ((plan.cert === undefined) !== (plan.key === undefined)) {
    const { cert, key } = plan.names;
    const [has, lacks] = plan.cert === undefined ? [key, '--cert'] : [cert, '--key'];
    throw usageError(`${has} is given without ${lacks}: a client certificate needs both files`);
  }
  if (plan.passwordFile !== undefined && plan.user === undefined) {
    throw usageError('--password-file is given without --user: say whose password it is');
  }
}

/** etcdctl's variable may hold `name:password`; only the argument must not. */
function splitUser(user: string | undefined): [string | undefined, string | undefined] {
  const colon = user?.indexOf(':') ?? -1;
  if (user === undefined || colon < 0) return [user, undefined];
  return [user.slice(0, colon), user.slice(colon + 1)];
}

function splitEndpoints(name: string, text: string): string[] {
  const endpoints = text
    .split(',')
    .map((endpoint) => endpoint.trim())
    .filter((endpoint) => endpoint !== '');
  if (endpoints.length === 0) {
    throw usageError(
      `${name} "${cell(text)}" names no endpoint: write host:port, such as ${DEFAULT_ENDPOINT}`,
    );
  }
  return endpoints;
}

function envBool(env: Environment, name: string): boolean | undefined {
  const text = nonEmpty(env[name]);
  if (text === undefined) return undefined;
  const truth = parseBool(text);
  if (truth === undefined) throw usageError(`${name} is "${cell(text)}": write true or false`);
  return truth;
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
