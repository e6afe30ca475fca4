// What `--cases` and `--seed` take, wherever they come from.

/** A longer run's limits of time would be beyond what a timer can be set to. */
const limits = {
  cases: { least: 1, most: 10_000_000 },
  // Both sides' chance takes 31 bits.
  seed: { least: 0, most: 2 ** 31 - 1 },
};

/** Throws `RangeError` unless the text is a whole number in bounds. `name` is what to call it. */
export function readSetting(setting, text, name) {
  const { least, most } = limits[setting];
  const value = /^\d{1,16}$/.test(text) ? Number(text) : NaN;
  if (value >= least && value <= most) return value;
  throw new RangeError(`${name} takes a whole number from ${least} to ${most}, not '${text}'`);
}
