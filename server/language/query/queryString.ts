/** The parameters of a URL's query as Go's `url.ParseQuery` takes them. */
import type { Span } from '../../kube/selectors';
import type { MappedText } from '../source/mappedText';
import { partOf } from '../source/parts';
import { percentDecoded } from './percent';

export interface Parameter {
  /** Decoded; as written where it cannot be decoded. */
  readonly name: string;
  /** The characters of the name, in the source text. */
  readonly nameSpan: Span;
  /** Decoded; as written where it cannot be decoded. */
  readonly value: MappedText;
  /** From the name's first character to the value's last, in the source text. */
  readonly span: Span;
  /** Why Go leaves the parameter out, and the characters to blame; undefined for one it takes. */
  readonly problem: { readonly text: string; readonly span: Span } | undefined;
}

/** Go takes none of a query that has more. */
export const MOST_PARAMETERS = 10_000;

/** What stands between `&`s; empty ones are left out. Upstream: `url.parseQuery`. */
export function queryParameters(source: MappedText, query: Span): Parameter[] {
  const parameters: Parameter[] = [];
  for (let start = query.start; start <= query.end;) {
    const found = source.text.indexOf('&', start);
    const end = found < 0 || found > query.end ? query.end : found;
    if (end > start) parameters.push(parameterIn(source, { start, end }));
    start = end + 1;
  }
  return parameters;
}

function parameterIn(source: MappedText, span: Span): Parameter {
  const raw = source.text.slice(span.start, span.end);
  const equals = raw.indexOf('=');
  const nameEnd = equals < 0 ? span.end : span.start + equals;
  const valueStart = equals < 0 ? span.end : nameEnd + 1;
  const nameSpan = { start: span.start, end: nameEnd };
  const name = percentDecoded(source, nameSpan, ' ');
  const value = percentDecoded(source, { start: valueStart, end: span.end }, ' ');
  return {
    name: 'text' in name ? name.text.text : source.text.slice(span.start, nameEnd),
    nameSpan,
    value: 'text' in value ? value.text : partOf(source, valueStart, span.end, undefined),
    span,
    problem: problemOf(raw, span, name, value),
  };
}

function problemOf(
  raw: string,
  span: Span,
  name: ReturnType<typeof percentDecoded>,
  value: ReturnType<typeof percentDecoded>,
): Parameter['problem'] {
  const semicolon = raw.indexOf(';');
  if (semicolon >= 0) {
    const start = span.start + semicolon;
    return { text: 'invalid semicolon separator in query', span: { start, end: start + 1 } };
  }
  const bad = 'problem' in name ? name : value;
  return 'problem' in bad ? { text: bad.problem, span: bad.span } : undefined;
}
