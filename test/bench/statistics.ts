/** Of a few runs on a machine that does other work too. */

/** Between the values, as their order has it; NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = share * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  if (low === undefined || high === undefined) return Number.NaN;
  return low + (high - low) * (at - Math.floor(at));
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** The median, and between which values the middle half lies. */
export interface Middle {
  readonly low: number;
  readonly median: number;
  readonly high: number;
}

export const middleOf = (values: readonly number[]): Middle => ({
  low: quantile(values, 0.25),
  median: median(values),
  high: quantile(values, 0.75),
});

/** A value that has no noise of its own. */
export const exactly = (value: number): Middle => ({ low: value, median: value, high: value });

export const difference = (a: Middle, b: Middle): Middle => ({
  low: a.low - b.high,
  median: a.median - b.median,
  high: a.high - b.low,
});

/** Of positive numbers. */
export const quotient = (a: Middle, b: Middle): Middle => ({
  low: a.low / b.high,
  median: a.median / b.median,
  high: a.high / b.low,
});

export const noneBelowZero = ({ low, median: middle, high }: Middle): Middle => ({
  low: Math.max(0, low),
  median: Math.max(0, middle),
  high: Math.max(0, high),
});
