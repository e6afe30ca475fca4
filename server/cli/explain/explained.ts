/** The queries that are to be explained, each explained. */
import { askedBy, type AskedList, type ServerFacts } from '../../explain/asked';
import { explain } from '../../explain/explain';
import type { Explanation } from '../../explain/model';
import { refusedQuery } from '../../explain/refusedQuery';
import { openQueries } from '../../language/open';
import { FINDINGS, type Finding } from '../../language/findings';
import type { Query, QueryDocument } from '../../language/query/model';
import type { ExplainPlan } from '../args/plan';
import type { Context } from '../context';
import { usageError } from '../exit';
import { lintText } from '../lint/text';
import { chosenNames } from '../run/chosen';
import { readText, shownName, UnreadableFileError } from '../textFile';

export interface Explained {
  /** Empty where it has none. */
  readonly name: string;
  readonly explanation: Explanation;
  /** Absent of what is refused as it is written. */
  readonly asked?: AskedList;
}

/** Asks for what is known of the server only once there is something to explain. */
export async function explainedQueries(
  plan: ExplainPlan,
  context: Context,
  facts: () => Promise<ServerFacts>,
): Promise<Explained[]> {
  const { subject } = plan;
  if (subject.kind === 'asked') return [explainedList(subject.asked, await facts())];
  const file = subject.kind === 'file' ? subject.file : 'query.etcdlist';
  const text = subject.kind === 'file' ? await textOf(file, context) : subject.text;
  const document = openQueries(
    { uri: file, text },
    { namespace: plan.namespace, root: plan.connection.root },
  );
  const name = subject.kind === 'file' ? shownName(file) : 'the query';
  const queries = chosenQueries(document, subject.kind === 'file' ? subject.names : [], name);
  const written = queries.map((query) => asWritten(query, document, text, { name, context }));
  const known = await facts();
  return written.map(({ query, refused }) => {
    const named = { name: query.name ?? '' };
    if (refused !== undefined) return { ...named, explanation: refused };
    if (query.request === undefined) throw usageError(`${name} holds no query`);
    return { ...explainedList(askedBy(query.request), known), ...named };
  });
}

const explainedList = (asked: AskedList, facts: ServerFacts): Explained => ({
  name: '',
  explanation: explain(asked, facts),
  asked,
});

async function textOf(file: string, context: Context): Promise<string> {
  try {
    return await readText(file, context);
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    throw usageError(error.message, { cause: error });
  }
}

function chosenQueries(document: QueryDocument, names: readonly string[], file: string): Query[] {
  const queries = document.queries();
  if (queries.length === 0) throw usageError(`${file} holds no query`);
  if (names.length === 0) return [...queries];
  const wanted = chosenNames(queries, names, file);
  return queries.filter((_, index) => wanted.has(index));
}

interface Said {
  readonly name: string;
  readonly context: Context;
}

/** What the API server would refuse is explained as that; what is no request is wrong usage. */
function asWritten(
  query: Query,
  document: QueryDocument,
  text: string,
  { name, context }: Said,
): { readonly query: Query; readonly refused?: Explanation } {
  if (query.request !== undefined) return { query };
  const errors = errorsOf(document, query);
  const { start } = query.anchor;
  const [line = ''] = text
    .slice(start, Math.min(query.span.end, start + LONGEST_LINE))
    .split(/[\r\n]/, 1);
  const refused = refusedQuery(line, errors);
  if (refused !== undefined) return { query, refused };
  const said = lintText({ name, text, findings: errors, untold: {} }, 'error', context.style);
  if (said !== '') context.notes.line(said.trimEnd());
  throw usageError(`${name} is not explained: it has errors`);
}

const LONGEST_LINE = 200;

function errorsOf(document: QueryDocument, { span }: Query): Finding[] {
  return document
    .analysis()
    .findings.filter(
      (found) =>
        FINDINGS[found.code].severity === 'error' &&
        found.span.start >= span.start &&
        found.span.start <= span.end,
    );
}
