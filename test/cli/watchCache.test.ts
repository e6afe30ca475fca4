/** `get` from a watch cache: filled, listed from, stopped. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemoEtcd, type DemoEtcd } from '../../server/demo/demoEtcd';
import { seedCluster } from '../../server/demo/seed';
import { utf8 } from '../../server/common/bytes';
import { etcdBinary, startEtcd } from '../support/etcdServer';
import { requireOrSkip } from '../support/requireOrSkip';
import { buildCli, expectCalm, receiptOf, type BuiltCli } from './process';

let cli: BuiltCli;
let etcd: DemoEtcd;

beforeAll(async () => {
  [cli, etcd] = await Promise.all([buildCli(), startDemoEtcd()]);
  await seedCluster(etcd.store, { pods: 2000 });
});

afterAll(async () => {
  await etcd.stop();
  cli.remove();
});

const get = (...args: string[]) => cli.run(['get', ...args, '--endpoints', etcd.endpoint]);
const cached = (...args: string[]) => get(...args, '--serve-from=watch-cache');
const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');

describe('a list from a watch cache', () => {
  it('has the rows that etcd gives, in every way of paging', async () => {
    const ways = [
      [],
      ['--chunk-size=0'],
      ['--chunk-size=170', '-l', 'app=nginx'],
      ['--limit=9', '--follow', '-l', 'app=nginx', '--field-selector', 'status.phase=Running'],
      ['-n', 'billing-dev', '-o', 'json'],
    ];
    for (const way of ways) {
      const [ours, theirs] = await Promise.all([cached('pods', ...way), get('pods', ...way)]);
      expect([ours.code, theirs.code]).toEqual([0, 0]);
      // A stream's first chunk makes other columns, and ages are counted from another moment.
      const rows = (text: string): string => text.replace(/ +(\d+[dhms]\w* )?/g, ' ');
      expect(rows(ours.stdout)).toBe(rows(theirs.stdout));
      expect(lines(ours.stdout).length).toBeGreaterThan(5);
    }
  });

  it('tells what the cache took, and asks etcd for its revision only', async () => {
    const { stderr } = await cached('pods', '--limit=3', '--receipt=json', '-o', 'name');
    expect(stderr).toMatch(/^note: a watch cache of pods is filled: 2,000 objects, about /);
    expect(stderr).toMatch(/^note: it holds 2,000 objects \(.* MB\) as of revision /m);
    const { requests, total } = receiptOf(stderr);
    expect(requests.map(({ operation }) => operation)).toEqual(['getCurrentResourceVersion']);
    expect(total).toMatchObject({
      requests: 1,
      fetched: 2000,
      returned: 3,
      remainingItemCount: 1997,
      servedBy: 'watchcache',
    });
  });

  it('ignores the limit where the version is 0, and says nothing of API servers', async () => {
    const { stdout, stderr } = await cached(
      'pods',
      '--limit=3',
      '--resource-version=0',
      '-o',
      'name',
    );
    expect(lines(stdout)).toHaveLength(2000);
    expect(stderr).toContain('from the watch cache · 0 round trips · 0 B · ');
    expect(stderr).not.toContain('an API server answers');
  });

  it('goes on with a token of its own, which etcd takes as well', async () => {
    const first = await cached('pods', '--limit=3', '--receipt=json', '-o', 'name');
    const token = String(receiptOf(first.stderr).total?.['continue']);
    expect(Buffer.from(token, 'base64url').toString()).toMatch(/"start":"\//);
    const more = ['pods', '--limit=3', `--continue=${token}`, '-o', 'name'];
    const [fromCache, fromEtcd] = await Promise.all([cached(...more), get(...more)]);
    expect(fromCache.stdout).toBe(fromEtcd.stdout);
    expect(lines(fromCache.stdout)).toHaveLength(3);
  });

  it('passes tokens on to etcd where the gate ListFromCacheSnapshot is off', async () => {
    const asked = ['pods', '--limit=800', '--follow', '--receipt=json', '-o', 'name'];
    const off = '--feature-gates=ListFromCacheSnapshot=false';
    const [without, by] = await Promise.all([cached(...asked, off), cached(...asked)]);
    expect(lines(without.stdout)).toHaveLength(2000);
    expect(without.stdout).toBe(by.stdout);
    expect(receiptOf(by.stderr).total?.['servedBy']).toBe('watchcache');
    expect(receiptOf(without.stderr).total?.['servedBy']).toBe('mixed');
  });

  it('is refused before it is filled where it would be too large', async () => {
    const refused = await cached('pods', '--watch-cache-limit=1MiB');
    expect(refused.code).toBe(1);
    expect(refused.stdout).toBe('');
    expect(refused.stderr).toMatch(
      /^error: a watch cache of 2,000 objects would take about \d+\.\d MB, more than its limit of 1\.0 MB: allow more with --watch-cache-limit, or list from etcd\n$/,
    );
    expectCalm(refused);
  });

  it('is refused with the key where an object cannot be read', async () => {
    const key = utf8('/registry/configmaps/broken/one');
    etcd.store.put(key, utf8('k8s\0\u0001'));
    try {
      const refused = await cached('configmaps');
      expect(refused.code).toBe(1);
      expect(refused.stderr).toMatch(
        /^error: \/registry\/configmaps\/broken\/one cannot be read: .*; a watch cache holds all objects of a resource or none: list from etcd$/m,
      );
      expect(refused.stderr).not.toContain('--skip-unreadable');
      expectCalm(refused);
    } finally {
      etcd.store.delete(key);
    }
  });
});

const has34 = requireOrSkip('etcd 3.4', etcdBinary('3.4'), 'it is looked for in the system');
describe.skipIf(has34)('on etcd 3.4', () => {
  it('says that consistent lists go to etcd, which serves them', async () => {
    const old = await startEtcd('3.4');
    try {
      for (let i = 0; i < 5; i++) {
        const object = {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: `c${i}`, namespace: 'a' },
        };
        await old.writer.put(`/registry/configmaps/a/c${i}`, utf8(JSON.stringify(object)));
      }
      const { code, stderr, stdout } = await cli.run([
        ...['get', 'configmaps', '--limit=2', '--follow', '--receipt=json', '-o', 'name'],
        ...['--serve-from=watch-cache', '--endpoints', old.endpoint],
      ]);
      expect([code, lines(stdout).length]).toEqual([0, 5]);
      expect(stderr).toContain('lists without a resource version go to etcd, whose version');
      const { requests, total } = receiptOf(stderr);
      expect(requests.map(({ operation }) => operation)).toEqual(['list']);
      expect(total?.['servedBy']).toBe('mixed');
    } finally {
      await old.stop();
    }
  });
});
