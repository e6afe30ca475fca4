import { describe, expect, it } from 'vitest';
import {
  mebibytes,
  age,
  amplification,
  bytes,
  duration,
  keyText,
  pageSize,
  thousands,
  visible,
} from '../../../server/protocol/format';
import { emptyQuery } from '../../../webview/query';
import { excerpt, lessThan, smallerLimit } from '../../../webview/texts';

describe('numbers', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [12_700, '12,700'],
    ['9223372036854775807', '9,223,372,036,854,775,807'],
    ['-1', '-1'],
  ])('%j as %j', (value, text) => {
    expect(thousands(value)).toBe(text);
  });

  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1.0 kB'],
    [999_949, '999.9 kB'],
    [999_999, '1.0 MB'],
    [24_800_000, '24.8 MB'],
    [3_000_000_000_000, '3000.0 GB'],
  ])('%d bytes', (count, text) => {
    expect(bytes(count)).toBe(text);
  });

  it.each([
    [0.04, '0.0 ms'],
    [9.96, '10.0 ms'],
    [312.4, '312 ms'],
    [1260, '1.3 s'],
    [125_000, '2 min 5 s'],
  ])('%d ms', (count, text) => {
    expect(duration(count)).toBe(text);
  });

  it.each([
    [0, 'all'],
    [100, '100'],
    [1600, '1.6k'],
    [1000, '1k'],
    [10_000, '10k'],
  ])('page size %d', (limit, text) => {
    expect(pageSize(limit)).toBe(text);
  });

  it('the ratio of keys to rows', () => {
    expect(amplification(12_700, 100)).toBe('×127');
    expect(amplification(3, 2)).toBe('×1.5');
    expect(amplification(100, 0)).toBeUndefined();
  });
});

it('writes memory in the unit of its limit', () => {
  expect([0, 400_000, 9.96 * 1024 ** 2, 256 * 1024 ** 2, 2048 * 1024 ** 2].map(mebibytes)).toEqual([
    ...['0 MiB', '0.4 MiB', '10 MiB', '256 MiB', '2,048 MiB'],
  ]);
});

describe('ages', () => {
  const now = Date.parse('2026-06-01T12:00:00Z');
  it.each([
    ['2026-06-01T11:59:15Z', '45s'],
    ['2026-06-01T11:54:30Z', '5m30s'],
    ['2026-06-01T10:00:00Z', '120m'],
    ['2026-06-01T06:55:00Z', '5h5m'],
    ['2026-05-31T06:00:00Z', '30h'],
    ['2026-05-28T08:00:00Z', '4d4h'],
    ['2025-06-01T12:00:00Z', '365d'],
    ['2023-05-01T12:00:00Z', '3y32d'],
    ['2027-01-01T00:00:00Z', '0s'],
    ['', ''],
    ['yesterday', ''],
  ])('since %j', (created, text) => {
    expect(age(created, now)).toBe(text);
  });
});

describe('texts', () => {
  it('show what cannot be seen in a key', () => {
    expect(keyText('/a\u0000b\u007f')).toBe('/a\\x00b\\x7f');
    expect(keyText({ hex: '2f72ff' })).toBe('0x2f72ff');
  });

  it.each([
    ['a\u202egpj.exe', 'a\\u202egpj.exe'],
    ['a\u200bb\u2066c', 'a\\u200bb\\u2066c'],
    ['a\u2028b\u0085', 'a\\u2028b\\x85'],
    ['tab\tline\n', 'tab\\x09line\\x0a'],
    ['\ud800', '\\ud800'],
    ['\u{e0001}', '\\u{e0001}'],
    ['größe 😀 שלום', 'größe 😀 שלום'],
  ])('show what hides or turns text in %j', (text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  it.each([
    ['app=nginx,tier in (web', 18, 22, ['app=nginx,tier in ', '(web', '']],
    ['a', 1, 1, ['a', '', '']],
    ['a', 5, 9, ['a', '', '']],
    ['x'.repeat(40), 30, 31, [`…${'x'.repeat(24)}`, 'x', 'x'.repeat(9)]],
  ])('mark the offence in %j', (text, start, end, parts) => {
    expect(excerpt(text, start, end)).toEqual(parts);
  });

  it.each([
    ['1000', '500'],
    ['1', '1'],
    ['', '500'],
    ['many', '500'],
  ])('suggest a limit below %j', (limit, smaller) => {
    expect(smallerLimit(limit)).toBe(smaller);
  });

  it('is offered where a list was too large, and etcd in place of a watch cache that was', () => {
    const query = { ...emptyQuery, limit: '10' };
    expect(lessThan(query)).toEqual({ text: 'Run again with limit 5', over: { limit: '5' } });
    expect(lessThan({ ...query, serveFrom: 'watchCache' })).toEqual({
      text: 'Serve from etcd',
      over: { serveFrom: undefined },
    });
  });
});
