import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { MetricsPort } from '../../../server/features/metrics/metricsPort';
import { createStoreMetrics } from '../../../server/metrics/storeMetrics';
import { waitFor } from '../../support/waitFor';

it('a port that is taken is told once, whatever else changes, and tried again when it is set again', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const warned: string[] = [];
  const served = new MetricsPort({
    metrics: createStoreMetrics(),
    warn: (text) => warned.push(text),
    info: () => undefined,
  });
  served.trust();
  served.apply(port);
  await waitFor(() => warned.length === 1, { what: 'the warning' });
  served.apply(port);
  await turn();
  expect(warned).toHaveLength(1);
  served.apply(0);
  served.apply(port);
  await waitFor(() => warned.length === 2, { what: 'the second warning' });
  taken.close();
});
