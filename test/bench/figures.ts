/** Figures of one side of one case. */
import type { CaseResult, SideName, SideResult } from './measure';
import { median } from './statistics';

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

/** Bytes, of all runs. */
export const peakOf = (side: SideResult | undefined): number =>
  side === undefined
    ? Number.NaN
    : Math.max(...[side.first, ...side.samples].map(({ memory }) => memory));

export function figuresOf(side: SideResult): Figures {
  const { first, samples } = side;
  const times = samples.map(({ ms }) => ms);
  const ms = median(times);
  return {
    ms,
    spread: (Math.max(...times) - Math.min(...times)) / ms,
    cpu: median(samples.map(({ cpu }) => cpu)),
    etcdCpu: median(samples.map(({ etcdCpu }) => etcdCpu)),
    memory: peakOf(side),
    firstMs: first.ms,
    requests: first.requestCount ?? 0,
    items: first.items ?? 0,
  };
}

export function figuresBySide(result: CaseResult): ReadonlyMap<SideName, Figures> {
  return new Map(result.sides.map((side) => [side.name, figuresOf(side)]));
}
