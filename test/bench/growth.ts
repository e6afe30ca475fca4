/** How requests and time grow with keys and with rarer matches, by three ways of reading. */
import { Agreement } from './agreement';
import { matchesOf, rankSelector, shares, type Corpus } from './corpus';
import { growthSizes } from './growthSizes';
import { telling } from './measure';
import { NodeSide, type Sample, type Surroundings } from './processes';
import { median } from './statistics';
import type { ListWork } from './work';

/** Fixed pages of the client's limit, pages that double, and one stream. */
const ways = ['naive', 'doubling', 'stream'] as const;
export type Way = (typeof ways)[number];

export interface GrowthPoint {
  readonly pods: number;
  /** Of the keys that really match. */
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

const clientLimit = 500;
/**
 * Beyond it each way runs once to find out its requests and is then measured once: fixed pages of
 * 500,000 keys take etcd more than a minute, since it counts the rest of the range for every page.
 */
const mostRepeated = 100_000;

interface Walker {
  readonly way: Way;
  readonly run: () => Promise<Sample>;
  readonly floor: (() => Promise<Sample>) | undefined;
  readonly stop: () => Promise<void>;
}

/** One way of reading, in processes that do nothing else. */
async function walker(way: Way, list: ListWork, around: Surroundings): Promise<Walker> {
  const stream = way === 'stream';
  const own = { ...list, limit: stream ? 0 : clientLimit, stream };
  const side = await NodeSide.start(way, around);
  const run = (): Promise<Sample> =>
    side.ask({ op: way === 'naive' ? 'naive' : 'list', list: own });
  const { requests = [] } = await telling(way, run());
  if (way === 'naive') return { way, run, floor: undefined, stop: () => side.stop() };
  const floor = await NodeSide.start(`${way}, floor`, around);
  return {
    way,
    run,
    floor: () => floor.ask({ op: 'floor', requests }),
    stop: async () => {
      await side.stop();
      await floor.stop();
    },
  };
}

/** Runs a way and its floor, which have to agree, and the way with the other ways on the objects. */
class Track {
  private readonly own: Sample[] = [];
  private readonly floor: number[] = [];
  private readonly requests: Agreement;

  constructor(
    private readonly walker: Walker,
    private readonly objects: Agreement,
    about: string,
  ) {
    this.requests = new Agreement(`${about}, ${walker.way}`);
  }

  async run(measured: boolean): Promise<void> {
    const { way, run, floor } = this.walker;
    const sample = await telling(way, run());
    this.objects.note(way, { items: sample.items });
    this.requests.note(way, sample);
    const bare = floor && (await telling('floor', floor()));
    if (bare !== undefined) this.requests.note('floor', bare);
    if (!measured) return;
    this.own.push(sample);
    if (bare !== undefined) this.floor.push(bare.ms);
  }

  result(): Omit<GrowthPoint, 'pods' | 'share'> {
    const { own, floor, walker } = this;
    return {
      way: walker.way,
      requests: own[0]?.requestCount ?? 0,
      ms: median(own.map(({ ms }) => ms)),
      cpu: median(own.map(({ cpu }) => cpu)),
      etcdCpu: median(own.map(({ etcdCpu }) => etcdCpu)),
      memory: Math.max(...own.map(({ memory }) => memory)),
      floorMs: walker.floor === undefined ? undefined : median(floor),
    };
  }
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
  const about = `growth, ${corpus.pods} keys, ${label}`;
  const objects = new Agreement(about);
  const matching = matchesOf(corpus.pods, share);
  objects.note('what was written', { items: matching });
  const all: Walker[] = [];
  for (const way of ways) all.push(await walker(way, list, around));
  const tracks = all.map((one) => new Track(one, objects, about));
  if (rounds > 1) for (const track of tracks) await track.run(false);
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < tracks.length; i++) await tracks[(i + round) % tracks.length]?.run(true);
  }
  for (const { stop } of all) await stop();
  const point = { pods: corpus.pods, share: matching / corpus.pods };
  return tracks.map((track) => ({ ...point, ...track.result() }));
}

/** Of so few keys the rarest matches may be as many as the next rarest. */
function distinctShares(pods: number): number[] {
  return shares.filter((share, i) => {
    const before = shares[i - 1];
    return before === undefined || matchesOf(pods, share) !== matchesOf(pods, before);
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
    for (const share of distinctShares(pods)) {
      growing.progress(`growth: ${pods} keys, ${share * 100} % match`);
      const rounds = pods > mostRepeated ? 1 : growing.rounds;
      points.push(...(await measurePoint(corpus, share, growing.around, rounds)));
    }
  }
  return points;
}
