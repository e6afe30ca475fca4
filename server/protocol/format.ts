/** Numbers, sizes, times and texts of the cluster as people read them, in the panel and elsewhere. */

/** `12700` as `12,700`; digits of any length, so that revisions stay exact. */
export function thousands(value: number | string): string {
  return String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** `1 row`, `2 rows`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${thousands(count)} ${count === 1 ? one : many}`;
}

/** Decimal units as etcd's own limits are discussed in: B, kB, MB, GB; one decimal from kB on. */
export function bytes(count: number): string {
  if (count < 1000) return `${count} B`;
  const units = ['kB', 'MB', 'GB'];
  let value = count / 1000;
  let unit = 0;
  while (value >= 999.95 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value.toFixed(1)} ${units[unit] ?? 'GB'}`;
}

/** Two digits of it, for what is estimated: `52 MB`, `1.2 GB`. */
export function roughBytes(count: number): string {
  return bytes(Number(count.toPrecision(2))).replace('.0 ', ' ');
}

/** Memory, in the unit of the setting that limits it: `0.4 MiB`, `51 MiB`. */
export function mebibytes(count: number): string {
  const value = count / 1024 ** 2;
  return `${value < 10 ? value.toFixed(1).replace(/\.0$/, '') : thousands(Math.round(value))} MiB`;
}

/** `3.2 ms`, `312 ms`, `1.3 s`, `2 min 5 s`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 10) return `${milliseconds.toFixed(1)} ms`;
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** A page size in little room: `100`, `1.6k`, `10k`; 0 is a read of everything. */
export function pageSize(limit: number): string {
  if (limit === 0) return 'all';
  if (limit < 1000) return String(limit);
  const thousand = limit / 1000;
  return `${thousand < 10 ? thousand.toFixed(1).replace(/\.0$/, '') : Math.round(thousand)}k`;
}

/** The time of day where the reader is, as all clocks here write it: `18:31`. */
export function timeOfDay(at: number): string {
  const two = (part: number): string => String(part).padStart(2, '0');
  const date = new Date(at);
  return `${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** Age as kubectl prints it: `45s`, `5m30s`, `2h5m`, `3d4h`, `12d`, `400d`, `3y`. */
export function age(created: string, now: number): string {
  const seconds = Math.floor((now - Date.parse(created)) / 1000);
  if (!Number.isFinite(seconds)) return '';
  if (seconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return withRest(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 8) return withRest(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(hours / 24);
  if (days < 8) return withRest(days, 'd', hours % 24, 'h');
  if (days < 730) return `${days}d`;
  const years = Math.floor(days / 365);
  return years < 8 ? withRest(years, 'y', days % 365, 'd') : `${years}y`;
}

function withRest(value: number, unit: string, rest: number, restUnit: string): string {
  return rest === 0 ? `${value}${unit}` : `${value}${unit}${rest}${restUnit}`;
}

/** How many keys were read for one that was returned; undefined when none was. */
export function amplification(fetched: number, returned: number): string | undefined {
  if (returned === 0) return undefined;
  const ratio = fetched / returned;
  return `×${ratio < 10 ? ratio.toFixed(1).replace(/\.0$/, '') : thousands(Math.round(ratio))}`;
}

/** Controls, format characters (turned direction, no width), separators of lines, lone surrogates. */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * Text of the cluster on one line, with nothing in it that a person cannot see or that turns or hides
 * what stands beside it: such characters are written as `\x00`, `\u202e` or `\u{e0001}`.
 */
export function visible(text: string): string {
  return text.replace(hidden, (character) => {
    const code = character.codePointAt(0) ?? 0;
    const hex = code.toString(16);
    if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`;
    return code > 0xffff ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
  });
}

/** A range's end as the receipt carries it. */
export function keyText(key: string | { readonly hex: string }): string {
  return typeof key === 'string' ? visible(key) : `0x${key.hex}`;
}

export function labelsText(labels: readonly (readonly [string, string])[]): string {
  return labels.map(([key, value]) => `${key}=${value}`).join(',');
}
