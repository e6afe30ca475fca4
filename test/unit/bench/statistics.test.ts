import { describe, expect, it } from 'vitest';
import {
  difference,
  exactly,
  median,
  middleOf,
  noneBelowZero,
  quotient,
} from '../../bench/statistics';

describe('of a few runs', () => {
  it('the median is the middle one, or between the middle two, whatever their order', () => {
    expect(median([30, 2, 10])).toBe(10);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(median([7])).toBe(7);
    expect(median([])).toBeNaN();
  });

  it('the quartiles lie between the values', () => {
    expect(middleOf([50, 10, 40, 20, 30])).toEqual({ low: 20, median: 30, high: 40 });
    expect(middleOf([1, 2, 3, 4])).toEqual({ low: 1.75, median: 2.5, high: 3.25 });
  });

  it('a difference and a quotient reach as far as both together can', () => {
    const [a, b] = [
      { low: 10, median: 12, high: 18 },
      { low: 2, median: 4, high: 5 },
    ];
    expect(difference(a, b)).toEqual({ low: 5, median: 8, high: 16 });
    expect(quotient(a, b)).toEqual({ low: 2, median: 3, high: 9 });
  });

  it('what is below zero counts as none', () => {
    expect(noneBelowZero({ low: -3, median: -1, high: 2 })).toEqual({ low: 0, median: 0, high: 2 });
    expect(exactly(5)).toEqual({ low: 5, median: 5, high: 5 });
  });
});
