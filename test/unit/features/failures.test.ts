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
  it('names some of the objects that were collected, and the key where it is one', () => {
    const object = (name: string) => ({
      key: Buffer.from(`/registry/pods/v/${name}`),
      error: new Error(`bad ${name}.`),
    });
    const of = (...names: string[]) =>
      failureOf(
        new StoreError({ code: 'storeRead', message: 'upstream', objects: names.map(object) }),
      );
    expect(of('a')).toMatchObject({
      sentence:
        '/registry/pods/v/a cannot be read: bad a. Leave out unreadable objects to go on without it.',
      key: '/registry/pods/v/a',
      upstream: 'upstream',
    });
    const many = of('a', 'b', 'c', 'd', 'e');
    expect(many.sentence).toMatch(
      /v\/b cannot be read: bad b; .*bad c; 2 more\. Leave out .* them\.$/,
    );
    expect(many).not.toHaveProperty('key');
  });

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

describe('what is beyond the byte budget', () => {
  const setting = /etcdList\.byteBudgetMiB/;

  it('is said in units, with the budget as the setting has it, in one sentence', () => {
    const message =
      'reading 20000 keys at once would be about 54782400 bytes, more than the byte budget of 1048576';
    const { sentence } = failureOf(new StoreError({ code: 'overBudget', message }));
    expect(sentence).toBe(
      'Too large for one reply: reading 20,000 keys at once would be about 54.8 MB, more than the byte budget of 1 MiB; set a limit, or raise the setting etcdList.byteBudgetMiB and connect again.',
    );
  });

  it('is said so too where the transport refused the reply', () => {
    const message = 'Received message larger than max (81234567 vs. 20971520)';
    const error = new EtcdError({ code: 'replyTooLarge', message, endpoint: 'a:1' });
    const stored = new StoreError({ code: 'overBudget', message, cause: error });
    for (const { sentence } of [failureOf(error), failureOf(stored)]) {
      expect(sentence).toContain('81.2 MB, and 20 MiB are allowed');
      expect(sentence).toMatch(setting);
      expect(sentence).toContain('connect again');
      expect(sentence).not.toMatch(/\d{6}/);
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

  it.each([
    [
      'a watch cache of 3001 objects would take about 8807935 bytes, more than its limit of 1048576',
      'a watch cache of 3,001 objects would take about 8.4 MiB, more than its limit of 1 MiB',
    ],
    [
      'the watch cache stopped: 90000 objects take about 268435500 bytes, more than its limit of 268435456',
      'the watch cache stopped: 90,000 objects take a little more than its limit of 256 MiB',
    ],
  ])('tells memory in the unit of the setting that limits it', (message, told) => {
    const { sentence } = failureOf(new StoreError({ code: 'cacheFull', message }));
    expect(sentence).toContain(`: ${told}. Raise the setting`);
  });

  it('says where a limit is raised', () => {
    const said = (code: EtcdErrorCode): string =>
      failureOf(new EtcdError({ code, message: 'x', endpoint: 'a:1' })).sentence;
    expect(said('deadline')).toMatch(/ \(the setting etcdList\.deadlineSeconds\)\.$/);
    expect(said('replyTooLarge')).toMatch(
      / \(the setting etcdList\.byteBudgetMiB, then connect again\)\.$/,
    );
  });
});
