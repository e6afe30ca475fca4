/** Rewrites what pflag accepts and commander does not, before parsing. */

const SHORT_WITH_VALUE = /^-([nlo])=(.*)$/s;

/** `-n=web` becomes `-nweb`, `--flag=true` becomes `--flag`, `--flag=false` goes or is negated. */
export function normalizeArgv(
  argv: readonly string[],
  booleans: ReadonlySet<string>,
  negatable: ReadonlySet<string>,
): string[] {
  const end = argv.indexOf('--');
  const head = end < 0 ? argv : argv.slice(0, end);
  const tail = end < 0 ? [] : argv.slice(end);
  return [...head.flatMap((argument) => normalizeOne(argument, booleans, negatable)), ...tail];
}

function normalizeOne(
  argument: string,
  booleans: ReadonlySet<string>,
  negatable: ReadonlySet<string>,
): string[] {
  const short = SHORT_WITH_VALUE.exec(argument);
  if (short) return [`-${short[1] ?? ''}`, short[2] ?? ''];
  const long = /^--([^=]+)=(.*)$/s.exec(argument);
  const name = long?.[1] ?? '';
  if (!long || !booleans.has(name)) return [argument];
  const truth = parseBool(long[2] ?? '');
  if (truth === undefined) return [argument];
  if (truth) return [`--${name}`];
  return negatable.has(name) ? [`--no-${name}`] : [];
}

/** Go's `strconv.ParseBool`. */
export function parseBool(text: string): boolean | undefined {
  if (['1', 't', 'T', 'TRUE', 'true', 'True'].includes(text)) return true;
  if (['0', 'f', 'F', 'FALSE', 'false', 'False'].includes(text)) return false;
  return undefined;
}
