/** The address of a request as it stands in a block, over one or several lines. */
import { finding, type Finding, type Fix } from '../findings';
import type { Span } from '../../kube/selectors';
import { MappedTextBuilder, type MappedText } from '../source/mappedText';
import { splitReferenceEnd, withoutBlanks } from './splitReferences';
import { isBlank, lineFrom, skipBlanks, trimmedEnd, type Line } from '../source/lines';

export interface UrlText {
  readonly url: MappedText;
  /** From the address's first character to its last. */
  readonly span: Span;
  /** Behind the lines of the request. */
  readonly end: number;
  readonly comment: Span | undefined;
  readonly findings: readonly Finding[];
}

/**
 * Reads an address, with quotes around it or without, and with the escapes that JSON has for `&`, `<`
 * and `>`. It goes on in lines that are indented and begin with `?` or `&`; header lines may follow, and
 * comments stand between all these.
 */
export function readUrl(text: string, start: number, limit: number): UrlText {
  const first = lineFrom(text, start, limit);
  const builder = new MappedTextBuilder();
  const address = addressIn(text, start, first);
  putAddress(builder, text, address.span);
  const findings = [...address.findings];
  let last = address.span.end;
  let end = first.end;
  let hasHeaders = false;
  for (let at = first.next; at < limit;) {
    const line = lineFrom(text, at, limit);
    at = line.next;
    if (isComment(text, line)) continue;
    const next = continuationIn(text, line);
    if (next === undefined) {
      const header = headerEnd(text, line);
      if (header === undefined) break;
      if (!hasHeaders) {
        findings.push(finding('no-effect', HEADERS, { start: line.start, end: header }));
      }
      hasHeaders = true;
    } else {
      putAddress(builder, text, next.span);
      findings.push(...next.findings);
      last = next.span.end;
    }
    end = line.end;
  }
  const span = { start: address.span.start, end: last };
  return { url: builder.build(last, 'plain'), span, end, comment: address.comment, findings };
}

const HEADERS = 'Headers have no effect here.';

interface Address {
  readonly span: Span;
  readonly comment: Span | undefined;
  readonly findings: readonly Finding[];
}

function addressIn(text: string, start: number, line: Line): Address {
  const quote = text.charAt(start);
  const isQuoted = quote === '"' || quote === "'";
  const from = isQuoted ? start + 1 : start;
  const split: Finding[] = [];
  let end = from;
  while (
    end < line.end &&
    !isBlank(text.charAt(end)) &&
    !(isQuoted && text.charAt(end) === quote)
  ) {
    const behind = splitReferenceEnd(text, end, line.end);
    if (behind !== undefined) split.push(withoutBlanks(text, { start: end, end: behind }));
    end = behind ?? end + 1;
  }
  const isClosed = isQuoted && text.charAt(end) === quote && end < line.end;
  const behind = isClosed ? end + 1 : end;
  const rest = skipBlanks(text, behind, line.end);
  const { comment, findings } = restOf(text, { behind, isClosed }, rest, line);
  return { span: { start: from, end }, comment, findings: [...split, ...findings] };
}

/** Behind an address the version of HTTP may stand, the comma of a JSON member, or a comment. */
function restOf(
  text: string,
  { behind, isClosed }: { readonly behind: number; readonly isClosed: boolean },
  at: number,
  line: Line,
): Omit<Address, 'span'> {
  const restEnd = trimmedEnd(text, at, line.end);
  if (at >= restEnd) return { comment: undefined, findings: [] };
  if (text.charAt(at) === '#' && (at > behind || isClosed)) {
    return { comment: { start: at, end: restEnd }, findings: [] };
  }
  const rest = text.slice(at, restEnd);
  if (rest === ',' || /^HTTP\/\d(?:\.\d)?$/.test(rest)) return { comment: undefined, findings: [] };
  const found = isClosed
    ? finding('query', BEHIND_QUOTE, { start: at, end: restEnd }, [
        {
          title: 'Leave it out',
          edits: [{ span: { start: behind, end: restEnd }, text: '' }],
          preferred: true,
        },
      ])
    : finding('query', BLANK, { start: at, end: restEnd }, blankFixes(text, behind, restEnd));
  return { comment: undefined, findings: [found] };
}

const BLANK = 'A blank ends the address: write it as %20.';
/** Other members of an audit event, as a rule. */
const BEHIND_QUOTE = 'The address ends with its quote: leave out what follows.';

function blankFixes(text: string, start: number, end: number): Fix[] {
  const raw = text.slice(start, end);
  if (/["'#]/.test(raw) || raw.length > 10_000) return [];
  const edits = [...raw.matchAll(/[ \t]/g)].map(({ index }) => ({
    span: { start: start + index, end: start + index + 1 },
    text: '%20',
  }));
  return [{ title: 'Write %20', edits, preferred: true }];
}

function continuationIn(text: string, line: Line): Address | undefined {
  const start = skipBlanks(text, line.start, line.end);
  const character = text.charAt(start);
  if (start === line.start || start >= line.end || (character !== '?' && character !== '&')) {
    return undefined;
  }
  return addressIn(text, start, line);
}

function isComment(text: string, line: Line): boolean {
  return text.charAt(skipBlanks(text, line.start, line.end)) === '#';
}

/** The end of a line such as `Accept: application/json`. */
function headerEnd(text: string, line: Line): number | undefined {
  const start = text.slice(line.start, Math.min(line.end, line.start + 200));
  return /^[A-Za-z][A-Za-z0-9-]*:(?:[ \t]|$)/.test(start)
    ? trimmedEnd(text, line.start, line.end)
    : undefined;
}

function putAddress(builder: MappedTextBuilder, text: string, span: Span): void {
  const raw = text.slice(span.start, span.end);
  let at = 0;
  for (const { 0: match, 1: hex = '', index } of raw.matchAll(/\\u00([0-7][0-9A-Fa-f])/g)) {
    builder.run(raw.slice(at, index), span.start + at);
    const start = span.start + index;
    builder.piece(String.fromCharCode(parseInt(hex, 16)), start, start + match.length);
    at = index + match.length;
  }
  builder.run(raw.slice(at), span.start + at);
}
