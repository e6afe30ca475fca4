/** One case: all its sides in rotated order, round after round. */
import { Agreement } from './agreement';
import { workOf, type BenchCase } from './cases';
import type { Corpus, StoredCorpus } from './corpus';
import { printedByEtcdctl, runEtcdctl } from './etcdctl';
import { NodeSide, OracleSide, type Sample, type Surroundings } from './processes';
import { promises, requireTold, type Fact } from './told';
import type { ListWork, Sent } from './work';

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
  /** Whether every reply came whole, not as a stream's messages. */
  readonly unary: boolean;
  readonly largestReply: number;
  /** Milliseconds for joining that many bytes once, of each try. */
  readonly joins: readonly number[];
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
/** One try may be thrice another: memory is fetched anew for each. */
const joinRuns = 15;

/** What has gone wrong is named by whom it happened to. */
export async function named<T>(name: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new Error(`${name}: ${(error as Error).message}`, { cause: error });
  }
}

/** A run that told what its side has to tell, and these facts too; rejects, naming the side, if not. */
export function telling(
  name: keyof typeof promises,
  run: Promise<Sample>,
  more: readonly Fact[] = [],
): Promise<Sample> {
  const checked = async (): Promise<Sample> => {
    const sample = await run;
    requireTold(sample, [...promises[name], ...more]);
    return sample;
  };
  return named(name, checked());
}

export interface Measuring {
  readonly around: Surroundings;
  readonly programs: Programs;
  readonly rounds: number;
  readonly progress: (text: string) => void;
}

/** Rejects when a side fails, or when a side tells something else than another or than before. */
export async function measureCase(
  one: BenchCase,
  corpus: StoredCorpus,
  measuring: Measuring,
): Promise<CaseResult> {
  const { around, rounds, progress } = measuring;
  const list = workOf(one, corpus);
  const agreement = new Agreement(`${one.name}, ${corpus.size} Pods`);
  const engine = await NodeSide.start(`engine-${one.name}-${corpus.size}`, around, true);
  const recorded = await telling('engine', engine.ask({ op: 'list', list }));
  agreement.note('engine', recorded);
  const requests = recorded.requests ?? [];
  const floor = await NodeSide.start('floor', around);
  const sides: Side[] = [
    { name: 'floor', run: () => floor.ask({ op: 'floor', requests }), stop: () => floor.stop() },
    { name: 'engine', run: () => engine.ask({ op: 'list', list }), stop: () => engine.stop() },
    ...(await goSides(one, corpus, measuring, requests)),
    ...(await wholeSides(one, corpus, measuring, agreement)),
  ];
  const results = new Map<SideName, { first: Sample; samples: Sample[] }>();
  const run = async (side: Side): Promise<Sample> => {
    const sample = await telling(side.name, side.run());
    agreement.note(side.name, sample);
    return sample;
  };
  for (const side of sides) {
    const first = await run(side);
    results.set(side.name, { first: side.name === 'engine' ? recorded : first, samples: [] });
  }
  for (let round = 0; round < rounds; round++) {
    progress(`${corpus.size} ${one.name}: round ${round + 1} of ${rounds}`);
    for (let i = 0; i < sides.length; i++) {
      const side = sides[(i + round) % sides.length];
      if (side !== undefined) results.get(side.name)?.samples.push(await run(side));
    }
  }
  progress(`${corpus.size} ${one.name}: event loop`);
  const loop = await watchLoop(engine, floor, { list, requests, agreement });
  for (const side of sides) await side.stop();
  const found = [...results].map(([name, result]) => ({ name, ...result }));
  return { corpus, name: one.name, title: one.title, sides: found, loop };
}

interface Watching {
  readonly list: ListWork;
  readonly requests: readonly Sent[];
  readonly agreement: Agreement;
}

async function watchLoop(
  engine: NodeSide,
  floor: NodeSide,
  { list, requests, agreement }: Watching,
): Promise<LoopResult> {
  const blocks = { engine: [] as number[], floor: [] as number[] };
  const more = ['longestBlock'] as const;
  let largestReply = 0;
  for (let i = 0; i < loopRuns; i++) {
    const ours = await telling('engine', engine.ask({ op: 'list', list, loop: true }), more);
    agreement.note('engine', ours);
    blocks.engine.push(ours.longestBlock ?? Number.NaN);
    largestReply = Math.max(largestReply, ours.largestReply ?? 0);
    const bare = await telling('floor', floor.ask({ op: 'floor', requests, loop: true }), more);
    agreement.note('floor', bare);
    blocks.floor.push(bare.longestBlock ?? Number.NaN);
  }
  const join = (): Promise<Sample> => floor.ask({ op: 'join', bytes: largestReply });
  await named('floor', join());
  const joins: number[] = [];
  for (let i = 0; i < joinRuns; i++) joins.push((await named('floor', join())).ms);
  const unary = requests.every(({ method }) => method === 'Range');
  return { ...blocks, unary, largestReply, joins };
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
  corpus: StoredCorpus,
  { around, programs }: Measuring,
  agreement: Agreement,
): Promise<Side[]> {
  if (!one.whole) return [];
  const prefix = `${corpus.root}/pods/`;
  const sides: Side[] = [];
  const { stream, label, field } = one.list;
  const { pods: keys, printedBytes } = corpus;
  agreement.note('what was written', { keys, printedBytes });
  if (programs.etcdctl !== undefined) {
    const name = stream ? 'etcdctl --stream' : 'etcdctl';
    const work = { binary: programs.etcdctl, prefix, stream };
    const printed = await named(name, printedByEtcdctl(work, around));
    agreement.note(name, { printedBytes: printed });
    const run = (): Promise<Sample> => runEtcdctl(work, around);
    sides.push({ name, run, stop: () => Promise.resolve() });
  }
  if (!stream && label === '' && field === '') {
    const all = await NodeSide.start('getAll', around);
    const run = (): Promise<Sample> => all.ask({ op: 'getAll', prefix });
    sides.push({ name: 'etcd3 getAll()', run, stop: () => all.stop() });
  }
  return sides;
}
