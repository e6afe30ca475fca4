/**
 * What is known of a manifest, below the characters that it is known of:
 *
 *      4 | labels: {app: a b}
 *        |               ^^^ label-value: metadata.labels: Invalid value: …
 *
 * `^` is a finding, with its code and message; `~` the beginning of a selector, with its form, what it
 * selects from as RESOURCE@NAMESPACE, and its requirements. `-` is what nobody can tell. What goes on
 * in later lines says where it ends.
 */
import { Lines } from '../../server/language/source/lines';
import type { Analysis, SelectorSite, SiteRequirement } from '../../server/language/model';

interface Mark {
  readonly start: number;
  readonly end: number;
  readonly sign: '^' | '~';
  readonly head: string;
  readonly rest: string;
}

export function annotated(text: string, analysis: Analysis): string {
  const lines = new Lines(text);
  const marks = marksOf(analysis);
  const out: string[] = [];
  for (let offset = 0, line = 1; offset < text.length; line++) {
    const { text: written } = lines.lineOf(offset);
    const end = offset + written.length;
    out.push(`${String(line).padStart(4)} | ${shown(written)}`.trimEnd());
    for (const mark of marks.filter(({ start }) => start >= offset && start <= end)) {
      out.push(`     | ${pointer(mark, written, offset, lines)}`);
    }
    offset = end + (/^\r\n|^[\r\n]/.exec(text.slice(end, end + 2))?.[0].length ?? 0);
  }
  return `${out.join('\n')}\n`;
}

function marksOf({ findings, sites }: Analysis): Mark[] {
  const found = findings.map(({ code, message, span }): Mark => {
    return { ...span, sign: '^', head: code, rest: `: ${message}` };
  });
  const selectors = sites.map((site): Mark => {
    return { ...site.anchor, sign: '~', head: `${site.form} ${fromText(site)}`, rest: asked(site) };
  });
  return [...found, ...selectors].sort(
    (a, b) => a.start - b.start || (a.sign === b.sign ? a.end - b.end : a.sign === '^' ? -1 : 1),
  );
}

function pointer(mark: Mark, written: string, offset: number, lines: Lines): string {
  const before = written.slice(0, mark.start - offset).replace(/[^\t]/g, ' ');
  const lineEnd = offset + written.length;
  const signs = mark.sign.repeat(Math.max(1, Math.min(mark.end, lineEnd) - mark.start));
  if (mark.end <= lineEnd) return `${before}${signs} ${mark.head}${mark.rest}`;
  const { line, column } = lines.at(mark.end);
  return `${before}${signs}… ${mark.head} (to ${line}:${column})${mark.rest}`;
}

function fromText({ from }: SelectorSite): string {
  return `${from.resource ?? '-'}@${from.namespace ?? '-'}`;
}

function asked({ requirements }: SelectorSite): string {
  return requirements.length === 0 ? '' : `: ${requirements.map(requirementText).join('; ')}`;
}

function requirementText({ kind, key, operator, values }: SiteRequirement): string {
  const words = [key, operator, ...(values.length > 0 ? [values.join(',')] : [])];
  return kind === 'field' ? `field ${words.join(' ')}` : words.join(' ');
}

/** A mark of the byte order, which no editor shows. */
function shown(line: string): string {
  return line.replace('\ufeff', '¤');
}
