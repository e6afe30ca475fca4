import { describe, expect, it } from 'vitest';
import type { CaseResult, LoopResult, SideName } from '../../bench/measure';
import type { Sample } from '../../bench/processes';
import { verdictNote, verdictTable } from '../../bench/report';
import { verdictsOf, type Verdict } from '../../bench/verdicts';

type Runs = Partial<Record<SideName, readonly number[]>>;

const sample = (ms: number, memory = 100e6): Sample => ({ ms, cpu: ms, etcdCpu: 1, memory });

const quiet: LoopResult = {
  engine: [5, 5, 5, 5, 5],
  floor: [5, 5, 5, 5, 5],
  unary: true,
  largestReply: 2e6,
  joins: [1, 1, 1],
};

/** Its times by side; what is above idle is 100 MB unless said otherwise. */
function result(name: string, runs: Runs, more: Partial<CaseResult> = {}): CaseResult {
  const sides = Object.entries(runs).map(([side, times]) => ({
    name: side as SideName,
    first: sample(1),
    samples: times.map((ms) => sample(ms)),
  }));
  const corpus = { root: '/registry', pods: 100, size: 'small' } as const;
  return { corpus, name, title: name, sides, loop: quiet, ...more };
}

/** The one verdict whose target begins so. */
function verdict(one: CaseResult, target: string): Verdict {
  const found = verdictsOf(one).filter((each) => each.target.startsWith(target));
  expect(found).toHaveLength(1);
  return found[0]!;
}

const steady = { floor: [100, 100, 100], "Go's floor": [100, 100, 100] };

describe('time against the floor', () => {
  it.each([
    ['b', [114, 114, 114], 'met'],
    ['b', [116, 116, 116], 'missed'],
    ['d-read', [124, 124, 124], 'met'],
    ['d-read', [126, 126, 126], 'missed'],
  ] as const)('of %s with %j is %s', (name, engine, judgement) => {
    const one = verdict(result(name, { ...steady, engine }), 'time ÷ floor');
    expect(one).toMatchObject({ judgement, isDoubtful: false });
  });

  it('may be noise where the middle half lies on both sides', () => {
    const one = verdict(result('b', { ...steady, engine: [100, 110, 130] }), 'time ÷ floor');
    expect(one).toMatchObject({ judgement: 'met', isDoubtful: true });
  });

  it('is not judged with fewer than three runs, nor is etcdctl', () => {
    const runs = { floor: [100, 100], engine: [90, 90], etcdctl: [200, 200] };
    for (const target of ['time ÷ floor', 'time ÷ etcdctl']) {
      expect(verdict(result('c-read', runs), target)).toMatchObject({
        judgement: 'not judged',
        reason: 'noise cannot be told from fewer than 3 runs',
      });
    }
  });
});

describe("time above the floor against upstream's", () => {
  const target = "time above floor ÷ upstream's";
  it.each([
    [[140, 140, 140], 'met', 0.4],
    [[160, 160, 160], 'missed', 0.6],
    [[80, 80, 80], 'met', 0],
  ] as const)('with %j is %s', (engine, judgement, median) => {
    const one = verdict(result('b', { ...steady, engine, upstream: [200, 200, 200] }), target);
    expect(one).toMatchObject({ judgement, found: { median } });
  });

  it('is not judged where upstream is no more above its floor than noise', () => {
    const engine = [140, 140, 140];
    for (const upstream of [
      [105, 105, 105],
      [90, 200, 200, 90, 90],
    ]) {
      const one = verdict(result('b', { ...steady, engine, upstream }), target);
      expect(one.judgement).toBe('not judged');
    }
  });

  it('is no target without upstream', () => {
    const targets = verdictsOf(result('b', { ...steady, engine: [100, 100, 100] }));
    expect(targets.map(({ target: text }) => text)).not.toContain(target);
  });
});

describe('the longest block', () => {
  const runs = { ...steady, engine: [100, 100, 100] };
  const block = (loop: Partial<LoopResult>): Verdict =>
    verdict(result('b', runs, { loop: { ...quiet, ...loop } }), 'longest block');

  it('is judged by the worst run', () => {
    expect(block({ engine: [5, 6, 7, 8, 19.9] })).toMatchObject({
      judgement: 'met',
      isDoubtful: false,
      found: { median: 19.9 },
    });
    expect(block({ engine: [21, 22, 23, 24, 25.2] })).toMatchObject({
      judgement: 'missed',
      isDoubtful: false,
      found: { median: 25.2 },
    });
  });

  it('is missed, perhaps by noise, where one run of many is above', () => {
    expect(block({ engine: [5, 6, 7, 8, 25.2] })).toMatchObject({
      judgement: 'missed',
      isDoubtful: true,
      found: { low: 7, median: 25.2 },
    });
  });

  it('may be twice as long as joining a large reply, by the median of the tries', () => {
    const large = { largestReply: 26.3e6, engine: [30, 30, 30, 30, 30] };
    expect(block({ ...large, joins: [16, 16, 16] })).toMatchObject({ judgement: 'met', limit: 32 });
    expect(block({ ...large, joins: [14, 14, 90] })).toMatchObject({
      judgement: 'missed',
      limit: 28,
    });
    expect(block({ ...large, joins: [3.1, 9.4, 22.2] })).toMatchObject({
      judgement: 'missed',
      limit: 20,
      isDoubtful: true,
    });
  });

  it('may not in a stream', () => {
    const loop = { largestReply: 26.3e6, engine: [30], joins: [16, 16, 16], unary: false };
    expect(block(loop)).toMatchObject({ judgement: 'missed', limit: 20 });
  });
});

describe('memory', () => {
  it.each([
    ['b', 150],
    ['c-stream', 150],
    ['c-read', 250],
  ])('of %s may be %d MB, by the peak of all runs', (name, limit) => {
    const loop = { ...quiet, largestReply: 100e6 };
    for (const [peak, judgement] of [
      [limit, 'met'],
      [limit + 1, 'missed'],
    ] as const) {
      const samples = [sample(100, peak * 1e6), sample(100), sample(100)];
      const engine = { name: 'engine', first: sample(1), samples } as const;
      const one = verdict(result(name, {}, { sides: [engine], loop }), 'memory');
      expect(one).toMatchObject({ judgement, limit });
    }
  });
});

describe('the table of verdicts', () => {
  const one = result(
    'b',
    { ...steady, engine: [120, 120, 120], upstream: [101, 101, 101] },
    { loop: { ...quiet, engine: [5, 6, 7, 8, 25.2] } },
  );

  it('says what was found, what was missed, and what may be noise', () => {
    expect(verdictTable([one]).rows.map(([, , said]) => said)).toEqual([
      'missed',
      'not judged: upstream is not above its floor by more than noise',
      'not judged: upstream is not above its floor by more than noise',
      'met',
      'missed, perhaps by noise: 7.0 ms to 25.2 ms',
    ]);
    expect(verdictNote([one])).toMatch(
      /^Of 5 targets 1 were met, 2 missed, and 2 could not be judged; of 1 the verdict may be noise/,
    );
  });

  it('has no targets for the large corpus', () => {
    const corpus = { ...one.corpus, size: 'large' as const };
    expect(verdictsOf({ ...one, corpus })).toEqual([]);
  });
});
