/** The targets a case is held against, and what can be said of them. */
import { peakOf } from './figures';
import type { CaseResult, SideName, SideResult } from './measure';
import { difference, exactly, middleOf, noneBelowZero, quotient, type Middle } from './statistics';

interface Target {
  readonly target: string;
  readonly limit: number;
  /** Between which the limit lies, where it was measured itself. */
  readonly limits?: Pick<Middle, 'low' | 'high'>;
  readonly unit: '' | 'MB' | 'ms';
}

/** What was found, as `median` what is held against the limit; or why it tells nothing. */
type Found = Middle | string;

export interface Verdict extends Target {
  readonly name: string;
  readonly judgement: 'met' | 'missed' | 'not judged';
  /** Why there is no judgement. */
  readonly reason: string;
  /** Absent without a judgement. */
  readonly found: Middle | undefined;
  /** Whether what was found lies, by the noise of it and of the limit, on both sides. */
  readonly isDoubtful: boolean;
}

const megabyte = 1e6;

function judge(name: string, target: Target, found: Found): Verdict {
  const known = { ...target, name };
  const none = { ...known, judgement: 'not judged', found: undefined, isDoubtful: false } as const;
  if (typeof found === 'string') return { ...none, reason: found };
  const { limit } = target;
  if (!Number.isFinite(found.median) || !Number.isFinite(limit)) {
    return { ...none, reason: 'nothing was measured' };
  }
  const judgement = found.median <= limit ? 'met' : 'missed';
  const { low, high } = target.limits ?? { low: limit, high: limit };
  const isDoubtful = found.low <= high && found.high > low;
  return { ...known, judgement, reason: '', found, isDoubtful };
}

type What = 'ms' | 'cpu';
type Sides = ReadonlyMap<SideName, SideResult>;

function middle(sides: Sides, name: SideName, what: What): Middle | undefined {
  const samples = sides.get(name)?.samples;
  return samples && middleOf(samples.map((sample) => sample[what]));
}

/** Fewer runs do not show how far they lie apart. */
const leastRuns = 3;
/** What upstream has above its floor is at least this share of the floor, or says nothing. */
const leastAbove = 0.1;

/** Of medians, where there are runs enough for them. */
function ratioOf(sides: Sides, ours: Middle, name: SideName): Found | undefined {
  const theirs = middle(sides, name, 'ms');
  if (theirs === undefined) return undefined;
  return hasFewRuns(sides) ? fewRuns : quotient(ours, theirs);
}

const fewRuns = `noise cannot be told from fewer than ${leastRuns} runs`;
const hasFewRuns = (sides: Sides): boolean =>
  (sides.get('engine')?.samples.length ?? 0) < leastRuns;

/**
 * Ours above the floor as a share of upstream's above its own; ours below the floor counts as none
 * above it. Undefined without upstream.
 */
function aboveFloor(sides: Sides, what: What): Found | undefined {
  const [ours, floor] = [middle(sides, 'engine', what), middle(sides, 'floor', what)];
  const [theirs, bare] = [middle(sides, 'upstream', what), middle(sides, "Go's floor", what)];
  if (ours === undefined || floor === undefined) return undefined;
  if (theirs === undefined || bare === undefined) return undefined;
  if (hasFewRuns(sides)) return fewRuns;
  const above = difference(theirs, bare);
  if (!(above.low > 0 && above.median >= leastAbove * bare.median)) {
    return 'upstream is not above its floor by more than noise';
  }
  return quotient(noneBelowZero(difference(ours, floor)), above);
}

function memoryLimit({ name, loop }: CaseResult): number | undefined {
  if (name === 'b' || name === 'c-stream') return 150;
  return name === 'c-read' ? (2.5 * loop.largestReply) / megabyte : undefined;
}

/** Unary replies up to this size may not block longer than streams do. */
const smallReply = 8e6;
const shortBlockMs = 20;

function blockTarget({ loop }: CaseResult): Target {
  const target = `longest block of the event loop, worst of ${loop.engine.length} runs`;
  if (!loop.unary || loop.largestReply <= smallReply) {
    return { target, limit: shortBlockMs, unit: 'ms' };
  }
  const joining = middleOf(loop.joins);
  const limitOf = (ms: number): number => Math.max(shortBlockMs, 2 * ms);
  const size = (loop.largestReply / megabyte).toFixed(1);
  return {
    target: `${target}; ${size} MB joined in ${joining.median.toFixed(1)} ms`,
    limit: limitOf(joining.median),
    limits: { low: limitOf(joining.low), high: limitOf(joining.high) },
    unit: 'ms',
  };
}

/** The worst run decides. Where the middle of the runs is below the limit, it may be noise. */
function blockFound({ loop }: CaseResult): Found {
  const worst = Math.max(...loop.engine);
  return { low: middleOf(loop.engine).median, median: worst, high: worst };
}

/** The verdicts on one case of the corpus of 2 KB; the other has no targets. */
export function verdictsOf(result: CaseResult): Verdict[] {
  if (result.corpus.size === 'large') return [];
  const sides: Sides = new Map(result.sides.map((side) => [side.name, side]));
  const ours = middle(sides, 'engine', 'ms');
  if (ours === undefined) return [];
  const verdicts: Verdict[] = [];
  const add = (target: Target, found: Found | undefined): void => {
    if (found !== undefined) verdicts.push(judge(result.name, target, found));
  };
  const ratio = (target: string, limit: number): Target => ({ target, limit, unit: '' });
  const isUnfiltered = result.name.startsWith('d');
  add(ratio('time ÷ floor', isUnfiltered ? 1.25 : 1.15), ratioOf(sides, ours, 'floor'));
  if (!isUnfiltered) {
    add(ratio("time above floor ÷ upstream's", 0.5), aboveFloor(sides, 'ms'));
    add(ratio("CPU above floor ÷ upstream's", 0.5), aboveFloor(sides, 'cpu'));
  }
  for (const rival of ['etcdctl', 'etcdctl --stream'] as const) {
    add(ratio(`time ÷ ${rival}`, 1), ratioOf(sides, ours, rival));
  }
  const limit = memoryLimit(result);
  if (limit !== undefined) {
    const memory = exactly(peakOf(sides.get('engine')) / megabyte);
    add({ target: 'memory above idle', limit, unit: 'MB' }, memory);
  }
  add(blockTarget(result), blockFound(result));
  return verdicts;
}
