import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layoutChart, roundUp, slotsFor, type Trip } from '../../../webview/chartLayout';

const trip = (limit: number, over: Partial<Trip> = {}): Trip => ({
  keys: limit,
  matched: Math.floor(limit / 100),
  limit,
  ended: true,
  ...over,
});

describe('the chart', () => {
  it('has a bar a round trip with the page size above', () => {
    const layout = layoutChart(
      [100, 200, 400].map((limit) => trip(limit)),
      800,
      100,
    );
    expect(layout).toMatchObject({ tripsPerBar: 1, top: 400 });
    expect(layout.bars.map(({ label }) => label)).toEqual(['100', '200', '400']);
    const last = layout.bars.at(-1);
    expect(layout.extent).toBe((last?.x ?? 0) + (last?.width ?? 0));
    expect(layout.bars.map(({ keysHeight }) => keysHeight)).toEqual([25, 50, 100]);
    expect(layout.bars.map(({ matchedHeight }) => matchedHeight)).toEqual([2, 2, 2]);
  });

  it('draws an empty page as nothing and one key as something', () => {
    const layout = layoutChart(
      [trip(100, { keys: 0, matched: 0 }), trip(10_000, { keys: 1 })],
      800,
      64,
    );
    expect(layout.bars[0]).toMatchObject({ keysHeight: 0, matchedHeight: 0 });
    expect(layout.bars[1]?.keysHeight).toBe(64);
  });

  it('fills a bar only when every key matched, however small it is', () => {
    const bars = (matched: number) =>
      layoutChart([trip(100, { matched }), trip(10_000)], 800, 64).bars[0];
    expect(bars(99)).toMatchObject({ keysHeight: 5, matchedHeight: 2 });
    expect(bars(100)).toMatchObject({ keysHeight: 5, matchedHeight: 5 });
    expect(bars(0)).toMatchObject({ matchedHeight: 0 });
  });

  it('puts no label where a taller bar stands', () => {
    const limits = [100, 200, 400, 800, 1600, 3200, 6400];
    const { bars } = layoutChart(
      limits.map((limit) => trip(limit)),
      24 * 7,
      64,
    );
    expect(bars.map(({ label }) => label)).toEqual(['', '', '', '', '', '', '6.4k']);
  });

  it('marks a reply that is still coming', () => {
    expect(layoutChart([trip(100, { ended: false })], 800, 64).bars[0]?.pending).toBe(true);
  });

  it('fits any number of trips into any width', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20_000 }),
        fc.integer({ min: 40, max: 3000 }),
        (trips, width) => {
          const { slot, tripsPerBar } = slotsFor(trips, width);
          expect(Math.ceil(trips / tripsPerBar) * slot).toBeLessThanOrEqual(width);
        },
      ),
    );
  });

  it('keeps every key and match when trips share a bar', () => {
    const trips = Array.from({ length: 3001 }, (_, index) => trip(index % 500));
    const layout = layoutChart(trips, 600, 64);
    expect(layout.tripsPerBar).toBeGreaterThan(1);
    expect(layout.bars).toHaveLength(Math.ceil(3001 / layout.tripsPerBar));
    expect(layout.bars.every(({ keysHeight, matchedHeight }) => matchedHeight <= keysHeight)).toBe(
      true,
    );
  });

  it('moves no bar while the slots stay as wide', () => {
    const trips = Array.from({ length: 16 }, () => trip(100));
    const before = layoutChart(trips.slice(0, 9), 96 * 16, 64).bars.map(({ x }) => x);
    const after = layoutChart(trips, 96 * 16, 64).bars.map(({ x }) => x);
    expect(after.slice(0, 9)).toEqual(before);
  });

  it.each([
    [0, 1],
    [1, 1],
    [3, 4],
    [6400, 8000],
    [10_000, 10_000],
    [10_001, 20_000],
  ])('scales %d keys to %d', (keys, top) => {
    expect(roundUp(keys)).toBe(top);
  });
});
