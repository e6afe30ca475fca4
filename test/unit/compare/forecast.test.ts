import { describe, expect, it } from 'vitest';
import { forecastOf } from '../../../server/compare/forecast';
import { wayNames } from '../../../server/compare/model';
import type { Sample } from '../../../server/compare/sample';
import { forecastTable, medianOf } from '../../../server/compare/table';

const sample: Sample = {
  keys: 20_000,
  bytesPerKey: 1000,
  looked: 500,
  matched: 5,
  filtered: true,
};

const read = (of: Sample, limit = 100, toTheEnd = false) =>
  forecastOf(of, { ways: wayNames, limit, toTheEnd }).map(({ way, requests, keys, bytes }) => [
    way,
    requests,
    keys,
    bytes,
  ]);

describe('what is told before a comparison', () => {
  it('is reckoned from the share of a sample', () => {
    expect(read(sample)).toEqual([
      ['pages', 7, 12_700, 12_700_000],
      ['stream', 1, 10_000, 10_000_000],
      ['naive', 100, 10_000, 10_000_000],
      ['adaptive', 4, 12_500, 12_500_000],
    ]);
  });

  it('is each way’s as often as it is followed, to the end', () => {
    expect(read(sample, 100, true).map((way) => way.slice(0, 3))).toEqual([
      ['pages', 14, 22_700],
      ['stream', 1, 20_000],
      ['naive', 200, 20_000],
      ['adaptive', 8, 22_500],
    ]);
  });

  it('is the same for all without a selector, and where nothing is stored', () => {
    const all = read({ ...sample, filtered: false, matched: 500 });
    expect(new Set(all.map((way) => way.slice(1).join()))).toEqual(new Set(['1,100,100000']));
    const none = read({ keys: 0, bytesPerKey: 0, looked: 0, matched: 0, filtered: true, at: [] });
    expect(new Set(none.map((way) => way.slice(1).join()))).toEqual(new Set(['1,0,0']));
  });

  it('takes what was seen for what it is where all was looked at', () => {
    const few = { ...sample, keys: 400, looked: 400, matched: 3, at: [11, 12, 13] };
    expect(read(few, 2).map((way) => way.slice(0, 3))).toEqual([
      ['pages', 3, 14],
      ['stream', 1, 12],
      ['naive', 6, 12],
      ['adaptive', 3, 50],
    ]);
  });

  it('of a selector that nothing matched reads on, as far as half a match would need', () => {
    const rare = read({ ...sample, matched: 0 });
    expect(rare.map(([, , keys]) => keys)).toEqual([20_000, 20_000, 20_000, 20_000]);
  });

  it('is a table', () => {
    const forecasts = forecastOf(sample, { ways: ['pages', 'naive'], limit: 100, toTheEnd: false });
    expect(forecastTable(forecasts)).toEqual([
      'WAY    REQUESTS    KEYS    BYTES',
      'pages         7  12,700  12.7 MB',
      'naive       100  10,000  10.0 MB',
    ]);
  });
});

it('the median is the middle one, or between the two in the middle', () => {
  expect([medianOf([3, 1, 2]), medianOf([4, 1, 2, 3]), medianOf([])]).toEqual([2, 2.5, 0]);
});
