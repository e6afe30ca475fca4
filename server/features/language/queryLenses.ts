/** What can be done with a query, above it. */
import type { CodeLens } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Query, QueryRequest } from '../../language/query/model';
import { hasLimit } from '../../language/query/paging';
import { commands, type Command } from '../../protocol/names';
import type { QueryPlace } from '../../protocol/queryFiles';
import type { Analyst } from './analyst';
import { answerOf, rangeOf } from './queryFeatures';

/** Queries with lenses; a file that was generated may have thousands. */
export const MOST_WITH_LENSES = 500;

type Choice = readonly [title: string, command: Command];

/** None above a query with errors, but for the whole file's. */
export async function queryLenses(
  analyst: Analyst,
  document: TextDocument,
  signal?: AbortSignal,
): Promise<CodeLens[]> {
  const { uri, version } = document;
  const queries = (await answerOf(analyst, document, 'queries', null, signal)) ?? [];
  const lenses = queries.slice(0, MOST_WITH_LENSES).flatMap((query, index) => {
    const place: QueryPlace = { uri, version, index };
    const range = rangeOf(document, query.anchor);
    const choices = [...choicesOf(query), ...choicesOfFile(queries, index)];
    return choices.map(([title, command]) => ({
      range,
      command: { title, command, arguments: [place] },
    }));
  });
  const next = queries[MOST_WITH_LENSES];
  if (next === undefined) return lenses;
  return [...lenses, { range: rangeOf(document, next.anchor), command: NO_MORE_LENSES }];
}

/** A command without a name does nothing when it is clicked. */
const NO_MORE_LENSES = {
  title: `From here on nothing stands above the queries: they are more than ${MOST_WITH_LENSES}. The palette has commands for the query at the cursor`,
  command: '',
};

function choicesOf({ request }: Query): readonly Choice[] {
  if (request === undefined) return [];
  return [
    ['Run', commands.runQuery],
    ['Run beside', commands.runQueryBeside],
    ...(leavesToken(request) ? [['Run to the end', commands.runQueryToEnd] as const] : []),
    ['Explain', commands.explainQuery],
    ...(hasPages(request) ? [['Compare ways', commands.compareQuery] as const] : []),
    ...(isPrefix(request) ? [] : [['Copy as kubectl', commands.copyQueryAsKubectl] as const]),
    ['Copy as etcdctl', commands.copyQueryAsEtcdctl],
  ];
}

function choicesOfFile(queries: readonly Query[], index: number): readonly Choice[] {
  const isFirst = index === 0 && queries.length > 1;
  const canRun = isFirst && queries.some(({ request }) => request !== undefined);
  return canRun ? [[`Run all ${queries.length}`, commands.runAllQueries]] : [];
}

/** A list without a limit is one read, and a token is of one way to read. */
function hasPages(request: QueryRequest): boolean {
  return hasLimit(request.limit) && request.continue.kind === 'none' && !request.named;
}

function leavesToken(request: QueryRequest): boolean {
  return request.paging === 'one' && hasLimit(request.limit);
}

/** A prefix of keys is no request of Kubernetes. */
function isPrefix({ resource }: QueryRequest): boolean {
  return resource.startsWith('/');
}
