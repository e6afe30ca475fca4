import { describe, expect, it } from 'vitest';
import { EtcdError } from '../../../server/etcd/errors';
import { failureOf, isUnreachable } from '../../../server/features/failures';
import { StoreError } from '../../../server/store/errors';

const etcdError = (code: 'unavailable' | 'permissionDenied'): EtcdError =>
  new EtcdError({ code, message: 'as etcd says it', endpoint: 'a:1' });
const inStore = (cause: Error): StoreError =>
  new StoreError({ code: 'etcd', message: cause.message, cause });

describe('isUnreachable', () => {
  it('finds an etcd that did not answer at any depth, and nothing else', () => {
    expect(isUnreachable(etcdError('unavailable'))).toBe(true);
    expect(isUnreachable(inStore(etcdError('unavailable')))).toBe(true);
    expect(isUnreachable(inStore(etcdError('permissionDenied')))).toBe(false);
    expect(isUnreachable(new Error('x', { cause: 'y' }))).toBe(false);
    expect(isUnreachable(undefined)).toBe(false);
  });
});

describe('failureOf', () => {
  it('has a text of the API server where there is one, never one of ours in its place', () => {
    const upstream = 'The provided continue parameter is too old';
    const expired = new StoreError({ code: 'expired', message: upstream, status: 410 });
    expect(failureOf(expired)).toMatchObject({ status: 410, upstream });
    for (const code of ['overBudget', 'undecodable', 'streamUnsupported'] as const) {
      const failure = failureOf(new StoreError({ code, message: 'a text of ours' }));
      expect(failure).not.toHaveProperty('upstream');
    }
  });
});
