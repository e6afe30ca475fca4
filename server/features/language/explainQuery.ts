/** Which way an API server would serve a query of an open document: all of it, and as one line. */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { askedBy, type AskedList, type ServerFacts } from '../../explain/asked';
import { estimateOf } from '../../explain/estimate';
import type { Estimate } from '../../explain/estimateModel';
import { costLine, estimateText } from '../../explain/estimateText';
import { explain } from '../../explain/explain';
import type { Explanation } from '../../explain/model';
import { refusedQuery } from '../../explain/refusedQuery';
import { explanationText, servedLine } from '../../explain/text';
import { FINDINGS } from '../../language/findings';
import type { StoredLabels } from '../../language/index/storedLabels';
import type { Query } from '../../language/query/model';
import type { HoverText, TextPosition } from '../../protocol/model';
import { FailureError } from '../failures';
import type { HeldDocuments, HoverOther } from '../hover';
import { readQueryPlace } from '../queryParams';
import type { Router } from '../router';
import type { Analyst } from './analyst';
import { keysInIndex } from './indexedKeys';
import { answerOf, rangeOf } from './queryFeatures';

export interface ExplainParts {
  readonly analyst: Analyst;
  readonly documents: HeldDocuments;
  /** What is known of the server now; nothing is asked for it. */
  readonly facts: () => Promise<ServerFacts>;
  /** Labels that are known already. */
  readonly stored: Pick<StoredLabels, 'index'>;
}

export function registerExplain(router: Router, parts: ExplainParts): void {
  router.handle('etcdList/explain', readQueryPlace, async ({ uri, version, index }) => {
    const document = parts.documents.get(uri);
    if (document?.version !== version) return null;
    const text = await explainedText(parts, document, index);
    return text === undefined ? null : { text };
  });
}

/** Undefined when the document has changed meanwhile, or has no such query. */
async function explainedText(
  parts: ExplainParts,
  document: TextDocument,
  index: number,
): Promise<string | undefined> {
  const query = (await answerOf(parts.analyst, document, 'queries', null))?.[index];
  if (query === undefined) return undefined;
  if (query.request === undefined) {
    const refusal = await refusalOf(parts, document, query);
    return refusal && explanationText(refusal, Infinity);
  }
  const asked = askedBy(query.request);
  const explanation = explain(asked, await parts.facts());
  const estimate = estimateInIndex(asked, explanation, parts);
  // The editor wraps it.
  const text = explanationText(explanation, Infinity);
  return estimate === undefined ? text : `${text}\n${estimateText(estimate, Infinity)}`;
}

/** Where counts are known already. */
function estimateInIndex(
  asked: AskedList,
  explanation: Explanation,
  { stored }: Pick<ExplainParts, 'stored'>,
): Estimate | undefined {
  const keys = keysInIndex(asked, stored);
  return keys && estimateOf(asked, explanation, keys);
}

/** What it would cost etcd, in one sentence; empty where nothing is known of it. */
function costSentence(estimate: Estimate | undefined): string {
  const rows = estimate?.rows ?? [];
  const row = rows.find(({ name }) => name === 'atEtcd') ?? rows[0];
  if (row === undefined || row.way === 'watchCache') return '';
  return ` From etcd it takes ${costLine(row)}, by labels that were read before.`;
}

const LONGEST_LINE = 200;

async function refusalOf(
  { analyst }: ExplainParts,
  document: TextDocument,
  { span, anchor }: Query,
): Promise<Explanation | undefined> {
  const analysis = await answerOf(analyst, document, 'analysis', null);
  if (analysis === undefined) return undefined;
  const errors = analysis.findings.filter(
    ({ code, span: { start } }) =>
      FINDINGS[code].severity === 'error' && start >= span.start && start <= span.end,
  );
  const end = Math.min(span.end, anchor.start + LONGEST_LINE);
  const [line = ''] = document
    .getText()
    .slice(anchor.start, end)
    .split(/[\r\n]/, 1);
  const refused = refusedQuery(line, errors);
  if (refused !== undefined) return refused;
  const sentence =
    'This query has errors, so nothing would serve it: mend what is marked in it first.';
  throw new FailureError({ code: 'badRequest', sentence });
}

/** What is told where nothing else is. */
export function orServed(parts: ExplainParts, hover: HoverOther): HoverOther {
  return async (document, position, signal) =>
    (await hover(document, position, signal)) ?? hoverServed(parts, document, position);
}

/** On the word that a query begins with; null anywhere else. */
export async function hoverServed(
  parts: Omit<ExplainParts, 'documents'>,
  document: TextDocument,
  position: TextPosition,
): Promise<HoverText | null> {
  const offset = document.offsetAt(position);
  const queries = await answerOf(parts.analyst, document, 'queries', null);
  const query = queries?.find(({ anchor }) => anchor.start <= offset && offset <= anchor.end);
  if (query?.request === undefined) return null;
  const asked = askedBy(query.request);
  const explanation = explain(asked, await parts.facts());
  const cost = costSentence(estimateInIndex(asked, explanation, parts));
  const value = `${servedLine(explanation)}.${cost} _Explain_ above it tells why.`;
  return {
    contents: { kind: 'markdown', value },
    range: rangeOf(document, query.anchor),
  };
}
