import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Clock } from '../../../server/common/clock';
import { EtcdError } from '../../../server/etcd/errors';
import { createFeatureChecker } from '../../../server/etcd/features';
import type { EtcdReader, MemberStatus } from '../../../server/etcd/interfaces';
import { OpenConnection } from '../../../server/features/openConnection';
import { scriptedError, scriptedEtcd, type ScriptStep } from '../../support/scriptedEtcd';

const minute = 60_000;

/** A connection whose time is the fake timers', and whose n-th stream answers by script. */
function connection(streams: readonly (readonly ScriptStep[])[]) {
  const clock: Clock = { now: () => Date.now(), monotonic: () => Date.now() };
  const onChange = vi.fn();
  const { reader: scripted } = scriptedEtcd({ streams });
  const reader: EtcdReader = {
    ...scripted,
    status: (endpoint, options) =>
      options?.signal?.aborted === true
        ? Promise.reject(scriptedError('cancelled'))
        : Promise.resolve({ endpoint, version: '3.7.0' } as MemberStatus),
  };
  const open = new OpenConnection({
    name: 'x',
    reader,
    root: '/registry',
    access: { endpoints: [] },
    isDemo: false,
    features: createFeatureChecker(clock),
    clock,
    onChange,
  });
  /** What the engine does when a list is refused its stream. */
  const fallBack = (): void => {
    open.features.markUnsupported('RangeStream');
    open.noteFallback();
  };
  const probe = () => open.probe(new AbortController().signal, false);
  return { open, onChange, fallBack, probe, reader };
}

const { message } = scriptedError('unimplemented');
const refusal = [
  new EtcdError({ code: 'unimplemented', message, endpoint: 'script:1', method: 'rangeStream' }),
];
const answer: readonly ScriptStep[] = [{ kvs: [], count: 0n, more: false, revision: 1n }];

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
});

afterEach(() => {
  vi.useRealTimers();
});

describe('the mark of an etcd without RangeStream', () => {
  it('stands for ten minutes, whatever a probe says, and is then unknown until tried', async () => {
    const { open, fallBack, probe, onChange } = connection([answer]);
    fallBack();
    const marked = { answer: 'notSupported', retryAt: 1_000_000 + 10 * minute };
    expect(open.rangeStream()).toEqual(marked);
    await vi.advanceTimersByTimeAsync(5 * minute);
    await probe();
    expect(open.rangeStream()).toEqual(marked);
    await vi.advanceTimersByTimeAsync(5 * minute - 1);
    expect(open.rangeStream()).toEqual(marked);
    onChange.mockClear();
    await vi.advanceTimersByTimeAsync(2);
    expect(onChange).toHaveBeenCalledTimes(1);
    expect(open.rangeStream()).toMatchObject({
      answer: 'unknown',
      reason: expect.stringContaining('the next list tries it') as string,
    });
    await probe();
    expect(open.rangeStream()).toEqual({ answer: 'supported' });
  });

  it('is set anew by the list that tries again', async () => {
    const { open, fallBack } = connection([refusal]);
    fallBack();
    await vi.advanceTimersByTimeAsync(10 * minute + 1);
    expect(open.rangeStream().answer).toBe('unknown');
    fallBack();
    expect(open.rangeStream()).toEqual({
      answer: 'notSupported',
      retryAt: Date.now() + 10 * minute,
    });
    await vi.advanceTimersByTimeAsync(10 * minute + 1);
    open.noteStreamed();
    expect(open.rangeStream()).toEqual({ answer: 'supported' });
  });

  it('is hidden while the gate is off, and still there afterwards', () => {
    const { open, fallBack } = connection([refusal]);
    fallBack();
    expect(open.status(false)).toMatchObject({ rangeStream: { answer: 'gateOff' } });
    expect(open.status(true)).toMatchObject({ rangeStream: { answer: 'notSupported' } });
  });

  it('tells nobody anything once the connection is closed', async () => {
    const { open, fallBack, onChange } = connection([refusal]);
    fallBack();
    open.close();
    onChange.mockClear();
    await vi.advanceTimersByTimeAsync(20 * minute);
    expect(onChange).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });
});

it('an etcd that a list did not reach is told apart from one that answers', async () => {
  const { open, probe } = connection([answer]);
  await probe();
  expect(open.status(true)).not.toHaveProperty('unreachable');
  open.noteReach('Etcd does not answer.');
  expect(open.status(true)).toMatchObject({ unreachable: true });
  expect(open.status(false)).toMatchObject({ unreachable: true });
  open.noteReach(undefined);
  expect(open.status(true)).not.toHaveProperty('unreachable');
});

describe('a probe', () => {
  it('that no member answers leaves a connection that is lost, until a list reaches it', async () => {
    const { open, reader } = connection([answer]);
    reader.status = () => Promise.reject(scriptedError('unavailable'));
    await open.probe(new AbortController().signal, true);
    expect(open.status(true)).toMatchObject({ unreachable: true });
    open.noteReach(undefined);
    expect(open.status(true)).not.toHaveProperty('unreachable');
  });

  it('that is cancelled learns nothing, neither of members nor of RangeStream', async () => {
    const { open } = connection([answer]);
    await open.probe(new AbortController().signal, true);
    open.noteReach('Etcd does not answer.');
    const before = open.status(true);
    expect(before.members).toMatchObject([{ version: '3.7.0' }]);
    const cancelled = { failure: { code: 'cancelled' } };
    await expect(open.probe(AbortSignal.abort(), true)).rejects.toMatchObject(cancelled);
    expect(open.status(true)).toEqual(before);
  });

  it.each([
    [refusal, { answer: 'notSupported' }],
    [answer, { answer: 'supported' }],
    [[], { answer: 'unknown', reason: 'The stream ended without a message.' }],
    [[scriptedError('deadline')], { answer: 'unknown', reason: expect.any(String) as string }],
  ] as const)('of %o says %o', async (stream, expected) => {
    const { open, probe } = connection([stream]);
    expect(open.rangeStream().answer).toBe('unknown');
    await probe();
    expect(open.status(true)).toMatchObject({
      probing: false,
      probedAt: 1_000_000,
      rangeStream: expected,
    });
  });
});
