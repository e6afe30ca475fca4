/** How etcdctl and etcd-list are told to reach the etcd of a connection; both have the same flags. */
import { untrustedShellWord as word } from '../common/shellWord';
import type { EtcdReader } from '../etcd/interfaces';
import type { AccessVariables } from '../protocol/model';
import type { ConnectionSetting } from '../protocol/names';

/** What the settings say of a connection beside its endpoints' addresses. Holds no password. */
export type Access = Pick<ConnectionSetting, 'endpoints' | 'tls' | 'user'>;

/** The connection as far as commands name it. */
export interface NamedConnection {
  readonly reader: Pick<EtcdReader, 'endpoints' | 'serializable'>;
  readonly access: Access;
}

/** A password is never among them: `--user` alone has both commands ask for it. */
export function accessFlags(connection: NamedConnection): string[] {
  const { tls, user = '' } = connection.access;
  const files = [
    ['--cacert', tls?.ca],
    ['--cert', tls?.cert],
    ['--key', tls?.key],
    ['--user', user],
  ] as const;
  return [
    `--endpoints=${word(endpointsOf(connection))}`,
    ...files.flatMap(([flag, text = '']) => (text === '' ? [] : [`${flag}=${word(text)}`])),
    ...(tls?.skipVerify === true ? ['--insecure-skip-tls-verify'] : []),
  ];
}

function endpointsOf({ reader, access }: NamedConnection): string {
  const secure =
    access.tls !== undefined || access.endpoints.some((each) => /^https:/i.test(each.trim()));
  return reader.endpoints.map((each) => (secure ? `https://${each}` : each)).join(',');
}

/**
 * The same as etcdctl's variables, which `etcd-list` reads too. Null unsets one that would say
 * something of another etcd. A user whose name has a colon is left out: what is behind it would be
 * taken for a password.
 */
export function accessVariables(connection: NamedConnection): AccessVariables {
  const { tls, user = '' } = connection.access;
  const text = (value = ''): string | null => (value === '' ? null : value);
  return {
    ETCDCTL_ENDPOINTS: endpointsOf(connection),
    ETCDCTL_CACERT: text(tls?.ca),
    ETCDCTL_CERT: text(tls?.cert),
    ETCDCTL_KEY: text(tls?.key),
    ETCDCTL_USER: user.includes(':') ? null : text(user),
    ETCDCTL_INSECURE_SKIP_TLS_VERIFY: tls?.skipVerify === true ? 'true' : null,
    ETCDCTL_INSECURE_TRANSPORT: null,
    // The commands ask for the password, and would send this etcd one that was meant for another.
    ETCDCTL_PASSWORD: null,
    ETCDCTL_AUTH_JWT_TOKEN: null,
    // Of etcdctl it goes before the endpoints.
    ETCDCTL_DISCOVERY_SRV: null,
  };
}

/** A comment of the shell's on what neither command can be told, or empty. */
export function accessNote({ access: { tls } }: NamedConnection): string {
  const { serverName = '', skipVerify = false } = tls ?? {};
  if (serverName === '' || skipVerify) return '';
  return "   # there is no flag for the connection's tls.serverName";
}
