/**
 * The rules of SARIF 2.1.0 for those of its objects that are written here: which members there may
 * be and must be, and what their values are (sections 3.13 to 3.58 of the standard).
 */
type Check = (value: unknown, path: string) => string[];

const is =
  (what: string, holds: (value: unknown) => boolean): Check =>
  (value, path) =>
    holds(value) ? [] : [`${path} is not ${what}`];

const text = is('a text', (value) => typeof value === 'string' && value !== '');
const truth = is('true or false', (value) => typeof value === 'boolean');
const oneOf = (...words: string[]): Check =>
  is(`one of ${words.join(', ')}`, (value) => words.includes(value as string));
const from = (least: number): Check =>
  is(`a whole number from ${least}`, (value) => Number.isInteger(value) && Number(value) >= least);
/** RFC 3986: a URI or a relative reference. */
const uri = is(
  'a reference',
  (value) =>
    typeof value === 'string' &&
    /^(?:[a-z][a-z0-9+.-]*:(?:\/\/[^/]*)?)?(?:[A-Za-z0-9._~!$&'()*+,;=@/-]|%[0-9A-F]{2})+$/i.test(
      value,
    ),
);

const list =
  (each: Check): Check =>
  (value, path) =>
    Array.isArray(value)
      ? value.flatMap((item, i) => each(item, `${path}[${i}]`))
      : [`${path} is no array`];

/** Members whose names end in `?` may be absent; others there may not be. */
const object =
  (members: Readonly<Record<string, Check>>): Check =>
  (value, path) => {
    if (typeof value !== 'object' || value === null) return [`${path} is no object`];
    const given = new Map(Object.entries(value));
    const faults = Object.entries(members).flatMap(([name, check]) => {
      const key = name.replace('?', '');
      const member: unknown = given.get(key);
      given.delete(key);
      if (member !== undefined) return check(member, `${path}.${key}`);
      return name.endsWith('?') ? [] : [`${path}.${key} is missing`];
    });
    return [...faults, ...[...given.keys()].map((key) => `${path}.${key} is unknown`)];
  };

const message = object({ text });
const level = oneOf('none', 'note', 'warning', 'error');
const region = object({
  startLine: from(1),
  startColumn: from(1),
  endLine: from(1),
  endColumn: from(1),
});
const location = object({
  physicalLocation: object({ artifactLocation: object({ uri }), 'region?': region }),
});
const rule = object({
  id: text,
  shortDescription: message,
  defaultConfiguration: object({ level }),
});
const result = object({
  ruleId: text,
  ruleIndex: from(0),
  level,
  message,
  locations: list(location),
});
const run = object({
  tool: object({ driver: object({ name: text, version: text, rules: list(rule) }) }),
  invocations: list(
    object({
      executionSuccessful: truth,
      toolExecutionNotifications: list(object({ level, message, locations: list(location) })),
    }),
  ),
  columnKind: oneOf('utf16CodeUnits', 'unicodeCodePoints'),
  results: list(result),
});
const log = object({ $schema: uri, version: oneOf('2.1.0'), runs: list(run) });

interface Region {
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  readonly endColumn: number;
}

interface Log {
  readonly runs: readonly {
    readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } };
    readonly results: readonly {
      readonly ruleId: string;
      readonly ruleIndex: number;
      readonly locations: readonly { readonly physicalLocation: { readonly region?: Region } }[];
    }[];
  }[];
}

/** What is wrong with a log; none for one that keeps to the rules. */
export function sarifFaults(value: unknown): string[] {
  const faults = log(value, 'log');
  return faults.length > 0 ? faults : (value as Log).runs.flatMap(runFaults);
}

function runFaults({ tool, results }: Log['runs'][number]): string[] {
  const ids = tool.driver.rules.map(({ id }) => id);
  const twice = ids.filter((id, i) => ids.indexOf(id) !== i).map((id) => `rule ${id} comes twice`);
  const strayed = results
    .filter(({ ruleId, ruleIndex }) => ids[ruleIndex] !== ruleId)
    .map(({ ruleId, ruleIndex }) => `rule ${ruleIndex} is not ${ruleId}`);
  const backwards = results
    .flatMap(({ locations }) => locations.map(({ physicalLocation }) => physicalLocation.region))
    .filter((each) => each !== undefined && endsBeforeStart(each))
    .map((each) => `a region ends before it starts: ${JSON.stringify(each)}`);
  return [...twice, ...strayed, ...backwards];
}

function endsBeforeStart({ startLine, startColumn, endLine, endColumn }: Region): boolean {
  return endLine < startLine || (endLine === startLine && endColumn < startColumn);
}
