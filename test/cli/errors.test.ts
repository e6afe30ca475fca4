import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { concatBytes, utf8 } from '../../server/common/bytes';
import { startDemoEtcd, type DemoEtcd } from '../../server/demo/demoEtcd';
import { encodeContinue } from '../../server/store/continueToken';
import { buildCli, expectCalm, receiptOf, type BuiltCli, type CliResult } from './process';

let cli: BuiltCli;
let etcd: DemoEtcd;
let web: Server;
let compacted: bigint;

const prefix = utf8('/registry/pods/');

const red = '\u001b[31m';
const redAsWell = '\u009b31m';

/** A protobuf object of this kind whose bytes end a group that never began. */
function brokenProtobuf(kind: string): Uint8Array {
  const text = WireType.LengthDelimited;
  const type = new BinaryWriter().tag(1, text).string('apps/v1').tag(2, text).string(kind).finish();
  const raw = Uint8Array.of(0x0c);
  const envelope = new BinaryWriter().tag(1, text).bytes(type).tag(2, text).bytes(raw).finish();
  return concatBytes(utf8('k8s\0'), envelope);
}

const withLabel = (label: string): Uint8Array =>
  utf8(
    JSON.stringify({
      ...{ apiVersion: 'apps/v1', kind: 'ReplicaSet' },
      metadata: { name: 'a', labels: { [label]: 7 } },
    }),
  );

/** Unreadable in different ways; the reason of each repeats what would turn a terminal red. */
const hostileValues: ReadonlyMap<string, Uint8Array> = new Map([
  ['kind', brokenProtobuf(`${red}${redAsWell}ReplicaSet`)],
  ['label', withLabel(`${red}x`)],
  ['label2', withLabel(`${redAsWell}x`)],
  ['provider', utf8(`k8s:enc:${red}aescbc:v1:${redAsWell}key:xxxx`)],
]);

beforeAll(async () => {
  [cli, etcd] = await Promise.all([buildCli(), startDemoEtcd()]);
  const put = (kind: string, path: string, value?: Uint8Array): bigint => {
    const [name, namespace] = path.split('/').reverse();
    const object = { apiVersion: 'v1', kind, metadata: { name, namespace } };
    return etcd.store.put(utf8(`/registry/${path}`), value ?? utf8(JSON.stringify(object)));
  };
  for (let i = 0; i < 300; i++) put('Pod', `pods/web/pod-${i.toString().padStart(3, '0')}`);
  for (const name of ['a', 'b', 'c']) put('ConfigMap', `configmaps/web/${name}`);
  put('ConfigMap', 'configmaps/web/b', utf8('k8s\0 broken'));
  put('Secret', 'secrets/web/s', utf8('k8s:enc:aescbc:v1:key1:xxxx'));
  for (const [name, value] of hostileValues) put('', `replicasets/web/${name}`, value);
  for (const byte of [0x80, 0xff]) {
    const key = concatBytes(utf8(`/odd/${byte}/`), Uint8Array.of(byte));
    for (const tail of [0x61, 0x62, 0x63]) {
      etcd.store.put(concatBytes(key, Uint8Array.of(tail)), utf8('v'));
    }
  }
  compacted = etcd.store.revision - 2n;
  etcd.store.compact(etcd.store.revision - 1n);
  web = createServer((_, response) => response.writeHead(404).end('no'));
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
});

afterAll(async () => {
  await etcd.stop();
  web.close();
  cli.remove();
});

const get = async (...args: string[]): Promise<CliResult> => {
  const result = await cli.run(['get', ...args, '--endpoints', etcd.endpoint]);
  expectCalm(result);
  return result;
};
const token = (revision: bigint, key = 'web/pod-010\0'): string =>
  encodeContinue(concatBytes(prefix, utf8(key)), prefix, revision);

