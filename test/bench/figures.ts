/** Figures of one side of one case, and the targets they are held against. */
import { median, type CaseResult, type SideName, type SideResult } from './measure';

export interface Figures {
  readonly ms: number;
  /** The slowest run less the fastest, as a share of the median. */
  readonly spread: number;
  readonly cpu: number;
  readonly etcdCpu: number;
  /** Bytes. */
  readonly memory: number;
  readonly firstMs: number;
  readonly requests: number;
  readonly items: number;
}

export function figuresOf({ first, samples }: SideResult): Figures {
  const times = samples.map(({ ms }) => ms);
  const ms = median(times);
  return {
    ms,
    spread: (Math.max(...times) - Math.min(...times)) / ms,
    cpu: median(samples.map(({ cpu }) => cpu)),
    etcdCpu: median(samples.map(({ etcdCpu }) => etcdCpu)),
    memory: Math.max(...[first, ...samples].map(({ memory }) => memory)),
    firstMs: first.ms,
    requests: first.requestCount ?? 0,
    items: first.items ?? 0,
  };
}

export function figuresBySide(result: CaseResult): ReadonlyMap<SideName, Figures> {
  return new Map(result.sides.map((side) => [side.name, figuresOf(side)]));
}

export interface Verdict {
  readonly name: string;
  readonly target: string;
  readonly value: number;
  readonly limit: number;
  readonly unit: '' | 'MB' | 'ms';
}

export const isMet = ({ value, limit }: Verdict): boolean => value <= limit;

const megabyte = 1e6;

/** Our time above the floor as a share of upstream's above its own; below the floor is none. */
function aboveFloor(
  sides: ReadonlyMap<SideName, Figures>,
  theirFloor: SideName,
  what: 'ms' | 'cpu',
): number | undefined {
  const [ours, floor] = [sides.get('engine'), sides.get('floor')];
  const [theirs, bare] = [sides.get('upstream'), sides.get(theirFloor)];
  if (ours === undefined || floor === undefined) return undefined;
  if (theirs === undefined || bare === undefined) return undefined;
  return Math.max(0, ours[what] - floor[what]) / (theirs[what] - bare[what]);
}

function memoryLimit({ name, loop }: CaseResult): number | undefined {
  if (name === 'b' || name === 'c-stream') return 150;
  return name === 'c-read' ? (2.5 * loop.largestReply) / megabyte : undefined;
}

/** Replies up to this size may not block longer than streams do. */
const smallReply = 8e6;
const shortBlockMs = 20;

function blockLimit({ loop }: CaseResult): number {
  return loop.largestReply <= smallReply ? shortBlockMs : Math.max(shortBlockMs, 2 * loop.joining);
}

/** The verdicts on one case of the corpus of 2 KB; the other has no targets. */
export function verdictsOf(result: CaseResult): Verdict[] {
  if (result.corpus.size === 'large') return [];
  const sides = figuresBySide(result);
  const [ours, floor] = [sides.get('engine'), sides.get('floor')];
  if (ours === undefined || floor === undefined) return [];
  const verdicts: Verdict[] = [];
  const add = (target: string, value: number | undefined, limit: number, unit: Verdict['unit']) => {
    if (value !== undefined) verdicts.push({ name: result.name, target, value, limit, unit });
  };
  add('time ÷ floor', ours.ms / floor.ms, result.name.startsWith('d') ? 1.25 : 1.15, '');
  if (!result.name.startsWith('d')) {
    add("time above floor ÷ upstream's", aboveFloor(sides, "Go's floor", 'ms'), 0.5, '');
    add("CPU above floor ÷ upstream's", aboveFloor(sides, "Go's floor", 'cpu'), 0.5, '');
  }
  const rival = sides.get('etcdctl') ?? sides.get('etcdctl --stream');
  if (rival !== undefined) add('time ÷ etcdctl', ours.ms / rival.ms, 1, '');
  const most = memoryLimit(result);
  if (most !== undefined) add('memory above idle', ours.memory / megabyte, most, 'MB');
  add('longest block of the event loop', median(result.loop.engine), blockLimit(result), 'ms');
  return verdicts;
}
