/** Gates that a list obeys at etcd, on an etcd in memory that has RangeStream. */
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
});

afterAll(() => etcd.stop());

async function get(...gates: string[]) {
  const argv = ['get', 'configmaps', '--chunk-size=0', '--receipt=json', ...gates];
  const invocation = { program: 'etcd-list', argv };
  const env = { ETCDCTL_ENDPOINTS: etcd.endpoint };
  const { context, notes } = keptContext({ env, clock: systemClock, invocation });
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

it('AllowUnsafeMalformedObjectDeletion collects what cannot be read, where it is set', async () => {
  const first = await get();
  expect([first.code, first.said.includes('configmaps/v/b')]).toEqual([1, false]);
  const all = await get('--feature-gates=AllowUnsafeMalformedObjectDeletion=true');
  expect(all.code).toBe(1);
  expect(all.said).toContain('failed to read one or more configmaps from the storage');
  expect(all.said).toContain('(and 1 more)');
});

it.each([
  ['ConsistentListFromCache=true', 'it was removed in 1.37'],
  ['EtcdRangeStream', 'write EtcdRangeStream=true or =false'],
  ['WatchList=true,Other=false', '--feature-gates Other: it is none of the gates of 1.37'],
])('%s is refused as wrong usage', async (gates, said) => {
  const { code, said: told } = await get(`--feature-gates=${gates}`);
  expect([code, told]).toEqual([2, expect.stringContaining(said)]);
});
