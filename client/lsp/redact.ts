/** Takes texts and secrets out of what the client traces of its messages, which may be megabytes long. */

/**
 * Members whose texts stay, alone or in a list. Whatever else is a text may be of a document, of an
 * object or typed by a person: a selector, a message that quotes it, a fix, an outline, a token, a
 * password. So a message that is new has none of its texts in the log until it is thought of here.
 */
const KEPT: ReadonlySet<string> = new Set([
  'code',
  'endpoint',
  'endpoints',
  'id',
  'jsonrpc',
  'kind',
  'language',
  'languageId',
  'listId',
  'method',
  'operation',
  'pattern',
  'readMode',
  'root',
  'scheme',
  'severity',
  'source',
  'state',
  'type',
  'uri',
  'user',
  'version',
]);

/** Where a user and password may have been written by mistake, of whatever characters. */
const ENDPOINTS: ReadonlySet<string> = new Set(['endpoint', 'endpoints']);

/** Longest name of a member that is looked up. */
const LONGEST_NAME = 20;

/** Text that may be an address; in it everything before the last `@` goes. */
const word = /[^\s"]+/g;
/** A document's address, in which an `@` is part of a file's name. */
const documentScheme = /^(?:file|vscode-[a-z]+|untitled|etcd-list):/i;

/** What a refused request is traced with beside its data: the words of the refusal, and its code. */
const refusal = /^([^\n"]*Request failed: )[^]*( \(-?\d+\)\.(?=\s|$))/;

const notTraced = '(not traced)';

export function redact(trace: string): string {
  const clean = trace.replace(refusal, `$1${notTraced}$2`);
  return new Cleaning(clean).withoutTexts().replace(word, withoutUser);
}

/** Of a word with a scheme, or with a colon before its `@`. */
function withoutUser(text: string): string {
  const at = text.lastIndexOf('@');
  if (at < 0 || documentScheme.test(text)) return text;
  const scheme = text.indexOf('//');
  if (scheme >= 0 && scheme < at) return text.slice(0, scheme + 2) + notTraced + text.slice(at);
  const colon = text.indexOf(':');
  return colon >= 0 && colon < at ? notTraced + text.slice(at) : text;
}

/** Goes over the strings of JSON once. A line that is no JSON cannot spoil the next. */
class Cleaning {
  private readonly kept: string[] = [];
  /** What comes before was kept or taken out already. */
  private from = 0;
  private lineEnd = -1;
  private member = '';
  /** Where a text of that member begins, if it is one. */
  private valueAt = -1;

  constructor(private readonly trace: string) {}

  withoutTexts(): string {
    const { trace } = this;
    let start = trace.indexOf('"');
    while (start >= 0) {
      const end = this.endOfString(start + 1);
      const value = behind(trace, end + 1, /\s*:\s*\[?\s*/y);
      if (value === undefined) this.text(start + 1, end);
      else this.name(trace.slice(start + 1, Math.min(end, start + 2 + LONGEST_NAME)), value);
      start = trace.indexOf('"', end + 1);
    }
    return [...this.kept, trace.slice(this.from)].join('');
  }

  private name(name: string, valueAt: number): void {
    this.member = name;
    this.valueAt = KEPT.has(name) ? valueAt : -1;
  }

  private text(start: number, end: number): void {
    if (start - 1 !== this.valueAt) {
      this.takeOut(start, end);
      return;
    }
    if (ENDPOINTS.has(this.member)) {
      const at = this.trace.slice(start, end).lastIndexOf('@');
      if (at >= 0) this.takeOut(start, start + at);
    }
    // The next of a list.
    this.valueAt = behind(this.trace, end + 1, /\s*,\s*/y) ?? -1;
  }

  private takeOut(start: number, end: number): void {
    this.kept.push(this.trace.slice(this.from, start), notTraced);
    this.from = end;
  }

  /** Where the closing quote stands, or the end of the line when there is none. */
  private endOfString(start: number): number {
    const { trace } = this;
    if (this.lineEnd < start) {
      const end = trace.indexOf('\n', start);
      this.lineEnd = end < 0 ? trace.length : end;
    }
    for (let at = start; ; at += 1) {
      const quote = trace.indexOf('"', at);
      if (quote < 0 || quote > this.lineEnd) return this.lineEnd;
      let backslashes = 0;
      while (quote - backslashes > start && trace[quote - backslashes - 1] === '\\') {
        backslashes += 1;
      }
      if (backslashes % 2 === 0) return quote;
      at = quote;
    }
  }
}

/** Where the pattern ends that stands there; undefined where it does not. */
function behind(text: string, at: number, pattern: RegExp): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
