import { expect, it } from 'vitest';
import { firstSource, unreadyError } from '../../../server/cache/serving';

const left = { toEtcd: false, consistentRead: false };

it('passes on a list that etcd may serve only while the cache is not ready', () => {
  expect(firstSource(left, true, () => true)).toBe('cache');
  expect(firstSource(left, true, () => false)).toBe('etcd');
  expect(firstSource(left, false, () => false)).toBe('cache');
});

it('does not ask whether the cache is ready for a list that goes to etcd anyway', () => {
  const asked = firstSource({ ...left, toEtcd: true }, false, () => expect.unreachable());
  expect(asked).toBe('etcd');
});

it('refuses with 429 while it is not ready, and says when to ask again', () => {
  const { status, reason, message, retryAfterSeconds } = unreadyError(30);
  expect({ status, reason, message, retryAfterSeconds }).toEqual({
    status: 429,
    reason: 'TooManyRequests',
    message: 'storage is (re)initializing',
    retryAfterSeconds: 6,
  });
});
