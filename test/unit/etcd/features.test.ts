import { describe, expect, it } from 'vitest';
import { createFeatureChecker } from '../../../server/etcd/features';
import type { EtcdReader, MemberStatus } from '../../../server/etcd/interfaces';

const status = (endpoint: string, version: string): MemberStatus => ({
  endpoint,
  version,
  revision: 1n,
  dbSizeBytes: 1n,
  leader: 1n,
  memberId: 1n,
});

function handClock() {
  let ms = 1_000;
  return { now: () => ms, monotonic: () => ms, advance: (by: number) => (ms += by) };
}

/** A reader whose endpoints answer what `answer` says, failing as often as it throws. */
function reader(endpoints: string[], answer: (endpoint: string, ask: number) => string) {
  const asked: string[] = [];
  const fake: Pick<EtcdReader, 'endpoints' | 'status'> = {
    endpoints,
    status: async (endpoint) => {
      asked.push(endpoint);
      await Promise.resolve();
      return status(endpoint, answer(endpoint, asked.length));
    },
  };
  return { fake, asked };
}

const patient = () => AbortSignal.timeout(10_000);

describe('feature checker', () => {
  it('counts the time until RangeStream is tried again', () => {
    const clock = handClock();
    const checker = createFeatureChecker(clock);
    expect(checker.retryInMs()).toBe(0);
    checker.markUnsupported('RangeStream');
    clock.advance(60_000);
    expect(checker.retryInMs()).toBe(9 * 60_000);
    clock.advance(9 * 60_000);
    expect([checker.retryInMs(), checker.supports('RangeStream')]).toEqual([0, true]);
  });

  it('asks every endpoint until it answers, and no endpoint twice', async () => {
    const { fake, asked } = reader(['a:1', 'b:1'], (_endpoint, ask) => {
      if (ask < 5) throw new Error('not yet');
      return '3.6.1';
    });
    const checker = createFeatureChecker(handClock());
    await checker.checkAll(fake, patient());
    expect(checker.supports('RequestWatchProgress')).toBe(true);
    const before = asked.length;
    await checker.checkAll(fake, patient());
    expect(asked).toHaveLength(before);
  });

  it('lets one old member decide', async () => {
    const { fake } = reader(['a:1', 'b:1'], (endpoint) => (endpoint === 'a:1' ? '3.6.1' : '3.5.3'));
    const checker = createFeatureChecker(handClock());
    await checker.checkAll(fake, patient());
    expect(checker.supports('RequestWatchProgress')).toBe(false);
  });

  it('gives up on abort without an answer, and asks again later', async () => {
    let up = false;
    const { fake } = reader(['a:1'], () => {
      if (!up) throw new Error('down');
      return '3.6.1';
    });
    const checker = createFeatureChecker(handClock());
    await checker.checkAll(fake, AbortSignal.timeout(60));
    expect(checker.supports('RequestWatchProgress')).toBe(false);
    up = true;
    await checker.checkAll(fake, patient());
    expect(checker.supports('RequestWatchProgress')).toBe(true);
  });
});
