/** What is given by hand, as it is typed. */
import { parseByteSize } from '../common/byteSize';
import { exactly } from './estimateCost';
import type { Matches, StoredKeys } from './estimateModel';
import { shown } from './words';

export interface GivenTexts {
  readonly keys: string;
  readonly matchRate: string;
  readonly objectSize: string;
  readonly clustered: boolean;
}

/** Beyond it nothing is reckoned. */
export const MOST_KEYS = 1_000_000_000_000;

/** Of `1%` or `0.01`; a bare 1 may be meant as either, and is none. */
export function parseShare(text: string): number | undefined {
  const [, digits, percent] = /^(\d{1,9}(?:\.\d{0,12})?|\.\d{1,12}) ?(%?)$/.exec(text) ?? [];
  const share = Number(digits) / (percent === '%' ? 100 : 1);
  const isClear = percent === '%' || text.includes('.') || text === '0';
  return isClear && share >= 0 && share <= 1 ? share : undefined;
}

/** Undefined where nothing is given; a text says in one sentence what is wrong. */
export function givenKeys(given: GivenTexts): StoredKeys | string | undefined {
  const [count, rate, size] = [given.keys, given.matchRate, given.objectSize].map(plain) as Three;
  if (count === '') {
    return rate + size === '' ? undefined : 'How many keys there are is missing.';
  }
  const keys = /^\d{1,15}$/.test(count) ? Number(count) : Infinity;
  if (keys > MOST_KEYS) return `"${shown(given.keys)}" is no number of keys: write digits.`;
  const matches = matchesOf(rate, given.clustered);
  if (matches === undefined) {
    return `"${shown(given.matchRate)}" is no share: write it like 1% or 0.01.`;
  }
  const bytes = size === '' ? undefined : parseByteSize(size);
  if (size !== '' && bytes === undefined) {
    return `"${shown(given.objectSize)}" is no size: write it like 2KiB.`;
  }
  const sizes = bytes === undefined ? {} : { bytesPerKey: exactly(bytes) };
  return { keys, ...sizes, matches, source: { kind: 'given' } };
}

type Three = [string, string, string];

const plain = (text: string): string => text.trim().replaceAll(',', '');

/** Undefined for what is no share. */
function matchesOf(rate: string, clustered: boolean): Matches | undefined {
  if (rate === '') return { kind: 'unknown' };
  const share = parseShare(rate);
  return share === undefined ? undefined : { kind: 'share', share: exactly(share), clustered };
}
