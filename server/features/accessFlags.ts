/** How etcdctl and etcd-list are told to reach the etcd of a connection; both have the same flags. */
import { untrustedShellWord as word } from '../common/shellWord';
import type { EtcdReader } from '../etcd/interfaces';
import type { ConnectionSetting } from '../protocol/names';

/** What the settings say of a connection beside its endpoints' addresses. Holds no password. */
export type Access = Pick<ConnectionSetting, 'endpoints' | 'tls' | 'user'>;

/** The connection as far as commands name it. */
export interface NamedConnection {
  readonly reader: Pick<EtcdReader, 'endpoints' | 'serializable'>;
  readonly access: Access;
}

/** A password is never among them: `--user` alone has both commands ask for it. */
export function accessFlags({ reader, access }: NamedConnection): string[] {
  const { tls, user = '' } = access;
  const secure = tls !== undefined || access.endpoints.some((each) => /^https:/i.test(each.trim()));
  const endpoints = reader.endpoints.map((each) => (secure ? `https://${each}` : each));
  const files = [
    ['--cacert', tls?.ca],
    ['--cert', tls?.cert],
    ['--key', tls?.key],
    ['--user', user],
  ] as const;
  return [
    `--endpoints=${word(endpoints.join(','))}`,
    ...files.flatMap(([flag, text = '']) => (text === '' ? [] : [`${flag}=${word(text)}`])),
    ...(tls?.skipVerify === true ? ['--insecure-skip-tls-verify'] : []),
  ];
}

/** A comment of the shell's on what neither command can be told, or empty. */
export function accessNote({ access: { tls } }: NamedConnection): string {
  const { serverName = '', skipVerify = false } = tls ?? {};
  if (serverName === '' || skipVerify) return '';
  return "   # there is no flag for the connection's tls.serverName";
}
