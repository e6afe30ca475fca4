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
  return queries.slice(0, MOST_WITH_LENSES).flatMap((query, index) => {
    const place: QueryPlace = { uri, version, index };
    const range = rangeOf(document, query.anchor);
    const choices = [...choicesOf(query), ...choicesOfFile(queries, index)];
    return choices.map(([title, command]) => ({
      range,
      command: { title, command, arguments: [place] },
    }));
  });
}

function choicesOf({ request }: Query): readonly Choice[] {
  if (request === undefined) return [];
  return [
    ['Run', commands.runQuery],
    ['Run beside', commands.runQueryBeside],
    ...(leavesToken(request) ? [['Run to the end', commands.runQueryToEnd] as const] : []),
    ...(isPrefix(request) ? [] : [['Copy as kubectl', commands.copyQueryAsKubectl] as const]),
    ['Copy as etcdctl', commands.copyQueryAsEtcdctl],
  ];
}

function choicesOfFile(queries: readonly Query[], index: number): readonly Choice[] {
  const isFirst = index === 0 && queries.length > 1;
  const canRun = isFirst && queries.some(({ request }) => request !== undefined);
  return canRun ? [[`Run all ${queries.length}`, commands.runAllQueries]] : [];
}

function leavesToken(request: QueryRequest): boolean {
  return request.paging === 'one' && hasLimit(request.limit);
}

/** A prefix of keys is no request of Kubernetes. */
function isPrefix({ resource }: QueryRequest): boolean {
  return resource.startsWith('/');
}
