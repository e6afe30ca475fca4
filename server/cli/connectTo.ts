/** Opens the connection that the flags describe: files are read, and secrets asked for, here. */
import type { Log } from '../common/log';
import { LARGEST_FILE } from '../common/smallFile';
import { ConnectionConfigError } from '../etcd/configError';
import { connect, type ConnectionConfig } from '../etcd/connect';
import { parseEndpoints } from '../etcd/endpoints';
import type { EtcdReader } from '../etcd/interfaces';
import { longestTimerMs } from '../etcd/limits';
import type { ConnectionPlan } from './args/plan';
import { warn, type Context } from './context';
import { usageError } from './exit';
import { cell } from './output/text';
import { whyUnreadable } from './unreadableFile';

type Tls = NonNullable<ConnectionConfig['tls']>;

/** Throws `CliError` or `ConnectionConfigError`; nothing is sent yet. */
export async function connectTo(plan: ConnectionPlan, context: Context): Promise<EtcdReader> {
  warnOfUnused(context);
  const tls = await tlsConfig(plan, context);
  const auth = await authConfig(plan, context);
  const log: Log = {
    debug: () => undefined,
    info: () => undefined,
    warn: (text) => {
      warn(context, cell(text));
    },
  };
  return connect({
    endpoints: plan.endpoints,
    ...(tls === undefined ? {} : { tls }),
    ...(auth === undefined ? {} : { auth }),
    serializable: plan.serializable,
    connectTimeoutMs: positive('--dial-timeout', plan.dialTimeoutMs),
    deadlineMs:
      plan.commandTimeoutMs === 0
        ? longestTimerMs
        : positive('--command-timeout', plan.commandTimeoutMs),
    byteBudget: plan.byteBudget,
    clock: context.clock,
    log,
  });
}

/** Variables of etcdctl that change whom it asks, or as whom, and mean nothing here. */
const UNUSED = ['ETCDCTL_DISCOVERY_SRV', 'ETCDCTL_AUTH_JWT_TOKEN'];

function warnOfUnused(context: Context): void {
  const set = UNUSED.filter((name) => (context.env[name] ?? '') !== '');
  if (set.length === 0) return;
  const [are, they] = set.length === 1 ? ['is', 'it'] : ['are', 'they'];
  warn(
    context,
    `${set.join(' and ')} ${are} set and not used: what ${they} would say to etcdctl comes from --endpoints and --user here`,
  );
}

function positive(flag: string, ms: number): number {
  if (ms >= 1) return Math.min(ms, longestTimerMs);
  throw usageError(`${flag} is less than a millisecond: give a time like 5s`);
}

/** TLS when an endpoint, a file or a flag asks for it, as etcdctl decides. */
async function tlsConfig(plan: ConnectionPlan, context: Context): Promise<Tls | undefined> {
  const { secure } = endpointsOf(plan);
  const asking = askingForTls(plan);
  if (secure === false && asking.length > 0) {
    throw usageError(
      `the endpoints say http:// and ${asking.join(', ')} ask${asking.length === 1 ? 's' : ''} for TLS: write https://, or leave it out`,
    );
  }
  if (secure !== true && asking.length === 0) return undefined;
  return { ...(await tlsFiles(plan, context)), skipVerify: plan.skipVerify };
}

/** Names of the flags and variables that ask for TLS. */
function askingForTls(plan: ConnectionPlan): string[] {
  const { names, cacert, cert, skipVerify, insecureTransport } = plan;
  const asking: readonly (readonly [boolean, string])[] = [
    [cacert !== undefined, names.cacert],
    [cert !== undefined, names.cert],
    [skipVerify, names.skipVerify],
    [insecureTransport === false, `${names.insecureTransport}=false`],
  ];
  return asking.flatMap(([asks, name]) => (asks ? [name] : []));
}

function endpointsOf({ endpoints, names }: ConnectionPlan) {
  try {
    return parseEndpoints(endpoints);
  } catch (error) {
    if (!(error instanceof ConnectionConfigError)) throw error;
    throw usageError(`${names.endpoints} is refused: ${error.message}`, { cause: error });
  }
}

async function tlsFiles({ cacert, cert, key, names }: ConnectionPlan, context: Context) {
  const tls: { -readonly [K in keyof Tls]: Tls[K] } = {};
  if (cacert !== undefined) tls.rootCertificate = await readNamed(names.cacert, cacert, context);
  if (cert !== undefined) tls.clientCertificate = await readNamed(names.cert, cert, context);
  if (key !== undefined) {
    tls.clientKey = await readNamed(names.key, key, context);
    if (Buffer.from(tls.clientKey).includes('ENCRYPTED')) {
      tls.passphrase = await context.askSecret({
        prompt: `Passphrase of ${cell(key)}: `,
        elsewhere: {
          what: `the passphrase of ${cell(key)}`,
          how: 'give --key a file that is not encrypted, with permissions that protect it',
        },
      });
    }
  }
  return tls;
}

async function authConfig(plan: ConnectionPlan, context: Context) {
  if (plan.user === undefined) return undefined;
  return { username: plan.user, password: await passwordOf(plan, plan.user, context) };
}

/** From the environment, the file, or the person, in this order of nearness to the command. */
async function passwordOf(plan: ConnectionPlan, user: string, context: Context): Promise<string> {
  if (plan.passwordFile !== undefined) {
    const bytes = await readNamed('--password-file', plan.passwordFile, context);
    if (bytes.length === 0) {
      throw usageError(
        `--password-file ${cell(plan.passwordFile)} holds nothing: write the password in it`,
      );
    }
    return Buffer.from(bytes)
      .toString('utf8')
      .replace(/\r?\n$/, '');
  }
  if (plan.password !== undefined) return plan.password;
  return context.askSecret({
    prompt: `Password of etcd user ${cell(user)}: `,
    elsewhere: {
      what: 'a password',
      how: 'set ETCDCTL_PASSWORD or give --password-file FILE',
    },
  });
}

async function readNamed(flag: string, path: string, context: Context): Promise<Uint8Array> {
  try {
    return await context.readFile(path);
  } catch (error) {
    if (context.signal.aborted) throw error;
    const why = whyUnreadable(error, LARGEST_FILE);
    throw usageError(`${flag} ${cell(path)} cannot be read: ${why}`, { cause: error });
  }
}
