/** One case: all its sides in rotated order, round after round. */
import type { BenchCase } from './cases';
import { workOf } from './cases';
import type { Corpus } from './corpus';
import { NodeSide, OracleSide, runEtcdctl, type Sample, type Surroundings } from './processes';
import type { Sent } from './work';

export type SideName =
  | 'floor'
  | 'engine'
  | "Go's floor"
  | "Go's floor, undecoded"
  | 'upstream'
  | 'etcdctl'
  | 'etcdctl --stream'
  | 'etcd3 getAll()';

export interface SideResult {
  readonly name: SideName;
  /** The first run, on cold code. */
  readonly first: Sample;
  readonly samples: readonly Sample[];
}

export interface LoopResult {
  /** Longest block in milliseconds of each watched run. */
  readonly engine: readonly number[];
  readonly floor: readonly number[];
  readonly largestReply: number;
  /** Milliseconds for joining that many bytes once. */
  readonly joining: number;
}

export interface CaseResult {
  readonly corpus: Corpus;
  readonly name: string;
  readonly title: string;
  readonly sides: readonly SideResult[];
  readonly loop: LoopResult;
}

export interface Programs {
  readonly oracle: string | undefined;
  readonly etcdctl: string | undefined;
}

interface Side {
  readonly name: SideName;
  run(): Promise<Sample>;
  stop(): Promise<void>;
}

const loopRuns = 5;

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low, high] = [sorted[middle - 1] ?? Number.NaN, sorted[middle] ?? Number.NaN];
  return sorted.length % 2 === 0 ? (low + high) / 2 : high;
};

/** What has gone wrong is named by whom it happened to. */
async function named<T>(name: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new Error(`${name}: ${(error as Error).message}`, { cause: error });
  }
}

export interface Measuring {
  readonly around: Surroundings;
  readonly programs: Programs;
  readonly rounds: number;
  readonly progress: (text: string) => void;
}

/** Rejects when a side fails, or when two sides do not find the same. */
export async function measureCase(
  one: BenchCase,
  corpus: Corpus,
  measuring: Measuring,
): Promise<CaseResult> {
  const { around, rounds, progress } = measuring;
  const list = workOf(one, corpus);
  const engine = await NodeSide.start(`engine-${one.name}-${corpus.size}`, around, true);
  const recorded = await engine.ask({ op: 'list', list, record: true });
  const requests = recorded.requests ?? [];
  const floor = await NodeSide.start('floor', around);
  const sides: Side[] = [
    { name: 'floor', run: () => floor.ask({ op: 'floor', requests }), stop: () => floor.stop() },
    { name: 'engine', run: () => engine.ask({ op: 'list', list }), stop: () => engine.stop() },
    ...(await goSides(one, corpus, measuring, requests)),
    ...(await wholeSides(one, corpus, measuring)),
  ];
  const results = new Map<SideName, { first: Sample; samples: Sample[] }>();
  for (const side of sides) {
    const first = await named(side.name, side.run());
    results.set(side.name, { first: side.name === 'engine' ? recorded : first, samples: [] });
  }
  compare(one, requests, results);
  for (let round = 0; round < rounds; round++) {
    progress(`${corpus.size} ${one.name}: round ${round + 1} of ${rounds}`);
    for (let i = 0; i < sides.length; i++) {
      const side = sides[(i + round) % sides.length];
      if (side === undefined) continue;
      results.get(side.name)?.samples.push(await named(side.name, side.run()));
    }
  }
  progress(`${corpus.size} ${one.name}: event loop`);
  const loop = await watchLoop(engine, floor, { list, requests });
  for (const side of sides) await side.stop();
  const found = [...results].map(([name, result]) => ({ name, ...result }));
  return { corpus, name: one.name, title: one.title, sides: found, loop };
}

async function watchLoop(
  engine: NodeSide,
  floor: NodeSide,
  { list, requests }: { list: ReturnType<typeof workOf>; requests: readonly Sent[] },
): Promise<LoopResult> {
  const blocks = { engine: [] as number[], floor: [] as number[] };
  let largestReply = 0;
  for (let i = 0; i < loopRuns; i++) {
    const ours = await engine.ask({ op: 'list', list, loop: true });
    blocks.engine.push(ours.longestBlock ?? Number.NaN);
    largestReply = ours.largestReply ?? 0;
    const bare = await floor.ask({ op: 'floor', requests, loop: true });
    blocks.floor.push(bare.longestBlock ?? Number.NaN);
  }
  const joins: number[] = [];
  for (let i = 0; i < loopRuns; i++) {
    joins.push((await floor.ask({ op: 'join', bytes: largestReply })).ms);
  }
  return { ...blocks, largestReply, joining: median(joins) };
}

async function goSides(
  one: BenchCase,
  corpus: Corpus,
  { around, programs }: Measuring,
  requests: readonly Sent[],
): Promise<Side[]> {
  const { oracle } = programs;
  if (oracle === undefined) return [];
  const side = async (name: SideName, run: (side: OracleSide) => Promise<Sample>) => {
    const started = await OracleSide.start(oracle, around);
    return { name, run: () => run(started), stop: () => started.stop() };
  };
  return [
    await side("Go's floor", (go) => go.floor('client', requests)),
    await side("Go's floor, undecoded", (go) => go.floor('raw', requests)),
    await side('upstream', (go) => go.list(workOf(one, corpus))),
  ];
}

/** Sides that can only read everything at once. */
async function wholeSides(
  one: BenchCase,
  corpus: Corpus,
  { around, programs }: Measuring,
): Promise<Side[]> {
  if (!one.whole) return [];
  const prefix = `${corpus.root}/pods/`;
  const sides: Side[] = [];
  const { etcdctl } = programs;
  const { stream, label } = one.list;
  if (etcdctl !== undefined) {
    const name = stream ? 'etcdctl --stream' : 'etcdctl';
    const run = (): Promise<Sample> => runEtcdctl(etcdctl, prefix, stream, around);
    sides.push({ name, run, stop: () => Promise.resolve() });
  }
  if (!stream && label === '') {
    const all = await NodeSide.start('getAll', around);
    const run = (): Promise<Sample> => all.ask({ op: 'getAll', prefix });
    sides.push({ name: 'etcd3 getAll()', run, stop: () => all.stop() });
  }
  return sides;
}

type Results = ReadonlyMap<SideName, { readonly first: Sample }>;

/** Times of different answers are not worth comparing. */
function compare({ name }: BenchCase, requests: readonly Sent[], results: Results): void {
  const ours = results.get('engine')?.first;
  const theirs = results.get('upstream')?.first;
  if (ours === undefined || theirs === undefined) return;
  if (ours.items !== theirs.items) {
    throw new Error(`${name}: the engine found ${ours.items} objects, upstream ${theirs.items}`);
  }
  const sent = (list: readonly Sent[]): string =>
    list.map(({ method, message }) => `${method} ${message}`).join('\n');
  if (sent(requests) !== sent(theirs.requests ?? [])) {
    throw new Error(`${name}: the engine and upstream asked etcd different things`);
  }
}
