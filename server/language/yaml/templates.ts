/**
 * Templates in YAML: Helm, Go, Jinja and others write `{{ … }}`, `{% … %}`, `<% … %>` or `${ … }` into
 * it, CircleCI `<< … >>`, ytt `(@ … @)` and comments that begin with `#@`. They are put out of the parser's sight, so that what is around them is
 * read as it will be written.
 */
import type { Span } from '../../kube/selectors';
import { yttLines, type YttLine } from './ytt';

export interface MaskedText {
  /** As long as the text, with templates as blanks or letters. */
  readonly text: string;
  /** Where they stand, in order. */
  readonly templates: readonly Span[];
}

/** The parameters of CircleCI have a dot in their name, as hardly the end of a here document has. */
const PARAMETER = String.raw`<<[ \t]{0,9}[#^/]?[ \t]{0,9}(?:include\(|[A-Za-z_][\w-]{0,99}\.)[^<>\n]{0,200}>>`;
const OPENING = new RegExp(String.raw`\$?\{\{|\$\{|\{%|<%|\(@|${PARAMETER}`, 'g');
const CLOSINGS: ReadonlyMap<string, string> = new Map([
  ['{{', '}}'],
  ['{', '}'],
  ['{%', '%}'],
  ['<%', '%>'],
  ['(@', '@)'],
]);

/** Longer ones are taken for the rest of their line. */
const LONGEST = 20_000;

/**
 * A carriage return without a line feed becomes one, since YAML has it for a line's end and the parser
 * has not.
 */
export function withLineFeeds(text: string): string {
  return /\r(?!\n)/.test(text) ? text.replace(/\r(?!\n)/g, '\n') : text;
}

/**
 * Those over several lines that hold no other one, as comments of Go's templates may: in them a line
 * that looks like the marker of a document is none.
 */
