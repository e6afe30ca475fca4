/** How requests and time grow with keys and with rarer matches, by three ways of reading. */
import { rankSelector, shares, type Corpus } from './corpus';
import { median } from './measure';
import { NodeSide, type Sample, type Surroundings } from './processes';
import type { ListWork, Sent } from './work';

/** Fixed pages of the client's limit, pages that double, and one stream. */
export type Way = 'naive' | 'doubling' | 'stream';

export interface GrowthPoint {
  readonly pods: number;
  readonly share: number;
  readonly way: Way;
  readonly requests: number;
  readonly ms: number;
  readonly cpu: number;
  readonly etcdCpu: number;
  readonly memory: number;
  /** Of the same requests with replies dropped; naive pages have none. */
  readonly floorMs: number | undefined;
}

export const growthSizes = [1_000, 10_000, 100_000, 500_000] as const;
const clientLimit = 500;

interface Walker {
  readonly way: Way;
  readonly run: () => Promise<Sample>;
  readonly floor: (() => Promise<Sample>) | undefined;
  readonly stop: () => Promise<void>;
}

async function walkers(list: ListWork, around: Surroundings): Promise<Walker[]> {
  const naive = await NodeSide.start('naive', around);
  const made: Walker[] = [
    {
      way: 'naive',
      run: () => naive.ask({ op: 'naive', list: { ...list, limit: clientLimit } }),
      floor: undefined,
      stop: () => naive.stop(),
    },
  ];
  for (const way of ['doubling', 'stream'] as const) {
    const own = { ...list, limit: way === 'stream' ? 0 : clientLimit, stream: way === 'stream' };
    const side = await NodeSide.start(way, around);
    const requests: readonly Sent[] =
      (await side.ask({ op: 'list', list: own, record: true })).requests ?? [];
    made.push({
      way,
      run: () => side.ask({ op: 'list', list: own }),
      floor: () => naive.ask({ op: 'floor', requests }),
      stop: () => side.stop(),
    });
  }
  return made;
}

async function measurePoint(
  corpus: Corpus,
  share: number,
  around: Surroundings,
  rounds: number,
): Promise<GrowthPoint[]> {
  // A selector of everything would still be one; without any, upstream streams pages.
  const label = rankSelector(share);
  const list: ListWork = { root: corpus.root, label, field: '', limit: 0, stream: false };
  const all = await walkers(list, around);
  const samples = all.map(() => ({ own: [] as Sample[], floor: [] as number[] }));
  for (const walker of all) await walker.run();
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < all.length; i++) {
      const at = (i + round) % all.length;
      const [walker, into] = [all[at], samples[at]];
      if (walker === undefined || into === undefined) continue;
      into.own.push(await walker.run());
      if (walker.floor !== undefined) into.floor.push((await walker.floor()).ms);
    }
  }
  for (const walker of all) await walker.stop();
  return all.map(({ way, floor }, i) => {
    const { own, floor: bare } = samples[i] ?? { own: [], floor: [] };
    return {
      pods: corpus.pods,
      share,
      way,
      requests: own[0]?.requestCount ?? 0,
      ms: median(own.map(({ ms }) => ms)),
      cpu: median(own.map(({ cpu }) => cpu)),
      etcdCpu: median(own.map(({ etcdCpu }) => etcdCpu)),
      memory: Math.max(...own.map(({ memory }) => memory)),
      floorMs: floor === undefined ? undefined : median(bare),
    };
  });
}

export interface Growing {
  readonly around: Surroundings;
  readonly rounds: number;
  readonly upTo: number;
  readonly progress: (text: string) => void;
  /** Resolves when etcd holds a corpus of that many Pods of 2 KB. */
  readonly corpusOf: (pods: number) => Promise<Corpus>;
}

export async function measureGrowth(growing: Growing): Promise<GrowthPoint[]> {
  const points: GrowthPoint[] = [];
  for (const pods of growthSizes.filter((size) => size <= growing.upTo)) {
    const corpus = await growing.corpusOf(pods);
    for (const share of shares) {
      growing.progress(`growth: ${pods} keys, ${share * 100} % match`);
      points.push(...(await measurePoint(corpus, share, growing.around, growing.rounds)));
    }
  }
  return points;
}
