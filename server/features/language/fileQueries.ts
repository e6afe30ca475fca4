/** The queries of an open document, as they can be run. */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Query, QueryRequest } from '../../language/query/model';
import { hasLimit } from '../../language/query/paging';
import type { ListQuery } from '../../protocol/model';
import type { FileQueries, FileQuery, FileRequest } from '../../protocol/queryFiles';
import type { HeldDocuments } from '../hover';
import { readDocumentParams } from '../queryParams';
import type { Router } from '../router';
import type { Analyst } from './analyst';
import { answerOf, rangeOf } from './queryFeatures';

export function registerFileQueries(
  router: Router,
  documents: HeldDocuments,
  analyst: Analyst,
): void {
  router.handle('etcdList/queries', readDocumentParams, ({ uri }, { signal }) => {
    const document = documents.get(uri);
    return document === undefined ? null : fileQueries(analyst, document, signal);
  });
}

/** Null when there is no answer, or the document has changed meanwhile. */
export async function fileQueries(
  analyst: Analyst,
  document: TextDocument,
  signal?: AbortSignal,
): Promise<FileQueries | null> {
  const { version } = document;
  const queries = await answerOf(analyst, document, 'queries', null, signal);
  if (queries === undefined) return null;
  return { version, queries: queries.map((query) => fileQueryOf(document, query)) };
}

function fileQueryOf(
  document: TextDocument,
  { name = '', title, span, anchor, request }: Query,
): FileQuery {
  return {
    name,
    ...(title === undefined ? {} : { title }),
    range: rangeOf(document, span),
    anchor: rangeOf(document, anchor),
    request: request === undefined ? null : fileRequestOf(request),
  };
}

export function fileRequestOf(request: QueryRequest): FileRequest {
  const { continue: from, paging } = request;
  const { resource, namespace, labelSelector, fieldSelector } = request;
  const { resourceVersion, resourceVersionMatch, readMode, skipUnreadable } = request;
  const query: ListQuery = {
    resource,
    namespace,
    labelSelector,
    fieldSelector,
    limit: hasLimit(request.limit) ? request.limit : '',
    resourceVersion,
    resourceVersionMatch,
    continueToken: from.kind === 'token' ? from.token : '',
    readMode,
    skipUnreadable,
  };
  const continueOf = from.kind === 'query' ? from.index : null;
  return { query, continueOf, follow: paging === 'toEnd' };
}
