/** The targets a case is held against, and what can be said of them. */
import { peakOf } from './figures';
import type { CaseResult, SideName, SideResult } from './measure';
import { difference, exactly, middleOf, noneBelowZero, quotient, type Middle } from './statistics';

interface Target {
  readonly target: string;
  readonly limit: number;
  readonly unit: '' | 'MB' | 'ms';
}

/** What was found, or why it tells nothing. */
type Found = Middle | string;

export interface Verdict extends Target {
  readonly name: string;
  readonly judgement: 'met' | 'missed' | 'not judged';
  /** Why there is no judgement. */
  readonly reason: string;
  /** Absent without a judgement. */
  readonly found: Middle | undefined;
  /** Whether the middle half of the runs lies on both sides of the limit. */
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
  const isDoubtful = found.low <= limit && found.high > limit;
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

/**
 * Ours above the floor as a share of upstream's above its own; ours below the floor counts as none
 * above it. Undefined without upstream.
 */
function aboveFloor(sides: Sides, what: What): Found | undefined {
  const [ours, floor] = [middle(sides, 'engine', what), middle(sides, 'floor', what)];
  const [theirs, bare] = [middle(sides, 'upstream', what), middle(sides, "Go's floor", what)];
  if (ours === undefined || floor === undefined) return undefined;
  if (theirs === undefined || bare === undefined) return undefined;
  if ((sides.get('upstream')?.samples.length ?? 0) < leastRuns) {
    return `noise cannot be told from fewer than ${leastRuns} runs`;
  }
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
  const target = 'longest block of the event loop';
  if (!loop.unary || loop.largestReply <= smallReply) {
    return { target, limit: shortBlockMs, unit: 'ms' };
  }
  const size = (loop.largestReply / megabyte).toFixed(1);
  return {
    target: `${target}; ${size} MB joined in ${loop.joining.toFixed(1)} ms`,
    limit: Math.max(shortBlockMs, 2 * loop.joining),
    unit: 'ms',
  };
}

/** The verdicts on one case of the corpus of 2 KB; the other has no targets. */
export function verdictsOf(result: CaseResult): Verdict[] {
  if (result.corpus.size === 'large') return [];
  const sides: Sides = new Map(result.sides.map((side) => [side.name, side]));
  const [ours, floor] = [middle(sides, 'engine', 'ms'), middle(sides, 'floor', 'ms')];
  if (ours === undefined || floor === undefined) return [];
  const verdicts: Verdict[] = [];
  const add = (target: Target, found: Found | undefined): void => {
    if (found !== undefined) verdicts.push(judge(result.name, target, found));
  };
  const ratio = (target: string, limit: number): Target => ({ target, limit, unit: '' });
  const isUnfiltered = result.name.startsWith('d');
  add(ratio('time ÷ floor', isUnfiltered ? 1.25 : 1.15), quotient(ours, floor));
  if (!isUnfiltered) {
    add(ratio("time above floor ÷ upstream's", 0.5), aboveFloor(sides, 'ms'));
    add(ratio("CPU above floor ÷ upstream's", 0.5), aboveFloor(sides, 'cpu'));
  }
  const rival = middle(sides, 'etcdctl', 'ms') ?? middle(sides, 'etcdctl --stream', 'ms');
  add(ratio('time ÷ etcdctl', 1), rival && quotient(ours, rival));
  const limit = memoryLimit(result);
  if (limit !== undefined) {
    const memory = exactly(peakOf(sides.get('engine')) / megabyte);
    add({ target: 'memory above idle', limit, unit: 'MB' }, memory);
  }
  add(blockTarget(result), middleOf(result.loop.engine));
  return verdicts;
}