describe('wrong usage exits with 2', () => {
  it.each([
    ['an unknown resource', ['podz'], 'there is no resource "podz": the nearest is pods'],
    [
      'an unknown custom resource',
      ['gadgets.example.com'],
      'there is no resource "gadgets.example.com"',
    ],
    ['a token that is no token', ['pods', '--continue=%%%'], 'illegal base64 data at input byte 0'],
    ['a token that is no JSON', ['pods', '--continue=YWJj'], 'invalid character'],
    [
      'a token of another version',
      ['pods', '--continue=eyJ2IjoieCJ9'],
      'does not recognize this encoded version x',
    ],
    [
      'a token without a revision',
      ['pods', '--continue=eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MCwic3RhcnQiOiJhIn0'],
      'incorrect encoded start resourceVersion',
    ],
    [
      'a token without a start',
      ['pods', '--continue=eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MX0'],
      'encoded start key empty',
    ],
    [
      'a token that leads out of its prefix',
      ['pods', '--continue=eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOiIuLi9hIn0'],
      'continue key is not valid: ../a',
    ],
    [
      'a version beside a token',
      ['pods', `--continue=${token(5n)}`, '--resource-version=4'],
      'specifying resource version is not allowed when using continue',
    ],
    ['a version that is none', ['pods', '--resource-version=new'], 'invalid resource version'],
    [
      'a match without a version',
      ['pods', '--resource-version-match=Exact'],
      'is forbidden unless resourceVersion',
    ],
    [
      'an unknown match',
      ['pods', '--resource-version=1', '--resource-version-match=Any'],
      'Unsupported value: "Any"',
    ],
    [
      'a field that the resource lacks',
      ['pods', '--field-selector=spec.x=1'],
      'field label not supported: spec.x',
    ],
    ['a name without its namespace', ['pods', 'pod-001'], 'say with -n in which namespace'],
    ['a name that cannot be one', ['pods', 'a%2Fb', '-n', 'web'], '"a%2Fb" cannot be a name'],
    ['a path that leaves the prefix', ['/registry/../x/'], 'invalid key'],
    [
      'a namespace for a prefix',
      ['/registry/pods/', '-n', 'web'],
      '--namespace does not go with a prefix',
    ],
    ['an empty prefix', ['/'], 'an empty prefix would read every key'],
    ['a negative limit', ['pods', '--limit=-1'], '--limit -1 is negative'],
    [
      'a certificate that is not there',
      ['pods', '--cacert=/no/such.pem'],
      '--cacert /no/such.pem cannot be read: there is no such file',
    ],
    ['a user with nobody to ask', ['pods', '--user=root'], 'there is no terminal to ask on'],
  ])('%s', async (_, args, sentence) => {
    const { code, stdout, stderr } = await get(...args);
    expect(stderr).toContain(sentence);
    expect([code, stdout]).toEqual([2, '']);
  });

  it('shows the place in a malformed selector, on wide and broken lines too', async () => {
    const { code, stderr } = await get('pods', '-l', 'app=日本,\n tier in (a,\u001b');
    expect(code).toBe(2);
    const [sentence, line, carets] = stderr.split('\n');
    expect(sentence).toContain('error: --selector is refused at line ');
    expect(line).toMatch(/^ {2}/);
    expect(carets).toMatch(/^ +\^+$/);
  });

  it.each([
    [['get', 'pods\u001b[31m']],
    [['get', 'pods', '--x\u001b[31m']],
    [['ge\u001b[31mt']],
    [['get', 'pods', '-o', 'x\u001b[31m']],
  ])('%j is repeated without what a terminal obeys', async (args) => {
    const result = await cli.run(args, { env: { ETCDCTL_ENDPOINTS: etcd.endpoint } });
    expectCalm(result);
    expect(result.code).toBe(2);
  });

  it('a port that is taken', async () => {
    const result = await cli.run(['demo', '--port', etcd.endpoint.split(':')[1] ?? '']);
    expect(result.stderr).toContain('the port is taken; give another with --port');
    expect([result.code, result.stderr.trim().split('\n').length]).toEqual([1, 1]);
  });

  it('never repeats a password', async () => {
    const { code, stderr } = await get('pods', '--password', 'hunter2', '--user', 'root:hunter2');
    expect(code).toBe(2);
    expect(stderr).not.toContain('hunter2');
  });
});

