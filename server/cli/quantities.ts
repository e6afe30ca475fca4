/** Reads and prints the amounts that flags and reports hold. */
import { parseByteSize } from '../common/byteSize';
import { cell } from './output/text';
import { usageError } from './exit';

const INT64_MAX = 9223372036854775807n;

/** A count that is zero or more; `what` says what to give in place of a negative one. */
export function parseCount(
  flag: string,
  text: string,
  what = 'give 0 for no limit, or a positive number',
): bigint {
  if (/^-\d+$/.test(text)) {
    throw usageError(`${flag} ${text} is negative: ${what}`);
  }
  if (!/^\d+$/.test(text)) {
    throw usageError(`${flag} "${cell(text)}" is not a number: give whole digits, such as 100`);
  }
  const value = BigInt(text);
  if (value > INT64_MAX) {
    throw usageError(`${flag} ${text} is too large: the largest is ${INT64_MAX.toString()}`);
  }
  return value;
}

/** A positive revision, as `token encode --rv` takes it; -1 is the latest. */
export function parseTokenRevision(flag: string, text: string): bigint {
  const value = /^-?\d+$/.test(text) ? BigInt(text) : 0n;
  if (value === 0n || value > INT64_MAX || value < -INT64_MAX - 1n) {
    throw usageError(
      `${flag} "${cell(text)}" is not a revision: give digits other than 0, or -1 for the latest`,
    );
  }
  return value;
}

const UNIT_MS: ReadonlyMap<string, number> = new Map([
  ['ns', 1e-6],
  ['us', 1e-3],
  ['µs', 1e-3],
  ['μs', 1e-3],
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
]);

/** Milliseconds of a Go duration such as `5s`, `1m30s` or `250ms`, as etcdctl's flags have it. */
export function parseDuration(flag: string, text: string): number {
  const part = /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g;
  if (text === '0') return 0;
  if (text === '' || text.replace(part, '') !== '') {
    throw usageError(`${flag} "${cell(text)}" is not a duration: write it like 5s, 1m30s or 250ms`);
  }
  let total = 0;
  for (const [, amount, unit] of text.matchAll(part)) {
    total += Number(amount) * (UNIT_MS.get(unit ?? '') ?? 0);
  }
  return total;
}

/** Bytes of a size such as `64MiB`, `1Gi` or `1048576`. */
export function parseSize(flag: string, text: string): number {
  const bytes = parseByteSize(text);
  if (bytes !== undefined) return bytes;
  throw usageError(`${flag} "${cell(text)}" is not a size: write bytes, or a size like 64MiB`);
}

/** Digits in groups of three. */
export function thousands(value: number | bigint): string {
  return value.toString().replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** Bytes in the largest decimal unit that keeps the number above one: `24.8 MB`. */
export function printSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 'B';
  for (const next of units) {
    if (value < 999.95) break;
    value /= 1000;
    unit = next;
  }
  return `${value.toFixed(1)} ${unit}`;
}

/** Milliseconds with one decimal below 100, whole above: `2.1 ms`, `1,204 ms`. */
export function printMs(ms: number): string {
  return ms < 100 ? `${ms.toFixed(1)} ms` : `${thousands(Math.round(ms))} ms`;
}

/** Age as kubectl writes it: two units below ten of the larger, else one. */
export function printAge(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 0) return seconds < -1 ? '<invalid>' : '0s';
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return two(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 8) return two(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(hours / 24);
  if (days < 8) return two(days, 'd', hours % 24, 'h');
  if (days < 730) return `${days}d`;
  const years = Math.floor(days / 365);
  return years < 8 ? two(years, 'y', days % 365, 'd') : `${years}y`;
}

function two(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit}${small}${smallUnit}`;
}
