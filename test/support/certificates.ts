import { execFileSync, spawnSync } from 'node:child_process';
import { createPrivateKey } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requireOrSkip } from './requireOrSkip';

/** Paths of PEM files in one folder, made for one test run and valid for two days. */
export interface Certificates {
  readonly dir: string;
  readonly ca: string;
  /** A CA of the same name that signed nothing here. */
  readonly wrongCa: string;
  /** For 127.0.0.1 and localhost. */
  readonly serverCert: string;
  readonly serverKey: string;
  /** Common name `root`, so that it may serve as a user of etcd's too. */
  readonly clientCert: string;
  readonly clientKey: string;
  /** The same client key as encrypted PKCS #8. */
  readonly encryptedClientKey: string;
  readonly passphrase: string;
  remove(): void;
}

/** For `describe.skipIf(…)`: whether certificates cannot be made here. */
export function certificatesMissing(): boolean {
  const works = spawnSync('openssl', ['version']).status === 0;
  return requireOrSkip('openssl', works, 'tests over TLS make their certificates with it');
}

const caExtensions = 'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign\n';
const leafExtensions =
  'basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature\n' +
  'extendedKeyUsage=serverAuth,clientAuth\nsubjectAltName=IP:127.0.0.1,DNS:localhost\n';

export function makeCertificates(): Certificates {
  const dir = mkdtempSync(join(tmpdir(), 'etcd-list-certs-'));
  const at = (file: string): string => join(dir, file);
  const openssl = (...args: string[]): void => {
    execFileSync('openssl', args, { cwd: dir, stdio: ['ignore', 'ignore', 'pipe'] });
  };
  const make = (name: string, commonName: string, extensions: string, signer: string): void => {
    writeFileSync(at('extensions'), extensions);
    openssl(
      'genpkey',
      '-algorithm',
      'EC',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-out',
      `${name}.key`,
    );
    openssl(
      'req',
      '-new',
      '-key',
      `${name}.key`,
      '-subj',
      `/CN=${commonName}`,
      '-out',
      `${name}.csr`,
    );
    const signing =
      signer === name
        ? ['-signkey', `${name}.key`]
        : ['-CA', `${signer}.crt`, '-CAkey', `${signer}.key`, '-CAcreateserial'];
    openssl(
      'x509',
      '-req',
      '-sha256',
      '-days',
      '2',
      '-in',
      `${name}.csr`,
      ...signing,
      '-extfile',
      'extensions',
      '-out',
      `${name}.crt`,
    );
  };
  make('ca', 'etcd-list test CA', caExtensions, 'ca');
  make('wrong-ca', 'etcd-list test CA', caExtensions, 'wrong-ca');
  make('server', 'localhost', leafExtensions, 'ca');
  make('client', 'root', leafExtensions, 'ca');

  const passphrase = 'open sesame';
  const encrypted = createPrivateKey(readFileSync(at('client.key'))).export({
    type: 'pkcs8',
    format: 'pem',
    cipher: 'aes-256-cbc',
    passphrase,
  });
  writeFileSync(at('client-encrypted.key'), encrypted);
  return {
    dir,
    ca: at('ca.crt'),
    wrongCa: at('wrong-ca.crt'),
    serverCert: at('server.crt'),
    serverKey: at('server.key'),
    clientCert: at('client.crt'),
    clientKey: at('client.key'),
    encryptedClientKey: at('client-encrypted.key'),
    passphrase,
    remove: () => {
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
