/** What to do about certificates: the sentences name the file and the setting at fault. */
import { ConnectionConfigError, type TlsPart } from '../etcd/configError';
import { describeEtcdError } from '../etcd/describe';
import { isEtcdError } from '../etcd/errors';
import type { ConnectionSetting } from '../protocol/names';
import { FailureError, failureOf, plainText } from './failures';

type Tls = NonNullable<ConnectionSetting['tls']>;

/** The error with the files of these settings named; anything else as it is. */
export function withTlsAdvice(error: unknown, tls: Tls | undefined): unknown {
  if (error instanceof ConnectionConfigError && error.part !== undefined) {
    return namingFile(error, error.part, tls ?? {});
  }
  if (!isEtcdError(error, 'tls')) return error;
  const advice = ADVICE.find(([pattern]) => pattern.test(error.message))?.[1](tls ?? {});
  if (advice === undefined) return error;
  const what = describeEtcdError(error).replace(/: check the certificates, [^:]*$/, '');
  return new FailureError({ ...failureOf(error), sentence: `${what}: ${advice}.` }, error);
}

const REMEDY: Readonly<Record<TlsPart, string>> = {
  ca: 'name a PEM file of certificates in tls.ca',
  cert: 'name a PEM file of certificates in tls.cert',
  key: 'name the PEM private key that belongs to tls.cert in tls.key',
  passphrase: 'give the passphrase of tls.key',
};

function namingFile(error: ConnectionConfigError, part: TlsPart, tls: Tls): FailureError {
  const { message } = error;
  const file = tls[part === 'passphrase' ? 'key' : part] ?? '';
  const what = plainText(message).replace(/\.$/, '');
  const sentence = `${what} (${quoted(file)}): ${REMEDY[part]}.`;
  return new FailureError({ ...failureOf(error), sentence }, error);
}

type Advice = readonly [RegExp, (tls: Tls) => string];

/** By the words of OpenSSL and Node. */
const ADVICE: readonly Advice[] = [
  [
    /self[- ]signed|unable to (?:get|verify)|issuer certificate/i,
    ({ ca }) =>
      ca === undefined
        ? "name the file of the CA that signed the server's certificate in tls.ca"
        : `the CA in ${quoted(ca)} did not sign the server's certificate, so name the one that did in tls.ca`,
  ],
  [
    /altnames/i,
    () => 'set tls.serverName to a name that the certificate holds, or use such a name as endpoint',
  ],
  [
    /certificate required|bad certificate|unknown ca|handshake failure/i,
    ({ cert }) =>
      cert === undefined
        ? 'the server asks for a client certificate, so name its files in tls.cert and tls.key'
        : `the server does not take the client certificate ${quoted(cert)}, so name one that it trusts in tls.cert`,
  ],
  [
    /wrong version number|packet length too long|record layer|EPROTO|before secure TLS/i,
    () => 'if the port speaks plain text, write http:// and take "tls" out of the connection',
  ],
];

function quoted(file: string): string {
  return `"${plainText(file)}"`;
}
