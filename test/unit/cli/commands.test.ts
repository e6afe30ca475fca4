/** Whole commands in this process, on an etcd in memory. */
import { status } from '@grpc/grpc-js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runApp } from '../../../server/cli/app';
import { StoppedError } from '../../../server/cli/exit';
import { systemClock } from '../../../server/common/clock';
import { concatBytes, utf8 } from '../../../server/common/bytes';
import { CallFailure } from '../../../server/demo/failures';
import type { CallRecord } from '../../../server/demo/callLog';
import { startDemoEtcd, type DemoEtcd } from '../../../server/demo/demoEtcd';
import { keptContext, type KeptContext } from './support';

let etcd: DemoEtcd;
let onCall: (call: CallRecord) => void | Promise<void>;

beforeAll(async () => {
  etcd = await startDemoEtcd({ rangeStream: false, onCall: () => onCall(etcd.calls.at(-1)!) });
  const put = (key: string, value: string | object): unknown =>
    etcd.store.put(utf8(key), utf8(typeof value === 'string' ? value : JSON.stringify(value)));
  const object = (kind: string, name: string, extra: object = {}) => ({
    ...{ apiVersion: 'v1', kind, metadata: { name, namespace: 'v' } },
    ...extra,
  });
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    put(`/registry/pods/v/${name}`, object('Pod', name));
  }
  put('/registry/configmaps/v/01enc', 'k8s:enc:aescbc:v1:key1:xxxx');
  put(
    '/registry/services/specs/v/big',
    '{"apiVersion":"v1","kind":"Service","metadata":{},"n":1e400}',
  );
  put('/registry/secrets/ns0/s1', object('ConfigMap', 's1', { data: { password: 'hunter2' } }));
  for (const tail of ['a', 'b', 'c']) {
    etcd.store.put(concatBytes(utf8('/odd/'), Uint8Array.of(0xff, 0xfe), utf8(tail)), utf8('v'));
  }
});

afterAll(() => etcd.stop());

beforeEach(() => {
  onCall = () => undefined;
});

interface Ran extends KeptContext {
  readonly code: number;
  readonly said: string;
  readonly printed: string;
  readonly total: Record<string, unknown> | undefined;
}

async function run(argv: readonly string[], extra: Parameters<typeof keptContext>[0] = {}) {
  const kept = keptContext({
    env: { ETCDCTL_ENDPOINTS: etcd.endpoint },
    clock: systemClock,
    invocation: { program: 'etcd-list', argv },
    ...extra,
  });
  const code = await runApp(argv, kept.context, '0');
  const line = kept.notes.find((note) => note.startsWith('{"type":"total"'));
  const ran: Ran = {
    ...kept,
    code,
    said: kept.notes.join('\n'),
    printed: kept.rows.join(''),
    total: line === undefined ? undefined : (JSON.parse(line) as Record<string, unknown>),
  };
  return ran;
}

const isRange = ({ method }: CallRecord): boolean => method.endsWith('/Range');
const refusal = (code: status, details: string): Error => new CallFailure(code, details);

/** Serves so many reads, then fails each. */
function failAfter(reads: number, error: Error): void {
  let served = 0;
  onCall = (call) => {
    if (isRange(call) && ++served > reads) throw error;
  };
}

