import { QueryFile } from '../../../../server/language/query/queryFile';
import { YamlQueryFile } from '../../../../server/language/query/yamlQueryFile';
import type { QueryDocument, QueryRequest } from '../../../../server/language/query/model';
import type { QueryFileOptions } from '../../../../server/language/query/options';
import type { CompletionSpot } from '../../../../server/language/model';
import { withEdits } from '../../../../server/language/source/edits';

/** Each finding as its code, what it stands on, and its message. */
export function found(text: string, options: QueryFileOptions = {}, yaml = false): string[][] {
  return open(text, options, yaml)
    .analysis()
    .findings.map(({ code, message, span }) => [code, text.slice(span.start, span.end), message]);
}

/** The codes of findings and what they stand on. */
export function brief(findings: string[][]): string[][] {
  return findings.map((each) => each.slice(0, 2));
}

/** The same without the hint on the namespace that kubectl's context would name. */
export function faults(text: string, options: QueryFileOptions = {}): string[][] {
  return found(text, options).filter(([code]) => code !== 'assumed-namespace');
}

export function open(text: string, options: QueryFileOptions = {}, yaml = false): QueryDocument {
  return yaml ? new YamlQueryFile(text, options) : new QueryFile(text, options);
}

/** The request of the only query. */
export function request(
  text: string,
  options: QueryFileOptions = {},
  yaml = false,
): QueryRequest | undefined {
  const queries = open(text, options, yaml).queries();
  if (queries.length !== 1) throw new Error(`${queries.length} queries`);
  return queries[0]?.request;
}

/** What everything is that a request does not state. */
export const nothing: QueryRequest = {
  resource: '',
  namespace: '',
  labelSelector: '',
  fieldSelector: '',
  limit: '',
  resourceVersion: '',
  resourceVersionMatch: '',
  continue: { kind: 'none' },
  paging: 'one',
  readMode: 'auto',
  skipUnreadable: false,
  named: false,
  watch: false,
};

/** The text after a fix of the first finding that has one with this title. */
export function fixed(text: string, title: string, yaml = false): string {
  for (const { fixes } of open(text, {}, yaml).analysis().findings) {
    const fix = fixes.find((each) => each.title === title);
    if (fix !== undefined) return withEdits(text, fix.edits);
  }
  throw new Error(`no fix is called ${title}`);
}

/** The spot at `|`, with what stands in its span in place of the offsets. */
export function spot(
  marked: string,
  options: QueryFileOptions = {},
  yaml = false,
):
  (Omit<CompletionSpot, 'span' | 'choices'> & { replaced: string; choices: string[] }) | undefined {
  const offset = marked.indexOf('|');
  const text = marked.slice(0, offset) + marked.slice(offset + 1);
  const at = open(text, options, yaml).spotAt(offset);
  if (at === undefined) return undefined;
  const { span, choices, ...rest } = at;
  if (span.start > offset || span.end < offset)
    throw new Error('the span does not hold the cursor');
  const replaced = text.slice(span.start, span.end);
  return { ...rest, replaced, choices: choices.map((choice) => choice.text) };
}

/** With U+FFFD in the place of lone surrogates. */
export function wellFormed(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}
