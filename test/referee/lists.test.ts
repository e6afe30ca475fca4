import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { etcdMissing } from '../support/etcdServer';
import { Court } from './court';
import type { Engine } from './engine';
import { Cluster, Mismatch, Referee } from './match';
import { oracleMissing } from './oracle';
import { cluster, largeList, largeWrites, type ClusterPlan, type ListPlan } from './plans';
import { playRandom } from './playRandom';
import { refereeSettings, timeoutFor } from './settings';

const { cases, seed } = refereeSettings();

/** A list of everything, with what a test wants different. */
const listOf = (more: Partial<ListPlan>): ListPlan => ({
  kind: 'list',
  key: '',
  recursive: true,
  version: { text: '' },
  match: '',
  limit: '0',
  label: '',
  field: '',
  token: { kind: 'none' },
  stream: false,
  aggregate: false,
  forget: true,
  follow: 0,
  disturb: 0,
  meanwhile: [],
  compactToo: false,
  ...more,
});

/** Without these a run would say little. */
const kindsToMeet = [
  'pages',
  'stream',
  'single key',
  'with a token',
  'compacted meanwhile',
  'written meanwhile',
  'after writes meanwhile',
];

const places = { root: 'registry', resourcePrefix: '/pods' };

describe.skipIf(oracleMissing() || etcdMissing('3.7'))('lists beside upstream’s store', () => {
  let court: Court;
  beforeAll(async () => {
    court = await Court.open('3.7');
  });
  afterAll(() => court.close());

  it(
    `answers ${String(cases)} random lists alike`,
    async () => {
      const { tally } = await playRandom(court, cluster, { cases, seed });
      expect(tally.total).toBe(cases);
      for (const kind of kindsToMeet) {
        expect(tally.of(kind), kind).toBeGreaterThan(0);
      }
    },
    timeoutFor(cases),
  );

  const large = Math.ceil(cases / 80);
  it(
    `answers ${String(large)} lists over more than 10000 objects alike`,
    async () => {
      const referee = new Referee(court.oracle, court.engine);
      const steps = fc.sample(largeList, { seed, numRuns: large });
      const plan: ClusterPlan = { ...places, brief: true, writes: largeWrites, steps };
      await new Cluster(referee, plan, 'large').play();
      console.log(`referee: ${String(referee.tally.total)} large lists\n${referee.tally.text()}`);
      expect(referee.tally.total).toBeGreaterThanOrEqual(large);
      expect(referee.tally.of('three reads or more')).toBeGreaterThan(large / 10);
    },
    timeoutFor(large * 10),
  );

  it('notices when the two sides are asked differently', async () => {
    const asked = (...args: Parameters<Engine['list']>) => court.engine.list(...args);
    const engine: Pick<Engine, 'list'> = {
      list: (ask, ...rest) => asked({ ...ask, limit: '2' }, ...rest),
    };
    const referee = new Referee(court.oracle, engine);
    const writes = [
      { kind: 'bulk', namespace: 'web', count: 5, every: 2, badEvery: 0, padding: 0 },
    ] as const;
    const play = (limit: string): Promise<void> =>
      new Cluster(referee, { ...places, writes, steps: [listOf({ limit })] }, 'asked').play();
    await expect(play('2')).resolves.toBeUndefined();
    await expect(play('3')).rejects.toThrow(Mismatch);
  });
});

describe.skipIf(oracleMissing() || etcdMissing('3.6'))(
  'lists on an etcd without RangeStream',
  () => {
    let court: Court;
    beforeAll(async () => {
      court = await Court.open('3.6');
    });
    afterAll(() => court.close());

    const few = Math.ceil(cases / 10);
    it(
      `falls back alike in ${String(few)} random lists`,
      async () => {
        const { tally } = await playRandom(court, cluster, { cases: few, seed });
        expect(tally.total).toBe(few);
        expect(tally.of('stream and other reads')).toBeGreaterThan(0);
      },
      timeoutFor(few),
    );
  },
);