describe('the totals of a command that failed', () => {
  const pages = ['get', 'pods', '--chunk-size=2', '-o', 'name'];

  it('say that following stopped at a token', async () => {
    const { code, total, said } = await run([
      'get',
      '/odd/',
      '--limit=2',
      '--follow',
      '--receipt=json',
    ]);
    expect(code).toBe(1);
    expect(total?.['error']).toMatchObject({
      code: 'tokenLeadsBack',
      message: expect.stringContaining('following stops') as string,
    });
    expect(said).toContain('error: following stops');
  });

  it('say that rows could not be written', async () => {
    const full = Object.assign(new Error('full'), { code: 'ENOSPC', syscall: 'write' });
    const rows = { isTTY: false, columns: undefined, write: () => Promise.reject(full) };
    const { code, total, said } = await run([...pages, '--receipt=json'], { rows });
    expect([code, total?.['error']]).toEqual([1, { code: 'ENOSPC', message: 'full' }]);
    expect(said).toContain('error: cannot write to standard output: no space left');
  });

  it('say that the object is not there', async () => {
    const { code, total } = await run(['get', 'pods', 'x', '-n', 'v', '--receipt=json']);
    expect([code, total?.['error']]).toMatchObject([1, { code: 'notFound' }]);
  });

  it('say nothing of the kind after one that did not', async () => {
    const { code, total } = await run([...pages, '--receipt=json']);
    expect([code, total?.['returned'], total?.['continue']]).toEqual([0, 5, '']);
    expect(total).not.toHaveProperty('error');
  });

  it('hold the token to go on with after a connection that broke', async () => {
    failAfter(2, refusal(status.UNAVAILABLE, 'gone'));
    const broken = await run([...pages, '--receipt=json']);
    expect([broken.code, broken.total?.['error']]).toMatchObject([1, { code: 'unavailable' }]);
    expect(broken.printed).toBe('pod/a\npod/b\npod/c\npod/d\n');
    onCall = () => undefined;
    const rest = await run([...pages, `--continue=${String(broken.total?.['continue'])}`]);
    expect([rest.code, rest.printed]).toEqual([0, 'pod/e\n']);
  });

  it('are followed by the command to go on with', async () => {
    failAfter(1, refusal(status.UNAVAILABLE, 'gone'));
    const { said } = await run(pages);
    const command = /to go on where it stopped: etcd-list (.*)/.exec(said)?.[1] ?? '';
    onCall = () => undefined;
    const rest = await run(command.split(' '));
    expect([rest.code, rest.printed]).toEqual([0, 'pod/c\npod/d\npod/e\n']);
  });

  it('have no token before the first page is through', async () => {
    failAfter(0, refusal(status.UNAVAILABLE, 'gone'));
    const { said, total } = await run([...pages, '--receipt=json']);
    expect([total?.['continue'], said.includes('to go on')]).toEqual(['', false]);
  });

  it('hold the token that a 410 offers', async () => {
    const text = 'etcdserver: mvcc: required revision has been compacted';
    failAfter(1, refusal(status.OUT_OF_RANGE, text));
    const expired = await run([...pages, '--receipt=json']);
    const error = expired.total?.['error'] as Record<string, string>;
    expect([expired.code, error['code']]).toEqual([3, 'expiredWithContinue']);
    onCall = () => undefined;
    const rest = await run([...pages, `--continue=${error['continue'] ?? ''}`]);
    expect([rest.code, rest.printed]).toEqual([0, 'pod/c\npod/d\npod/e\n']);
  });

  it('say that the terminal closed', async () => {
    const stop = new AbortController();
    onCall = (call) => {
      if (isRange(call)) stop.abort(new StoppedError('hangUp'));
    };
    const { code, total } = await run([...pages, '--receipt=json'], { signal: stop.signal });
    expect([code, total?.['error']]).toMatchObject([129, { code: 'cancelled' }]);
  });
});

describe('what cannot be read', () => {
  it.each([[[]], [['--skip-unreadable']]])('is not called absent, with %j', async (more) => {
    const { code, said } = await run(['get', 'configmaps', '01enc', '-n', 'v', ...more]);
    expect(code).toBe(1);
    expect(said).toContain(
      'error: /registry/configmaps/v/01enc cannot be read: encrypted by aescbc, key "key1"',
    );
    expect(said).not.toContain('not found');
    expect(said).not.toContain('--skip-unreadable');
  });

  it('is not called absent when a whole list is left out', async () => {
    const { code, said } = await run(['get', 'configmaps', '--skip-unreadable']);
    expect(code).toBe(0);
    expect(said).toContain('no configmaps that can be read: 1 left out');
  });

  it('is an object with a number that no double holds', async () => {
    const { code, said, printed } = await run(['get', 'services', '-o', 'json']);
    expect([code, printed]).toEqual([1, '']);
    expect(said).toContain('malformed JSON: a number is out of range');
  });
});

describe('a prefix that is a key', () => {
  const keyed = ['get', '/registry/secrets/ns0/s1'];

  it('is listed as the key it is', async () => {
    const { code, said, printed } = await run(keyed);
    expect(code).toBe(0);
    expect(printed).toMatch(/^\/registry\/secrets\/ns0\/s1 /m);
    expect(said).toContain('nothing lies below this prefix; it is a key itself');
  });

  it('is masked where Secrets are', async () => {
    for (const output of ['json', 'yaml', 'ndjson', 'wide']) {
      const { printed } = await run([...keyed, '-o', output]);
      expect(printed).toContain('s1');
      expect(printed).not.toContain('hunter2');
    }
    expect((await run([...keyed, '-o', 'json', '--show-secrets'])).printed).toContain('hunter2');
  });

  it('is not looked for behind a slash, nor when something lies below', async () => {
    for (const [prefix, reads] of [
      ['/registry/secrets/ns0/s1/', 1],
      ['/registry/pods', 1],
      ['/registry/none', 2],
    ] as const) {
      const before = etcd.calls.length;
      const { code } = await run(['get', prefix]);
      const made = etcd.calls.slice(before).filter(isRange);
      expect([prefix, code, made.length]).toEqual([prefix, 0, reads]);
    }
  });
});

