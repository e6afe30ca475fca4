/** Against etcd itself: TLS, users and the versions with and without RangeStream. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { certificatesMissing, makeCertificates, type Certificates } from '../support/certificates';
import { etcdMissing, startEtcd, type RunningEtcd } from '../support/etcdServer';
import { buildCli, expectCalm, receiptOf, type BuiltCli, type CliResult } from './process';

let cli: BuiltCli;

beforeAll(async () => {
  cli = await buildCli();
});

afterAll(() => {
  cli.remove();
});

const pod = (name: string): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'web' } });

async function run(args: readonly string[], env: Record<string, string> = {}): Promise<CliResult> {
  const result = await cli.run(args, { env });
  expectCalm(result);
  return result;
}

const names = ['get', 'pods', '-o', 'name', '--receipt=json'];

describe.each(['3.4', '3.6', '3.7'] as const)('etcd %s', (version) => {
  describe.skipIf(etcdMissing(version))('running', () => {
    let etcd: RunningEtcd;

    beforeAll(async () => {
      etcd = await startEtcd(version);
      for (const name of ['a', 'b', 'c']) {
        await etcd.writer.put(`/registry/pods/web/${name}`, pod(name));
      }
    });

    afterAll(() => etcd.stop());

    it('lists the same rows by stream or by pages', async () => {
      const { code, stdout, stderr } = await run([...names, '--endpoints', etcd.endpoint]);
      expect([code, stdout]).toEqual([0, 'pod/a\npod/b\npod/c\n']);
      const { requests } = receiptOf(stderr);
      const streamed = requests.at(-1)?.['operation'] === 'listStream';
      expect(streamed).toBe(version === '3.7');
    });

    it('is compared in as many ways as it can be read', async () => {
      const words = ['compare', 'pods', '--limit=2', '--to-the-end', '--yes', '-o', 'json'];
      const { code, stdout } = await run([...words, '--endpoints', etcd.endpoint]);
      expect(code).toBe(0);
      const { agreed, ways } = JSON.parse(stdout) as { agreed: number; ways: object[] };
      expect(agreed).toBe(version === '3.7' ? 3 : 2);
      expect(ways[1]).toMatchObject(
        version === '3.7' ? { way: 'stream', requests: 1, returned: 3 } : { supported: false },
      );
      expect(ways[0]).toMatchObject({ way: 'pages', lists: 2, requests: 2, returned: 3 });
    });

    it('is probed rightly', async () => {
      const { code, stdout } = await run(['probe', '--endpoints', etcd.url]);
      expect(code).toBe(0);
      expect(stdout).toContain(` ${version}.`);
      const answer = version === '3.7' ? 'RangeStream: supported' : 'RangeStream: not supported';
      expect(stdout).toContain(answer);
    });
  });
});

describe.skipIf(etcdMissing('3.6') || certificatesMissing())('TLS and users', () => {
  let certificates: Certificates;
  let etcd: RunningEtcd;
  let dir: string;
  let passwordFile: string;

  beforeAll(async () => {
    certificates = makeCertificates();
    etcd = await startEtcd('3.6', {
      tls: { certificates, mode: 'server' },
      auth: {
        rootPassword: 'root-pw',
        users: [{ name: 'reader', password: 'reader-pw', readPrefix: '/registry/pods/' }],
      },
    });
    await etcd.writer.put('/registry/pods/web/a', pod('a'));
    dir = mkdtempSync(join(tmpdir(), 'etcd-list-cli-'));
    passwordFile = join(dir, 'password');
    writeFileSync(passwordFile, 'reader-pw\n');
  });

  afterAll(async () => {
    await etcd.stop();
    rmSync(dir, { recursive: true, force: true });
    rmSync(certificates.dir, { recursive: true, force: true });
  });

  const secure = (...args: string[]): string[] => [
    ...names,
    ...['--endpoints', etcd.endpoint, '--cacert', certificates.ca],
    ...args,
  ];

  it("takes the password from a file, the variables, or etcdctl's user variable", async () => {
    const ways: [string[], Record<string, string>][] = [
      [['--user=reader', `--password-file=${passwordFile}`], {}],
      [['--user=reader'], { ETCDCTL_PASSWORD: 'reader-pw' }],
      [[], { ETCDCTL_USER: 'reader:reader-pw' }],
    ];
    for (const [args, env] of ways) {
      const { code, stdout } = await run(secure(...args), env);
      expect([code, stdout]).toEqual([0, 'pod/a\n']);
    }
  });

  it('refuses a password file that holds nothing', async () => {
    const empty = join(dir, 'empty');
    writeFileSync(empty, '');
    const { code, stderr } = await run(secure('--user=reader', `--password-file=${empty}`));
    const sentence = `error: --password-file ${empty} holds nothing: write the password in it\n`;
    expect([code, stderr]).toEqual([2, sentence]);
  });

  it('takes the whole connection from the variables', async () => {
    const { code, stdout } = await run(names, {
      ETCDCTL_ENDPOINTS: etcd.url,
      ETCDCTL_CACERT: certificates.ca,
      ETCDCTL_USER: 'reader',
      ETCDCTL_PASSWORD: 'reader-pw',
    });
    expect([code, stdout]).toEqual([0, 'pod/a\n']);
  });

  it('skips verification only when told', async () => {
    const open = [...names, '--endpoints', etcd.url, '--user=reader'];
    const env = { ETCDCTL_PASSWORD: 'reader-pw' };
    const refused = await run(open, env);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('The TLS connection to');
    const { code, stdout } = await run([...open, '--insecure-skip-tls-verify'], env);
    expect([code, stdout]).toEqual([0, 'pod/a\n']);
  });

  it.each([
    ['a wrong certificate', () => ['--cacert', certificates.wrongCa], 'The TLS connection to', 1],
    ['a certificate that is none', () => ['--cacert', passwordFile], 'is not a PEM certificate', 2],
    ['a wrong password', () => ['--user=root'], 'does not accept this user name and password', 1],
    ['no user', () => [], 'requires a user', 1],
  ])('%s is told in one sentence', async (_, args, sentence, exit) => {
    const { code, stdout, stderr } = await run(secure(...args()), { ETCDCTL_PASSWORD: 'wrong' });
    expect(stderr).toContain(sentence);
    expect([code, stdout]).toEqual([exit, '']);
  });

  it('says that the user may not read a prefix', async () => {
    const env = { ETCDCTL_PASSWORD: 'reader-pw', ETCDCTL_USER: 'reader' };
    const args = ['get', 'secrets', '--endpoints', etcd.endpoint, '--cacert', certificates.ca];
    const { code, stderr } = await run(args, env);
    expect(code).toBe(1);
    expect(stderr).toContain('"reader" may not read /registry/secrets/');
  });
});
