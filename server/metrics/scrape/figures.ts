/** Numbers as people read them. */

/** What is not known. */
export const NONE = '–';

export function grouped(value: number | undefined): string {
  if (value === undefined) return NONE;
  return Math.round(value)
    .toString()
    .replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** `127`, `9.9`, `1.0`; of what came to nothing, `all lost`. */
export function ratioText(value: number | undefined): string {
  if (value === undefined) return NONE;
  if (value === Infinity) return 'all lost';
  return value >= 99.95 ? grouped(value) : value.toFixed(1);
}

/** Of a second. */
export function rateText(rate: number | undefined): string {
  if (rate === undefined) return NONE;
  return rate >= 99.95 ? grouped(rate) : rate.toFixed(rate >= 0.995 ? 1 : 3);
}

/** `0.21 s`, `85.3 s`, `1,204 s`. */
export function secondsText(seconds: number | undefined): string {
  if (seconds === undefined) return NONE;
  if (seconds >= 99.95) return `${grouped(seconds)} s`;
  return `${seconds.toFixed(seconds >= 9.995 ? 1 : 2)} s`;
}

/** `100 %`, `3 %`, `0.2 %`; a part that is small is not told as none. */
export function shareText(part: number | undefined, whole: number | undefined): string {
  if (part === undefined || whole === undefined || whole === 0) return NONE;
  const percent = (part / whole) * 100;
  if (percent === 0 || percent >= 9.95) return `${Math.round(percent)} %`;
  return percent < 0.05 ? '<0.1 %' : `${percent.toFixed(1)} %`;
}
