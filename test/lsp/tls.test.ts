import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConnectionSetting } from '../../server/protocol/names';
import { certificatesMissing, makeCertificates, type Certificates } from '../support/certificates';
import { etcdMissing, startEtcd, type RunningEtcd } from '../support/etcdServer';
import { list, refusalOf, useServer, type Client } from './client';

const server = useServer();
type Tls = NonNullable<ConnectionSetting['tls']>;

describe.skipIf(certificatesMissing() || etcdMissing('3.7'))('TLS', () => {
  let made: Certificates;
  let etcd: RunningEtcd;
  let tls: Tls;

  beforeAll(async () => {
    made = makeCertificates();
    etcd = await startEtcd('3.7', { tls: { certificates: made, mode: 'mutual' } });
    tls = { ca: made.ca, cert: made.clientCert, key: made.encryptedClientKey };
  });

  afterAll(async () => {
    await etcd.stop();
    made.remove();
  });

  const connect = (
    client: Client,
    setting: Tls | undefined,
    passphrase?: string,
    endpoint = etcd.url,
  ) =>
    client.request('etcdList/connect', {
      connection: {
        name: 'tls',
        endpoints: [endpoint],
        ...(setting && { tls: setting }),
      },
      ...(passphrase !== undefined && { passphrase }),
    });

  it('opens an encrypted key with its passphrase', async () => {
    const client = await server.start();
    const status = await connect(client, tls, made.passphrase);
    expect(status).toMatchObject({ state: 'connected', members: [{ problem: '' }] });
    const { failure, commands } = await list(client);
    expect(failure).toBeUndefined();
    for (const command of [commands.etcdctl, commands.etcdList]) {
      expect(command).toContain(`--endpoints=https://`);
      expect(command).toContain(` --key=${made.encryptedClientKey}`);
    }
    const seen = JSON.stringify([client.statuses, client.logged, client.stderr()]);
    expect(seen).not.toContain(made.passphrase);
  });

  it.each([
    [undefined, 'The client key is encrypted and needs its passphrase'],
    ['', 'The passphrase does not open the client key'],
    ['open barley', 'The passphrase does not open the client key'],
  ])('asks for the passphrase when %j is given', async (passphrase, what) => {
    const client = await server.start();
    const { failure } = await refusalOf(connect(client, tls, passphrase));
    expect(failure).toEqual({
      code: 'badRequest',
      sentence: `${what} ("${made.encryptedClientKey}"): give the passphrase of tls.key.`,
      needs: 'passphrase',
    });
    expect(await client.request('etcdList/status', null)).toEqual({
      state: 'disconnected',
      failure,
    });
  });

  it('names file and setting of what cannot be used', async () => {
    const client = await server.start();
    const plain = { ...tls, key: made.clientKey };
    const cases: readonly (readonly [Tls, string])[] = [
      [
        { ...plain, key: '/nowhere/a.key' },
        'The file "/nowhere/a.key" of tls.key cannot be read: there is no such file; name a PEM file that is there and readable.',
      ],
      [
        { ...plain, key: made.dir },
        `The file "${made.dir}" of tls.key cannot be read: it is a folder; name a PEM file that is there and readable.`,
      ],
      [
        { ...plain, key: made.serverKey },
        `The client key does not belong to the client certificate ("${made.serverKey}"): name the PEM private key that belongs to tls.cert in tls.key.`,
      ],
      [
        { ...plain, ca: made.clientKey },
        `The root certificate is not a PEM certificate ("${made.clientKey}"): name a PEM file of certificates in tls.ca.`,
      ],
      [
        { ...plain, cert: made.clientKey },
        `The client certificate is not a PEM certificate ("${made.clientKey}"): name a PEM file of certificates in tls.cert.`,
      ],
      [
        { ...plain, ca: `/no\n\u202e${'x'.repeat(2000)}` },
        `The file "/no\\n\\u202e${'x'.repeat(495)}…" of tls.ca cannot be read: its name is too long; name a PEM file that is there and readable.`,
      ],
    ];
    for (const [setting, sentence] of cases) {
      const { failure } = await refusalOf(connect(client, setting));
      expect(failure).toEqual({ code: 'badRequest', sentence });
    }
    const { failure } = await refusalOf(connect(client, { ...plain, key: made.ca }));
    expect(failure.sentence).toMatch(
      /^The client key cannot be read: .*: name the PEM private key that belongs to tls\.cert in tls\.key\.$/,
    );
  });

  it('names what to change when the other side is not trusted, or does not trust us', async () => {
    const client = await server.start();
    const plain = { ...tls, key: made.clientKey };
    const other = { cert: made.serverCert, key: made.serverKey };
    const { ca, ...withoutCa } = plain;
    const cases: readonly (readonly [Tls, RegExp])[] = [
      [{ ...plain, ca: made.wrongCa }, /: the CA in "(.*)" did not sign .* in tls\.ca\.$/],
      [withoutCa, /: name the file of the CA that signed .* in tls\.ca\.$/],
      [{ ...plain, serverName: 'etcd.example' }, /: set tls\.serverName to a name .* endpoint\.$/],
      [
        { ca: made.ca },
        /: the server asks for a client certificate, so name its files in tls\.cert and tls\.key\.$/,
      ],
    ];
    for (const [setting, sentence] of cases) {
      const { failure } = await refusalOf(connect(client, setting));
      expect(failure).toEqual({
        code: 'etcd',
        sentence: expect.stringMatching(sentence) as string,
      });
      expect(failure.sentence).toContain(`The TLS connection to ${etcd.endpoint} failed (`);
    }
    expect(ca).toBe(made.ca);
    // A certificate of the right authority is taken whatever it was made for.
    expect(await connect(client, { ...plain, ...other })).toMatchObject({ state: 'connected' });
    const skipped = { ...plain, ca: made.wrongCa, serverName: 'etcd.example', skipVerify: true };
    expect(await connect(client, skipped)).toMatchObject({ state: 'connected' });
  });

  it('and plain text are told apart', async () => {
    const client = await server.start();
    const plain = await startEtcd('3.7');
    server.after(() => plain.stop());
    const spoken = await refusalOf(
      connect(client, { ca: made.ca }, undefined, `https://${plain.endpoint}`),
    );
    expect(spoken.failure.sentence).toMatch(
      /: if the port speaks plain text, write http:\/\/ and take "tls" out of the connection\.$/,
    );
    const silent = await refusalOf(connect(client, undefined, undefined, etcd.endpoint));
    expect(silent.failure.sentence).toContain('perhaps it expects TLS, so https://)');
    const { failure } = await refusalOf(
      connect(client, tls, made.passphrase, `http://${etcd.endpoint}`),
    );
    expect(failure).toEqual({
      code: 'badRequest',
      sentence:
        'TLS is configured but the endpoints say http://: write https://, or remove the TLS settings.',
    });
  });
});

it('a file that never ends is refused, and the process still ends', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'tls-files-'));
  server.after(() => {
    rmSync(dir, { recursive: true });
  });
  const pipe = join(dir, 'ca.pem');
  execFileSync('mkfifo', [pipe]);
  const client = await server.start();
  // More than there are threads that could wait for them.
  for (const ca of [...Array<string>(6).fill(pipe), '/dev/zero']) {
    const connection = { name: 'x', endpoints: ['127.0.0.1:1'], tls: { ca } };
    const { failure } = await refusalOf(client.request('etcdList/connect', { connection }));
    expect(failure).toEqual({
      code: 'badRequest',
      sentence: `The file "${ca}" of tls.ca cannot be read: it is no regular file; name a PEM file that is there and readable.`,
    });
  }
  await client.rpc.sendRequest('shutdown');
  await client.notify('exit', null);
  expect(await client.exited).toBe(0);
});
