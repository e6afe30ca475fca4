/** Gates that a list obeys at etcd, on an etcd in memory that has RangeStream. */
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runApp } from '../../../server/cli/app';
import { systemClock } from '../../../server/common/clock';
import { utf8 } from '../../../server/common/bytes';
import { startDemoEtcd, type DemoEtcd } from '../../../server/demo/demoEtcd';
import { keptContext } from './support';

let etcd: DemoEtcd;

beforeAll(async () => {
  etcd = await startDemoEtcd({});
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c', namespace: 'v' } };
  etcd.store.put(utf8('/registry/configmaps/v/a'), utf8('k8s:enc:aescbc:v1:key1:xxxx'));
  etcd.store.put(utf8('/registry/configmaps/v/b'), utf8('{"kind":'));
  etcd.store.put(utf8('/registry/configmaps/v/c'), utf8(JSON.stringify(map)));
  etcd.store.put(utf8('/registry/configmaps/w/c'), utf8(JSON.stringify(map)));
  etcd.store.put(utf8('/registry/configmaps/w/d'), utf8(JSON.stringify(map)));
  etcd.store.put(utf8('/other/configmaps/v/d'), utf8('{"kind":'));
});

afterAll(() => etcd.stop());

const get = (...flags: string[]) =>
  ran(['get', 'configmaps', '--chunk-size=0', '--receipt=json', ...flags]);

const run = (query: string, ...flags: string[]) => ran(['run', '-', ...flags], query);

async function ran(argv: readonly string[], input = '') {
  const invocation = { program: 'etcd-list', argv };
  const env = { ETCDCTL_ENDPOINTS: etcd.endpoint };
  const stdin = Readable.from([Buffer.from(input)]);
  const { context, notes } = keptContext({ env, clock: systemClock, invocation, stdin });
  const code = await runApp(argv, context, '0');
  const lines = notes.filter((note) => note.startsWith('{"type":'));
  const records = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const operations = records.flatMap(({ operation }) =>
    operation === undefined ? [] : [operation],
  );
  return { code, said: notes.join('\n'), operations };
}

it('EtcdRangeStream chooses between stream and pages', async () => {
  expect((await get()).operations).toEqual(['listStream']);
  expect((await get('--feature-gates=EtcdRangeStream=false')).operations).toEqual([
    'listWithCount',
    'list',
  ]);
});

it('AllowUnsafeMalformedObjectDeletion collects what cannot be read, unless it is off', async () => {
  const first = await get('--feature-gates=AllowUnsafeMalformedObjectDeletion=false');
  expect([first.code, first.said.includes('configmaps/v/b')]).toEqual([1, false]);
  const all = await get();
  expect(all.code).toBe(1);
  expect(all.said).toContain(
    'error: 2 objects cannot be read; --skip-unreadable leaves such objects out and names them\n',
  );
  expect(all.said).toMatch(/^ {2}\/registry\/configmaps\/v\/a cannot be read: .*aescbc/m);
  expect(all.said).toMatch(/^ {2}\/registry\/configmaps\/v\/b cannot be read: /m);
  const named = await get('--feature-gates=AllBeta=false');
  expect(named.said.includes('configmaps/v/b')).toBe(false);
});

it('of a single object that was collected the sentence is as of one that ended the list', async () => {
  const one = await get('--root=/other');
  expect(one.code).toBe(1);
  expect(one.said).toContain('error: /other/configmaps/v/d cannot be read: ');
  expect(one.said).toContain('; --skip-unreadable leaves');
});

it('run takes the gates for all lists, and repeats them in the command that goes on', async () => {
  const off = '--feature-gates=EtcdRangeStream=false,AllowUnsafeMalformedObjectDeletion=false';
  const text = 'list configmaps -n w --limit=1';
  const paged = await run(text, off);
  expect([paged.code, paged.said]).toEqual([0, expect.stringMatching(/^ *1 +list +1 /m)]);
  expect(paged.said).toContain(`--limit=1 ${off} --continue=`);
  const whole = await run(text, '--receipt=json');
  expect(whole.operations).toEqual(['listStream']);
});

it('run refuses gates that get refuses', async () => {
  expect((await run('list configmaps', '--feature-gates=WatchLits=true')).code).toBe(2);
});

it.each([
  ['ConsistentListFromCache=true', 'it was removed in 1.37'],
  ['EtcdRangeStream', 'write EtcdRangeStream=true or =false'],
  ['WatchList=true,Other=false', '--feature-gates Other: it is none of the gates of 1.37'],
])('%s is refused as wrong usage', async (gates, said) => {
  const { code, said: told } = await get(`--feature-gates=${gates}`);
  expect([code, told]).toEqual([2, expect.stringContaining(said)]);
});
