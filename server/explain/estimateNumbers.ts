/** Numbers of an estimate as text. */
import type { Figure } from './estimateModel';

export function grouped(value: number | bigint): string {
  return value.toString().replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** `1 key`, `12,700 keys`. */
export const countText = (count: number, noun: string): string =>
  `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;

/** `24.8 MB`, in the largest decimal unit that keeps the number above one. */
export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${Math.round(bytes)} B`;
  const units = ['kB', 'MB', 'GB', 'TB', 'PB'];
  let [value, unit] = [bytes, 'B'];
  for (const next of units) {
    if (value < 999.95) break;
    value /= 1000;
    unit = next;
  }
  return `${value.toFixed(1)} ${unit}`;
}

/** `1 %`, `0.05 %`: three digits that matter. */
export function rateText(share: number): string {
  const percent = Number((share * 100).toPrecision(3));
  return `${percent} %`;
}

/** `7`, or `5 to 9` where it is not certain. */
export function spanText({ low, high }: Figure, of: (value: number) => string = grouped): string {
  const [from, to] = [of(low), of(high)];
  return from === to ? from : `${from} to ${to}`;
}

/** The likely one. */
export function likelyText({ likely }: Figure, of: (value: number) => string = grouped): string {
  return of(likely);
}
