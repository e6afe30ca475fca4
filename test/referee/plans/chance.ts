/** What the plans draw from. */
import fc from 'fast-check';

export const weighted = <T>(
  ...pairs: readonly (readonly [number, fc.Arbitrary<T>])[]
): fc.Arbitrary<T> => fc.oneof(...pairs.map(([weight, arbitrary]) => ({ weight, arbitrary })));
export const rarely = (percent: number): fc.Arbitrary<boolean> =>
  weighted([100 - percent, fc.constant(false)], [percent, fc.constant(true)]);
export const share = fc.integer({ min: 0, max: 1000 }).map((n) => n / 1000);
