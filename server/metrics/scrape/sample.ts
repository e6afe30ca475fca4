/**
 * One line of Prometheus text or of OpenMetrics. Formats: Prometheus' "text-based format" 0.0.4, and
 * OpenMetrics 1.0 with exemplars and times in seconds; names in quotes as Prometheus 3 writes them.
 */
export interface Sample {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  /** As it stands: NaN and infinities too. */
  readonly value: number;
  /** Milliseconds since 1970, where the line has a time. */
  readonly at: number | undefined;
}

/** The line is no sample; the message says what is wrong with it, and repeats nothing of it. */
export class SampleError extends Error {
  override readonly name = 'SampleError';
}

/** What is wrong with the value of something that is counted, or measured in seconds; undefined for nothing. */
export function countFault(value: number): string | undefined {
  return value >= 0 && value < Infinity ? undefined : `its value, ${value}, is no count`;
}

/** Below this a time is in seconds: in milliseconds it is a day of 1973. */
const SECONDS_END = 1e11;

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\\\\', '\\'],
  ['\\"', '"'],
  ['\\n', '\n'],
]);

export class SampleParser {
  private readonly patterns = {
    metric: /[a-zA-Z_:][a-zA-Z0-9_:]*/y,
    label: /[a-zA-Z_][a-zA-Z0-9_]*/y,
    blank: /[ \t]*/y,
    word: /[^ \t#]+/y,
  };
  private line = '';
  private at = 0;

  /** Without its line break. Throws `SampleError`. */
  parse(line: string): Sample {
    this.line = line;
    this.at = 0;
    let name = this.take('metric')?.[0] ?? '';
    this.take('blank');
    const labels = new Map<string, string>();
    if (this.passes('{')) name = this.readLabels(labels, name);
    if (name === '') throw new SampleError('it does not begin with the name of a metric');
    this.take('blank');
    const value = numberOf(this.take('word')?.[0]);
    if (value === undefined) throw new SampleError('its value is no number');
    this.take('blank');
    const time = this.take('word')?.[0];
    const at = timeOf(time);
    if (at === undefined && time !== undefined) throw new SampleError('its time is no number');
    this.take('blank');
    const isEnd = this.at === line.length || line[this.at] === '#';
    if (!isEnd) throw new SampleError('something stands behind its value');
    return { name, labels, value, at };
  }

  /** What stands between braces; gives the metric's name, which may stand there in quotes. */
  private readLabels(labels: Map<string, string>, before: string): string {
    let name = before;
    for (;;) {
      this.take('blank');
      if (this.passes('}')) return name;
      const quoted = this.takeQuoted();
      const label = quoted === undefined ? this.take('label')?.[0] : unescaped(quoted);
      if (label === undefined) throw new SampleError(this.labelFault());
      this.take('blank');
      if (this.passes('=')) this.addValue(labels, label);
      else if (quoted !== undefined && name === '') name = label;
      else throw new SampleError(this.labelFault('a label has no value'));
      this.take('blank');
      if (!this.passes(',') && this.line[this.at] !== '}') throw new SampleError(this.labelFault());
    }
  }

  private addValue(labels: Map<string, string>, label: string): void {
    this.take('blank');
    const value = this.takeQuoted();
    if (value === undefined) throw new SampleError(this.labelFault());
    if (labels.has(label)) throw new SampleError('a label stands there twice');
    labels.set(label, unescaped(value));
  }

  private labelFault(why = 'its labels cannot be read'): string {
    return this.line.includes('}', this.at) ? why : 'it ends within its labels';
  }

  private take(which: keyof SampleParser['patterns']): RegExpExecArray | undefined {
    const pattern = this.patterns[which];
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.line);
    if (found !== null) this.at = pattern.lastIndex;
    return found ?? undefined;
  }

  /** What stands in quotes here, with its escapes. */
  private takeQuoted(): string | undefined {
    if (this.line[this.at] !== '"') return undefined;
    let end = this.at + 1;
    while (end < this.line.length && this.line[end] !== '"') end += this.line[end] === '\\' ? 2 : 1;
    if (end >= this.line.length) return undefined;
    const text = this.line.slice(this.at + 1, end);
    this.at = end + 1;
    return text;
  }

  private passes(character: string): boolean {
    const isThere = this.line[this.at] === character;
    if (isThere) this.at++;
    return isThere;
  }
}

/** An escape that the formats do not have stays as it is. */
function unescaped(text: string): string {
  return text.includes('\\') ? text.replace(/\\./g, (pair) => ESCAPES.get(pair) ?? pair) : text;
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const SPECIAL: ReadonlyMap<string, number> = new Map([
  ['nan', NaN],
  ['inf', Infinity],
  ['+inf', Infinity],
  ['-inf', -Infinity],
  ['infinity', Infinity],
  ['+infinity', Infinity],
  ['-infinity', -Infinity],
]);

function numberOf(text = ''): number | undefined {
  return NUMBER.test(text) ? Number(text) : SPECIAL.get(text.toLowerCase());
}

function timeOf(text = ''): number | undefined {
  if (!NUMBER.test(text)) return undefined;
  const time = Number(text);
  return Math.abs(time) < SECONDS_END ? time * 1000 : time;
}