describe('what etcd cannot give exits with 1', () => {
  it('an object that is not there', async () => {
    const { code, stderr } = await get('pods', 'nope', '-n', 'web');
    expect([code, stderr.includes('error: pods "nope" not found in namespace "web"')]).toEqual([
      1,
      true,
    ]);
  });

  it('a revision that is not reached', async () => {
    const { code, stderr } = await get('pods', '--limit=1', '--resource-version=99999');
    expect(code).toBe(1);
    expect(stderr).toContain('Too large resource version: 99999, current: ');
  });

  it('a value that cannot be decoded, named by its key', async () => {
    const { code, stdout, stderr } = await get('configmaps', '-o', 'name');
    expect(code).toBe(1);
    expect(stderr).toContain('error: /registry/configmaps/web/b cannot be read: ');
    expect(stdout).toBe('configmap/a\nconfigmap/c\n');
    const gate = '--feature-gates=AllowUnsafeMalformedObjectDeletion=false';
    expect((await get('configmaps', '-o', 'name', gate)).stdout).not.toContain('configmap/c');
    const skipped = await get('configmaps', '-o', 'name', '--skip-unreadable');
    expect([skipped.code, skipped.stdout]).toEqual([0, 'configmap/a\nconfigmap/c\n']);
    expect(skipped.stderr).toContain(
      'warning: /registry/configmaps/web/b cannot be read and is left out',
    );
  });

  it.each(['text', 'json'])(
    'hostile values, told without what a terminal obeys (%s)',
    async (form) => {
      const hostile = ['replicasets', '-o', 'name', `--receipt=${form}`];
      const skipped = await get(...hostile, '--skip-unreadable');
      expect([skipped.code, skipped.stdout]).toEqual([0, '']);
      for (const name of hostileValues.keys()) {
        expect(skipped.stderr).toContain(
          `warning: /registry/replicasets/web/${name} cannot be read and is left out: `,
        );
      }
      const reasons = skipped.stderr.split('\n').filter((line) => line.startsWith('warning: '));
      expect(reasons).toHaveLength(hostileValues.size);
      for (const reason of reasons) expect(reason).toMatch(/31m/);
      const stopped = await get(...hostile);
      expect(stopped.code).toBe(1);
      expect(stopped.stderr).toContain('cannot be read: ');
    },
  );

  it('a value that is encrypted, named as such', async () => {
    const { code, stderr } = await get('secrets');
    expect(code).toBe(1);
    expect(stderr).toContain(
      '/registry/secrets/web/s cannot be read: encrypted by aescbc, key "key1"',
    );
  });

  it('a page beyond the byte budget, refused before it is read or when it comes', async () => {
    const before = await get('pods', '--chunk-size=0', '--stream=off', '--byte-budget=20kB');
    expect(before.code).toBe(1);
    expect(before.stderr).toContain('more than the byte budget of 20.0 kB: ask for smaller pages');
    const arrived = await get('pods', '--limit=300', '--stream=off', '--byte-budget=20kB');
    expect(arrived.code).toBe(1);
    expect(arrived.stderr).toContain('one reply is larger than the byte budget');
  });

  it.each([
    ['an endpoint where nobody listens', () => '127.0.0.1:1', 'cannot be reached'],
    [
      'a server that is not etcd',
      () => `127.0.0.1:${(web.address() as AddressInfo).port}`,
      "is not etcd's gRPC port",
    ],
    [
      'an endpoint without the TLS that is asked for',
      () => `https://${etcd.endpoint}`,
      'The TLS connection to',
    ],
  ])('%s', async (_, endpoint, sentence) => {
    const result = await cli.run(['get', 'pods', '--endpoints', endpoint(), '--receipt=json']);
    expectCalm(result);
    expect(result.code).toBe(1);
    expect(result.stderr).toContain(sentence);
    expect(receiptOf(result.stderr).total).toMatchObject({ returned: 0 });
    const probe = await cli.run(['probe', '--endpoints', endpoint()]);
    expectCalm(probe);
    expect([probe.code, probe.stdout]).toEqual([1, '']);
  });
});

describe('what etcd has compacted exits with 3', () => {
  it('a version', async () => {
    const exact = ['--resource-version-match=Exact', `--resource-version=${compacted}`];
    const { code, stderr } = await get('pods', ...exact);
    expect(code).toBe(3);
    expect(stderr).toContain('410 Expired: The resourceVersion for the provided list is too old.');
  });

  it('a token, with another to go on and the command for it', async () => {
    const { code, stderr } = await get(
      'pods',
      '--limit=5',
      '-o',
      'name',
      `--continue=${token(compacted)}`,
    );
    expect(code).toBe(3);
    const next = /to go on, inconsistently: etcd-list (.*)/.exec(stderr)?.[1]?.split(' ') ?? [];
    const { code: goneOn, stdout } = await cli.run(next);
    expect([goneOn, stdout.split('\n')[0]]).toEqual([0, 'pod/pod-011']);
  });
});

describe('keys that are not UTF-8', () => {
  it('are listed, with a warning where a token may skip some', async () => {
    const { code, stdout, stderr } = await get('/odd/128/', '--chunk-size=1');
    expect(stdout).toContain('/odd/128/\\x80a');
    expect(stderr).toContain(
      'warning: the continue token cannot carry the key /odd/128/\\x80a exactly',
    );
    expect(code).toBe(0);
  });

  it('stop the following where a token leads back', async () => {
    const { code, stderr } = await get('/odd/255/', '--chunk-size=1', '--receipt=json');
    expect(code).toBe(1);
    expect(stderr).toContain('does not lead beyond the key /odd/255/\\xffa');
    const second = await get('/odd/255/', '--chunk-size=0', '--receipt=json');
    expect(receiptOf(second.stderr).total).toMatchObject({ returned: 3 });
  });
});
