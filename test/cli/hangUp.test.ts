/** The terminal closes while a list runs. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startDemoEtcd, type DemoEtcd } from '../../server/demo/demoEtcd';
import { waitFor } from '../support/waitFor';
import { buildCli, expectCalm, receiptOf, type BuiltCli } from './process';

let cli: BuiltCli;
let etcd: DemoEtcd;
let release: () => void = () => undefined;

beforeAll(async () => {
  const held = new Promise<void>((resolve) => (release = resolve));
  [cli, etcd] = await Promise.all([buildCli(), startDemoEtcd({ onCall: () => held })]);
});

afterAll(async () => {
  release();
  await etcd.stop();
  cli.remove();
});

it('ends the call at once, writes the totals and exits with 129', async () => {
  const patience = { timeoutMs: 60_000 };
  const result = await cli.run(
    ['get', 'pods', '--limit=5', '--receipt=json', '--endpoints', etcd.endpoint],
    {
      whileRunning: async (child) => {
        await waitFor(() => etcd.calls.length > 0, patience);
        child.kill('SIGHUP');
        await waitFor(() => etcd.calls.at(-1)?.cancelled, patience);
      },
    },
  );
  expectCalm(result);
  expect(result.code).toBe(129);
  expect(receiptOf(result.stderr).total).toMatchObject({ error: { code: 'cancelled' } });
});
