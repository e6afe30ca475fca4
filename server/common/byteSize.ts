/** Sizes as people write them. */

const UNIT_BYTES: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['B', 1],
  ['k', 1e3],
  ['K', 1e3],
  ['kB', 1e3],
  ['KB', 1e3],
  ['M', 1e6],
  ['MB', 1e6],
  ['G', 1e9],
  ['GB', 1e9],
  ['Ki', 1024],
  ['KiB', 1024],
  ['Mi', 1024 ** 2],
  ['MiB', 1024 ** 2],
  ['Gi', 1024 ** 3],
  ['GiB', 1024 ** 3],
]);

/** Bytes of a size such as `64MiB`, `1Gi` or `1048576`; undefined for anything else, and for none. */
export function parseByteSize(text: string): number | undefined {
  const [, digits, unit] = /^(\d+) ?([A-Za-z]*)$/.exec(text) ?? [];
  const bytes = Number(digits) * (UNIT_BYTES.get(unit ?? '') ?? NaN);
  return Number.isSafeInteger(bytes) && bytes > 0 ? bytes : undefined;
}
