import { CancellationTokenSource } from 'vscode-jsonrpc/node';
import { expect, it } from 'vitest';
import { utf8 } from '../../server/common/bytes';
import { startDemoEtcd, type DemoEtcd } from '../../server/demo/demoEtcd';
import { waitFor } from '../support/waitFor';
import { connectTo, query, refusalOf, useServer } from './client';

const server = useServer();

function put(etcd: DemoEtcd, count: number): void {
  for (let i = 0; i < count; i++) {
    const name = `p-${String(i).padStart(5, '0')}`;
    const labels = i % 10 === 9 ? { app: 'nginx' } : {};
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { namespace: 'web', name, labels } };
    etcd.store.put(utf8(`/registry/pods/web/${name}`), utf8(JSON.stringify(pod)));
  }
}

async function connected(
  options: Parameters<typeof startDemoEtcd>[0] = {},
  settings: Parameters<typeof server.start>[0] = {},
) {
  const etcd = await startDemoEtcd(options);
  server.after(() => etcd.stop());
  put(etcd, 1000);
  const client = await server.start(settings);
  await connectTo(client, etcd.endpoint);
  return { etcd, client };
}

const asked = query({ labelSelector: 'app=nginx', limit: '5' });

it('a comparison is estimated by a bounded sample, and then tells what each way took', async () => {
  const { etcd, client } = await connected();
  const before = etcd.calls.length;
  const forecast = await client.request('etcdList/forecastWays', { query: asked, toTheEnd: false });
  expect(etcd.calls.length - before).toBeLessThan(40);
  expect(forecast.keys).toBe('1000');
  expect(forecast.ways.map(({ way, requests, keys }) => [way, requests, keys])).toEqual([
    ['pages', 4, 75],
    ['stream', 1, 50],
    ['naive', 10, 50],
    ['adaptive', 3, 108],
  ]);
  const done = await client.request('etcdList/compareWays', { query: asked, toTheEnd: false });
  expect(done.failure).toBeUndefined();
  const lines = done.text.split('\n');
  expect(lines[0]).toBe('pods -l app=nginx limit 5: one list, read in 4 ways');
  expect(lines[3]).toMatch(/^pages +4 +75 +25 +50 +5 /);
  expect(done.text).toMatch(/^all 4 runs gave the same 5 objects at revision [\d,]+: keys, /m);
});

it.each([true, false])(
  'obeys the gates of the settings: unreadable objects are collected, %s',
  async (on) => {
    const featureGates = { AllowUnsafeMalformedObjectDeletion: on };
    const { etcd, client } = await connected({}, { featureGates });
    etcd.store.put(utf8('/registry/pods/web/p-00001x'), utf8('{"kind":'));
    etcd.store.put(utf8('/registry/pods/web/p-00002x'), utf8('{"kind":'));
    const params = { query: asked, toTheEnd: false };
    const { failure } = await client.request('etcdList/compareWays', params);
    expect(failure?.sentence).toContain('/registry/pods/web/p-00001x cannot be read');
    expect(failure?.sentence.includes('p-00002x cannot be read')).toBe(on);
  },
);

it.each([
  [{ limit: '' }, /without a limit is one read/],
  [{ continueToken: 'x' }, /invalid continue token|begins at the start/],
  [{ namespace: 'web', fieldSelector: 'metadata.name=p-00001' }, /One object is read in one way/],
] as const)('is refused where there is nothing to compare: %j', async (over, sentence) => {
  const { client } = await connected();
  const params = { query: { ...asked, ...over }, toTheEnd: false };
  const { failure } = await refusalOf(client.request('etcdList/compareWays', params));
  expect(failure.sentence).toMatch(sentence);
});

it('a comparison that is stopped ends the etcd call, and tells what was read till then', async () => {
  // Four pages double, and the third of those of the limit stalls.
  let pages = 0;
  const { etcd, client } = await connected({
    onCall: (method) => {
      if (!method.endsWith('/Range') || pages === 0) return undefined;
      return --pages === 0 ? new Promise<void>(() => undefined) : undefined;
    },
  });
  pages = 7;
  const source = new CancellationTokenSource();
  const params = { query: asked, toTheEnd: false };
  const running = client.request('etcdList/compareWays', params, source.token);
  const call = await waitFor(() =>
    pages === 0 ? etcd.calls.find(({ endedAt }) => endedAt === undefined) : undefined,
  );
  source.cancel();
  await waitFor(() => call.cancelled);
  const { text, failure } = await running;
  expect(failure).toMatchObject({ code: 'cancelled' });
  expect(text).toMatch(/^pages +4 +75 /m);
  expect(text).toMatch(/^naive .*broken off$/m);
  expect(text).toMatch(/^adaptive {2}not run$/m);
});
