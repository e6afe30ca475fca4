/** How long the test of a feed under writes and kills runs. */

export interface WatchSettings {
  readonly writes: number;
  readonly kills: number;
}

function setting(name: string, fallback: number, most: number): number {
  const given = process.env[name] ?? '';
  if (given === '') return fallback;
  const value = /^\d{1,9}$/.test(given) ? Number(given) : NaN;
  if (value >= 1 && value <= most) return value;
  throw new RangeError(`${name} takes a whole number from 1 to ${String(most)}, not '${given}'`);
}

/** `WATCH_WRITES` and `WATCH_KILLS`, else 3000 and 2. */
export function watchSettings(): WatchSettings {
  return {
    writes: setting('WATCH_WRITES', 3_000, 10_000_000),
    kills: setting('WATCH_KILLS', 2, 1_000),
  };
}
