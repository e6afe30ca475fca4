/** TLS settings of a connection, and the channel credentials made of them. */
import { createPrivateKey } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { credentials, type ChannelCredentials } from '@grpc/grpc-js';
import { ConnectionConfigError, type TlsPart } from './configError';

/** Certificates and keys are PEM. */
export interface TlsConfig {
  /** Authorities to trust; absent trusts Node's own list. */
  readonly rootCertificate?: Uint8Array;
  /** Client certificate and key; both or neither. */
  readonly clientCertificate?: Uint8Array;
  readonly clientKey?: Uint8Array;
  /** Of an encrypted client key. */
  readonly passphrase?: string;
  /** Name the server's certificate must carry, in place of the endpoint's host. */
  readonly serverName?: string;
  /** True accepts any server certificate: no protection against an impostor. */
  readonly skipVerify?: boolean;
}

/** Throws a `ConnectionConfigError` that names the part at fault and never a secret. */
export function channelCredentials(tls: TlsConfig): ChannelCredentials {
  if ((tls.clientCertificate === undefined) !== (tls.clientKey === undefined)) {
    throw invalid('A client certificate and its key belong together: give both or neither.');
  }
  return credentials.createFromSecureContext(secureContext(tls), {
    rejectUnauthorized: tls.skipVerify !== true,
    // A name mismatch is reported through this callback even when authority is not checked.
    ...(tls.skipVerify === true && { checkServerIdentity: () => undefined }),
  });
}

function secureContext(tls: TlsConfig) {
  const ca = tls.rootCertificate && pem(tls.rootCertificate, 'ca');
  const cert = tls.clientCertificate && pem(tls.clientCertificate, 'cert');
  const key = tls.clientKey && decryptedKey(tls.clientKey, tls.passphrase);
  try {
    return createSecureContext({
      minVersion: 'TLSv1.2',
      ...(ca && { ca }),
      ...(cert && { cert }),
      ...(key && { key }),
    });
  } catch (error) {
    throw unusable(error);
  }
}

function unusable(error: unknown): ConnectionConfigError {
  if (codeOf(error) === 'ERR_OSSL_X509_KEY_VALUES_MISMATCH') {
    return invalid('The client key does not belong to the client certificate.', error, 'key');
  }
  return invalid(
    `The certificates cannot be used: ${textOf(error)}. Check that the key belongs to the certificate.`,
    error,
  );
}

const certificates = { ca: 'root certificate', cert: 'client certificate' } as const;

function pem(bytes: Uint8Array, part: keyof typeof certificates): Buffer {
  const text = Buffer.from(bytes);
  // Node ignores a root certificate it cannot read, and would then say that the server is untrusted.
  if (!text.includes('-----BEGIN CERTIFICATE-----')) {
    throw invalid(`The ${certificates[part]} is not a PEM certificate.`, undefined, part);
  }
  return text;
}

function decryptedKey(key: Uint8Array, passphrase: string | undefined): string {
  try {
    const decrypted = createPrivateKey({
      key: Buffer.from(key),
      format: 'pem',
      ...(passphrase !== undefined && { passphrase }),
    });
    return decrypted.export({ type: 'pkcs8', format: 'pem' }).toString();
  } catch (error) {
    throw keyProblem(error, key, passphrase);
  }
}

/** A wrong passphrase now and then yields bytes that only fail later, so its error has many texts. */
function keyProblem(
  error: unknown,
  key: Uint8Array,
  passphrase: string | undefined,
): ConnectionConfigError {
  const code = codeOf(error);
  if (code === 'ERR_MISSING_PASSPHRASE' || /INTERRUPTED_OR_CANCELLED/.test(code)) {
    return invalid('The client key is encrypted and needs its passphrase.', error, 'passphrase');
  }
  const encrypted = Buffer.from(key).includes('ENCRYPTED');
  if (encrypted && passphrase !== undefined) {
    return invalid('The passphrase does not open the client key.', error, 'passphrase');
  }
  return invalid(`The client key cannot be read: ${textOf(error)}.`, error, 'key');
}

function invalid(message: string, cause?: unknown, part?: TlsPart): ConnectionConfigError {
  return new ConnectionConfigError('tls', message, cause, part);
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? '';
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
