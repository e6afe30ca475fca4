import { CancellationTokenSource } from 'vscode-jsonrpc/node';
import { expect, it } from 'vitest';
import { startDemoEtcd } from '../../server/demo/demoEtcd';
import { seedCluster } from '../../server/demo/seed';
import type { ListEvent } from '../../server/protocol/model';
import { waitFor } from '../support/waitFor';
import { connectTo, list, query, refusalOf, rowsOf, useServer } from './client';

const server = useServer();

/** Connected to an etcd of 3,000 Pods whose reads never answer once `stall` was called. */
async function connected() {
  const state = { stalled: false };
  const etcd = await startDemoEtcd({
    onCall: (method) =>
      state.stalled && method.includes('Range') ? new Promise<void>(() => undefined) : undefined,
  });
  server.after(() => etcd.stop());
  await seedCluster(etcd.store, { pods: 3000 });
  const client = await server.start({ progress: true });
  await connectTo(client, etcd.endpoint);
  const stall = () => {
    state.stalled = true;
    const before = etcd.calls.length;
    return () => waitFor(() => etcd.calls[before]);
  };
  return { client, stall };
}

it('a stalled measure that is cancelled ends its call at etcd', async () => {
  const { client, stall } = await connected();
  const next = stall();
  const source = new CancellationTokenSource();
  const answer = refusalOf(client.request('etcdList/measure', query(), source.token));
  const call = await next();
  expect(call.cancelled).toBe(false);
  source.cancel();
  await waitFor(() => call.cancelled);
  expect((await answer).failure.code).toBe('cancelled');
});

it.each([
  ['measure', (client) => client.request('etcdList/measure', query())],
  // Its definition is read before the list can begin.
  ['list', (client) => list(client, { resource: 'widgets.example.com' })],
  [
    'read of an object',
    (client) =>
      client.request('etcdList/openObject', {
        key: '2f',
        revision: '',
        resource: '',
        reveal: false,
      }),
  ],
] as const satisfies readonly (readonly [
  string,
  (client: Awaited<ReturnType<typeof connected>>['client']) => Promise<unknown>,
])[])('a stalled %s whose connection is closed says so', async (_, ask) => {
  const { client, stall } = await connected();
  const next = stall();
  const answer = refusalOf(ask(client));
  const call = await next();
  await client.request('etcdList/disconnect', null);
  await waitFor(() => call.cancelled);
  expect((await answer).failure).toEqual({
    code: 'notConnected',
    sentence: 'The connection was closed.',
  });
});

it('Cancel of the progress ends a list that waits for its client to take rows', async () => {
  const { client } = await connected();
  const tokens: unknown[] = [];
  client.rpc.onRequest('window/workDoneProgress/create', ({ token }: { token: unknown }) => {
    tokens.push(token);
    return null;
  });
  let batches = 0;
  client.rpc.onNotification('etcdList/listEvents', (batch: ListEvent[]) => {
    batches += 1;
    client.events.push(...batch);
  });
  const running = list(client, { limit: '500' }, { follow: true, acknowledged: true });
  // None is answered, and no more than four are on their way.
  await waitFor(() => batches === 4);
  await waitFor(() =>
    client.progress.some((value) => (value as { kind: string }).kind === 'begin'),
  );
  await client.notify('window/workDoneProgress/cancel', { token: tokens[0] });
  const done = await running;
  expect(done.failure).toMatchObject({ code: 'cancelled', sentence: 'Stopped.' });
  expect(done.total.returned).toBe(rowsOf(client).length);
  expect(done.total.returned).toBeLessThan(3000);
});
