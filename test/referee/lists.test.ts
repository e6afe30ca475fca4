import { beforeAll, describe, expect, it } from 'vitest';
import { etcdMissing } from '../support/etcdServer';
import { Court } from './court';
import type { Engine } from './engine';
import { Cluster } from './cluster';
import { mustHaveMet, tell } from './enough';
import { Mismatch, Referee } from './match';
import { oracleMissing } from './oracle';
import { families, type Family } from './plans/families';
import { listOf } from './plans/lists';
import { playLarge } from './playLarge';
import { playRandom } from './playRandom';
import { refereeSettings, timeoutFor } from './settings';

const { cases, seed, seeded } = refereeSettings();

/** Without these a run would say little. */
const kindsToMeet = [
  'pages',
  'stream',
  'single key',
  'with a token',
  'with a selector',
  'compacted meanwhile',
  'unreadable',
  'answer: items',
  'gives a token',
  'gives a remaining count',
  'error',
  'error: status 400 BadRequest',
  'error: status 410 Expired',
];

interface Focus {
  readonly family: Family;
  readonly what: string;
  readonly toMeet: readonly string[];
  /** Takes a share of the lists alone: compacting takes etcd long. */
  readonly slow?: boolean;
  /** Lists of a whole run at least, 150 unless given. */
  readonly least?: number;
}

/** What chance alone would meet too seldom. */
const focuses: readonly Focus[] = [
  {
    family: families.written,
    what: 'of keys written meanwhile',
    toMeet: ['written meanwhile', 'after writes meanwhile', 'three reads or more'],
  },
  {
    family: families.pinned,
    what: 'of pinned tokens, compacted while they select',
    slow: true,
    toMeet: [
      'pinned, selecting, limited, compacted before a later read',
      'written meanwhile, with a given token',
      'error: status 410 Expired with a token',
    ],
  },
  {
    family: families.damaged,
    what: 'of selectors over unreadable values',
    toMeet: [
      'unreadable under a selector',
      'error: plain',
      'error: status 500 StorageReadError, several causes',
    ],
  },
  {
    family: families.grafted,
    what: 'of objects with parts, map entries or members that stand twice',
    toMeet: [
      'grafted',
      'grafted under a selector',
      'doubled JSON',
      'doubled JSON under a selector',
    ],
  },
  {
    family: families.labelled,
    what: 'by every operator of labels',
    least: 400,
    toMeet: ['=', '==', '!=', '<', '>', 'in', 'notin', 'exists', '!'].map(
      (operator) => `label ${operator}: items`,
    ),
  },
  { family: families.address, what: 'of Pods by address', toMeet: ['by address'] },
];

/** The least that meets all that a focus is for; a run of fewer is a short one throughout. */
const few = (least: number): number => Math.min(least, cases);

const places = { root: 'registry', resourcePrefix: '/pods' };

describe.skipIf(oracleMissing() || etcdMissing('3.7'))('lists beside upstream’s store', () => {
  let court: Court;
  beforeAll(async () => {
    court = await Court.open('3.7');
    return () => court.close();
  });

  it(
    `answers ${String(cases)} random lists alike${seeded}`,
    async (context) => {
      const { tally } = await playRandom(court, families.random, { cases, seed });
      tell(context, 'lists', tally.total);
      expect(tally.total).toBe(cases);
      mustHaveMet(tally, kindsToMeet);
    },
    timeoutFor(cases),
  );

  for (const { family, what, toMeet, slow = false, least = slow ? 100 : 150 } of focuses) {
    const some = Math.max(few(least), Math.ceil(cases / (slow ? 80 : 20)));
    it(
      `answers ${String(some)} lists ${what} alike${seeded}`,
      async (context) => {
        const { tally } = await playRandom(court, family, { cases: some, seed });
        tell(context, 'lists', tally.total);
        expect(tally.total).toBeGreaterThanOrEqual(some);
        mustHaveMet(tally, toMeet, cases);
      },
      timeoutFor(some * (slow ? 10 : 4)),
    );
  }

  const largeCount = Math.ceil(cases / 80);
  it(
    `answers ${String(largeCount)} lists over more than 10000 objects alike${seeded}`,
    async (context) => {
      const { tally } = await playLarge(court, { cases: largeCount, seed });
      tell(context, 'large lists', tally.total);
      expect(tally.total).toBeGreaterThanOrEqual(largeCount);
      mustHaveMet(tally, ['three reads or more'], cases);
    },
    timeoutFor(largeCount * 10),
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
      return () => court.close();
    });

    const tenth = Math.ceil(cases / 10);
    it(
      `falls back alike in ${String(tenth)} random lists${seeded}`,
      async (context) => {
        const { tally } = await playRandom(court, families.fallback, { cases: tenth, seed });
        tell(context, 'lists on etcd 3.6', tally.total);
        expect(tally.total).toBe(tenth);
        mustHaveMet(tally, ['stream and other reads'], cases);
      },
      timeoutFor(tenth),
    );
  },
);