export function templatesOverLines(text: string): Span[] {
  if (!/\{[{%]|<%/.test(text) || !/^(?:---|\.\.\.)/m.test(text)) return [];
  return templatesOf(text).filter(({ start, end }) => {
    const written = text.slice(start, end);
    if (!written.includes('\n')) return false;
    return COMMENT.test(written) || !/\{[{%]|<%/.test(written.slice(2));
  });
}

const COMMENT = /^\{\{-?\s*\/\*[^]*\*\/\s*-?\}\}$/;

/** A template that has its lines for itself becomes blanks, any other one letters. */
export function maskTemplates(text: string): MaskedText {
  const written = withLineFeeds(text);
  const templates = templatesOf(written);
  if (templates.length === 0) return { text: written, templates };
  const parts: string[] = [];
  let at = 0;
  for (const group of lineGroups(written, templates)) {
    const alone = isAlone(written, group);
    for (const { start, end, isComment } of group) {
      const inside = written.slice(start, end);
      const isBlank = alone || isComment === true;
      parts.push(written.slice(at, start), isBlank ? blanks(inside) : 'x'.repeat(end - start));
      at = end;
    }
  }
  return { text: parts.join('') + written.slice(at), templates };
}

function blanks(text: string): string {
  return text.replace(/[^\r\n]/g, ' ');
}

type Template = YttLine;

function templatesOf(text: string): Template[] {
  const found: Template[] = [];
  const closings = new ClosingFinder(text);
  const opening = new RegExp(OPENING);
  for (let match = opening.exec(text); match !== null; match = opening.exec(text)) {
    const start = match.index;
    const inside = start + match[0].length;
    const isWhole = match[0].endsWith('>>');
    const end = isWhole ? inside : closings.endOf(match[0].replace('$', ''), inside);
    found.push({ start, end });
    opening.lastIndex = end;
  }
  const lines = yttLines(text);
  return lines.length === 0 ? found : united([...found, ...lines]);
}

/** In order, and none within another. */
function united(templates: readonly Template[]): Template[] {
  const out: Template[] = [];
  for (const each of [...templates].sort((a, b) => a.start - b.start)) {
    const last = out.at(-1);
    if (last === undefined || each.start >= last.end) out.push(each);
    else if (each.end > last.end) {
      out.push({ start: last.end, end: each.end, isComment: each.isComment });
    }
  }
  return out;
}

/** Remembers where the next closing is, so that many openings without one stay cheap. */
class ClosingFinder {
  private readonly next = new Map<string, number>();

  constructor(private readonly text: string) {}

  endOf(opening: string, inside: number): number {
    const closing = CLOSINGS.get(opening) ?? '}}';
    const first = this.first(closing, inside);
    if (first < 0 || first - inside > LONGEST) return this.lineEnd(inside);
    const end = opening === '{{' ? this.behindStrings(inside, first) : first;
    return this.behind(end, closing);
  }

  private first(closing: string, from: number): number {
    const known = this.next.get(closing);
    if (known !== undefined && (known < 0 || known >= from)) return known;
    const found = this.text.indexOf(closing, from);
    this.next.set(closing, found);
    return found;
  }

  /** Three braces close as one. */
  private behind(end: number, closing: string): number {
    const { text } = this;
    const behind = end + closing.length;
    return closing === '}}' && text.charAt(behind) === '}' ? behind + 1 : behind;
  }

  /** A closing in a string or comment of the template is none; `first` where that leads nowhere. */
  private behindStrings(inside: number, first: number): number {
    const { text } = this;
    const limit = Math.min(text.length, first + 2_000);
    let at = inside;
    while (at < limit) {
      if (text.startsWith('}}', at)) return at;
      const skipped = this.skip(at, limit);
      if (skipped < 0) return first;
      at = skipped;
    }
    return first;
  }

  /** Behind the string, comment or character at this place; negative where it has no end before the limit. */
  private skip(at: number, limit: number): number {
    const { text } = this;
    const character = text.charAt(at);
    if (character === '"' || character === "'") return this.quoteEnd(at, character, limit);
    if (character === '`') return this.endBehind('`', at + 1, limit);
    if (character === '/' && text.charAt(at + 1) === '*')
      return this.endBehind('*/', at + 2, limit);
    return at + 1;
  }

  private endBehind(closing: string, from: number, limit: number): number {
    const end = this.text.slice(from, limit).indexOf(closing);
    return end < 0 ? -1 : from + end + closing.length;
  }

  private quoteEnd(at: number, quote: string, limit: number): number {
    const { text } = this;
    for (let i = at + 1; i < limit; i++) {
      const character = text.charAt(i);
      if (character === quote) return i + 1;
      if (character === '\n') return -1;
      if (character === '\\') i++;
    }
    return -1;
  }

  private lineEnd(from: number): number {
    const end = this.first('\n', from);
    if (end < 0) return this.text.length;
    return this.text.charAt(end - 1) === '\r' ? end - 1 : end;
  }
}

/** Templates that share a line with the one before them are one group. */
function lineGroups(text: string, templates: readonly Template[]): Template[][] {
  const groups: Template[][] = [];
  let last: Template | undefined;
  for (const template of templates) {
    const isNewLine = last === undefined || text.slice(last.end, template.start).includes('\n');
    if (isNewLine) groups.push([template]);
    else groups.at(-1)?.push(template);
    last = template;
  }
  return groups;
}

/** Nothing but blanks and a comment stands on their lines beside them. */
function isAlone(text: string, group: readonly Span[]): boolean {
  let at = text.lastIndexOf('\n', (group[0]?.start ?? 0) - 1) + 1;
  for (const { start, end } of group) {
    if (!/^[ \t\ufeff]*$/.test(text.slice(at, start))) return false;
    at = end;
  }
  const end = text.indexOf('\n', at);
  return /^[ \t\r]*(?:#|$)/.test(text.slice(at, end < 0 ? text.length : end));
}

/** Whether a span and one of the others, which are in order, have a place in common. */
export function touchesAny(span: Span, others: readonly Span[]): boolean {
  if (others.length === 0) return false;
  let low = 0;
  let high = others.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((others[middle]?.end ?? 0) <= span.start) low = middle + 1;
    else high = middle;
  }
  const next = others[low];
  return next !== undefined && next.start < Math.max(span.end, span.start + 1);
}

/**
 * Among them `<path:…>` of vault plugins, `?{` of Kapitan, `%{` of Terraform, `ENC[` of SOPS, `ref+…://`
 * of vals and `op://` of 1Password.
 */
const SUBSTITUTION =
  /\(@|(?:^|\s)#@|<<[ \t]*[\w.#^/-]+[ \t]*>>|\$[{([A-Za-z_]|\{\{|\}\}|\{%|<%|\(\(|\[\[|%\(|#\{|@[\w.-]+@|__\w+__|<[A-Za-z][\w .-]*>|<path:[^<>]*>|%[\w.-]+%|[?%]\{|\bENC\[|\b(?:ref\+[\w-]+|op):\/\/|^\(.*\)$/s;

/** Text that something replaces before Kubernetes sees it. */
export function isSubstituted(text: string): boolean {
  return SUBSTITUTION.test(text.length > 10_000 ? text.slice(0, 10_000) : text);
}
