import { expect, it } from 'vitest';
import { systemClock } from '../../../server/common/clock';
import { silentLog } from '../../../server/common/log';
import { OpenConnection } from '../../../server/features/openConnection';
import { CacheDesk } from '../../../server/features/watchCaches/cacheDesk';
import { createStoreMetrics } from '../../../server/metrics/storeMetrics';

it('a connection that is closed has no room, and leaves the place to the one that is open', () => {
  const desk = new CacheDesk({
    limitMiB: () => 1,
    gates: () => {
      throw new Error('no cache is made here');
    },
    send: () => undefined,
    clock: systemClock,
    log: silentLog,
    metrics: createStoreMetrics(),
  });
  const connection = (closed: AbortSignal): OpenConnection =>
    Object.defineProperty(Object.create(OpenConnection.prototype) as OpenConnection, 'closed', {
      value: closed,
    });
  const pods = { name: 'pods' };
  expect(desk.room(connection(new AbortController().signal), pods)).toBe(1024 ** 2);
  expect(() => desk.room(connection(AbortSignal.abort()), pods)).toThrow('Stopped.');
});