describe('words', () => {
  it('name user and prefix where a role is missing', async () => {
    failAfter(0, refusal(status.PERMISSION_DENIED, 'etcdserver: permission denied'));
    const env = {
      ETCDCTL_ENDPOINTS: etcd.endpoint,
      ETCDCTL_USER: 'x:y',
    };
    const { code, said } = await run(['get', 'pods'], { env });
    expect(code).toBe(1);
    expect(said).toContain(
      `error: The etcd user "x" may not read /registry/pods/… at ${etcd.endpoint}: ask for a role that grants reading it.`,
    );
  });

  it('name only resources that are near', async () => {
    const far = await run(['get', 'xylophones']);
    expect(far.said).toBe(
      'error: there is no resource "xylophones"; "etcd-list resources" says what is stored',
    );
    expect((await run(['get', 'deploymnets'])).said).toContain('the nearest is deployments;');
  });

  it('shorten what is very long', async () => {
    const { code, said } = await run(['get', `pods${'x'.repeat(9000)}`]);
    expect([code, said.includes('there is no resource "podsxxx')]).toEqual([2, true]);
    expect(said.length).toBeLessThan(400);
  });

  it('say once that a variable of etcdctl is not used', async () => {
    const env = {
      ETCDCTL_ENDPOINTS: etcd.endpoint,
      ETCDCTL_DISCOVERY_SRV: 'example.com',
      ETCDCTL_AUTH_JWT_TOKEN: 'hunter2',
    };
    const { code, notes } = await run(['get', 'pods'], { env });
    const warnings = notes.filter((note) => note.startsWith('warning:'));
    expect([code, warnings.length]).toEqual([0, 1]);
    expect(warnings[0]).toContain('ETCDCTL_DISCOVERY_SRV and ETCDCTL_AUTH_JWT_TOKEN are set');
    expect(warnings[0]).not.toContain('hunter2');
  });

  it.each([
    [{ ETCDCTL_CACERT: '/tmp' }, [], 'ETCDCTL_CACERT /tmp cannot be read: it is a folder'],
    [{}, ['--cacert=/tmp'], '--cacert /tmp cannot be read: it is a folder'],
    [{ ETCDCTL_ENDPOINTS: '::1:2379' }, [], 'ETCDCTL_ENDPOINTS is refused: The IPv6 address'],
    [{}, ['--endpoints=::1:2379'], '--endpoints is refused: The IPv6 address'],
    [
      { ETCDCTL_ENDPOINTS: 'http://a', ETCDCTL_CACERT: 'ca' },
      ['--insecure-transport=false'],
      'http:// and ETCDCTL_CACERT, --insecure-transport=false ask for TLS',
    ],
  ])('blame what a value came from: %j %j', async (env, more, sentence) => {
    const folder = Object.assign(new Error('folder'), { code: 'EISDIR' });
    const readFile = () => Promise.reject(folder);
    const { code, said } = await run(['get', 'pods', ...more], { env, readFile });
    expect(code).toBe(2);
    expect(said).toContain(sentence);
  });

  it('of a probe that has no answer are those of a get', async () => {
    const open: (() => void)[] = [];
    onCall = () => new Promise((resolve) => open.push(resolve));
    const sentences = [];
    for (const command of [['probe'], ['get', 'pods']]) {
      const { said } = await run([...command, '--command-timeout=300ms']);
      sentences.push(/error: .*/.exec(said)?.[0].replace(/\d+ ms/, 'N ms'));
    }
    for (const release of open) release();
    expect(sentences[0]).toBe(
      `error: etcd at ${etcd.endpoint} did not answer in time (no answer within N ms): try again, or raise the deadline. The flag is --command-timeout.`,
    );
    expect(sentences[1]).toBe(sentences[0]);
  });

  it('of a token repeat no number that is the same in groups', async () => {
    const small = await run(['token', 'encode', '--rv', '5', '--start', 'a']);
    const decoded = await run(['token', 'decode', small.printed.trim()]);
    expect(decoded.printed).toContain('revision   5 (410 once etcd has compacted it)');
    const large = await run(['token', 'encode', '--rv', '26320', '--start', 'a']);
    const grouped = await run(['token', 'decode', large.printed.trim()]);
    expect(grouped.printed).toContain('revision   26320 (26,320; 410 once');
  });

  it('count one object as one', async () => {
    const { said } = await run(['get', 'pods', '--limit=4']);
    expect(said).toContain('1 more object follows');
  });
});
