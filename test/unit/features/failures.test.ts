import { describe, expect, it } from 'vitest';
import { EtcdError } from '../../../server/etcd/errors';
import type { EtcdErrorCode } from '../../../server/etcd/errors';
import { failureOf, isUnreachable } from '../../../server/features/failures';
import { StoreError } from '../../../server/store/errors';
import type { StoreErrorCode } from '../../../server/store/errors';

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

describe('the sentence of a failure', () => {
  const ofEtcd: Record<EtcdErrorCode, string> = {
    compacted: 'expired',
    futureRevision: 'etcd',
    unimplemented: 'etcd',
    notEtcd: 'etcd',
    unavailable: 'etcd',
    deadline: 'timeout',
    cancelled: 'cancelled',
    tls: 'etcd',
    authentication: 'etcd',
    permissionDenied: 'etcd',
    userEmpty: 'etcd',
    invalidAuthToken: 'etcd',
    replyTooLarge: 'overBudget',
    malformedReply: 'etcd',
    other: 'etcd',
  };
  const ofStore: Record<StoreErrorCode, string> = {
    badRequest: 'badRequest',
    plain: 'badRequest',
    inconsistentReply: 'etcd',
    otherHistory: 'etcd',
    invalidKey: 'badRequest',
    expired: 'expired',
    expiredWithContinue: 'expiredWithContinue',
    tooLargeResourceVersion: 'tooLargeResourceVersion',
    tooManyRequests: 'timeout',
    cacheFull: 'overBudget',
    internal: 'unreadable',
    undecodable: 'unreadable',
    storeRead: 'unreadable',
    timeout: 'timeout',
    cancelled: 'cancelled',
    overBudget: 'overBudget',
    streamUnsupported: 'streamUnsupported',
    etcd: 'etcd',
  };
  const hostile = 'a text\n\u202ewith\u001b[31m signs.';
  const etcdErrors = Object.entries(ofEtcd).map(
    ([code, expected]) =>
      [
        code,
        expected,
        new EtcdError({ code: code as EtcdErrorCode, message: hostile, endpoint: 'a:1' }),
      ] as const,
  );
  const storeErrors = Object.entries(ofStore).map(
    ([code, expected]) =>
      [code, expected, new StoreError({ code: code as StoreErrorCode, message: hostile })] as const,
  );

  it.each([...etcdErrors, ...storeErrors])(
    'for %s has the code %s, one period and no hidden signs',
    (_, code, error) => {
      const failure = failureOf(error);
      expect(failure.code).toBe(code);
      expect(failure.sentence).toMatch(/[^.]\.$/);
      expect(failure.sentence).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    },
  );

  it('asks for a password that was refused, and for nothing else', () => {
    for (const [code, , error] of etcdErrors) {
      expect(failureOf(error).needs).toBe(code === 'authentication' ? 'password' : undefined);
    }
  });

  it('says where a limit is raised', () => {
    const said = (code: EtcdErrorCode): string =>
      failureOf(new EtcdError({ code, message: 'x', endpoint: 'a:1' })).sentence;
    expect(said('deadline')).toMatch(/ \(the setting etcdList\.deadlineSeconds\)\.$/);
    expect(said('replyTooLarge')).toMatch(/ \(the setting etcdList\.byteBudgetMiB\)\.$/);
  });
});
