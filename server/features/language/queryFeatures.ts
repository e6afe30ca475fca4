/** Outline, folding, colours and form of query files. */
import {
  SemanticTokensBuilder,
  SemanticTokenTypes,
  SymbolKind,
  type DocumentSymbol,
  type FoldingRange,
  type Range,
  type SemanticTokens,
  type TextEdit,
} from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Question, Questions } from '../../analyst/messages';
import type { Span } from '../../kube/selectors';
import type { MarkType } from '../../language/query/model';
import type { Analyst } from './analyst';

const tokenTypes: Readonly<Record<MarkType, SemanticTokenTypes>> = {
  keyword: SemanticTokenTypes.keyword,
  type: SemanticTokenTypes.type,
  parameter: SemanticTokenTypes.parameter,
  property: SemanticTokenTypes.property,
  operator: SemanticTokenTypes.operator,
  string: SemanticTokenTypes.string,
  number: SemanticTokenTypes.number,
  variable: SemanticTokenTypes.variable,
  comment: SemanticTokenTypes.comment,
};

const legend: readonly SemanticTokenTypes[] = Object.values(tokenTypes);

export const semanticTokensLegend = { tokenTypes: [...legend], tokenModifiers: [] };

/** Undefined when there is no answer, or the document has changed since. */
export async function answerOf<Q extends Question>(
  analyst: Analyst,
  document: TextDocument,
  question: Q,
  about: Questions[Q]['about'],
  signal?: AbortSignal,
): Promise<Questions[Q]['answer'] | undefined> {
  const { version } = document;
  const answer = await analyst.ask(document, question, about, signal);
  return answer.answered && document.version === version ? answer.value : undefined;
}

/** Each answers null where it does not know, so that an editor asks others or keeps what it has. */
export async function documentSymbols(
  analyst: Analyst,
  document: TextDocument,
  signal?: AbortSignal,
): Promise<DocumentSymbol[] | null> {
  const symbols = await answerOf(analyst, document, 'symbols', null, signal);
  if (symbols === undefined) return null;
  return symbols.map(({ name, detail, span, selection }) => ({
    // An editor refuses a symbol without a name.
    name: name === '' ? 'query' : name,
    detail,
    kind: SymbolKind.Function,
    range: rangeOf(document, span),
    selectionRange: rangeOf(document, selection),
  }));
}

export async function foldingRanges(
  analyst: Analyst,
  document: TextDocument,
  signal?: AbortSignal,
): Promise<FoldingRange[] | null> {
  const folds = await answerOf(analyst, document, 'folds', null, signal);
  if (folds === undefined) return null;
  return folds.flatMap((span) => {
    const { start, end } = rangeOf(document, span);
    return end.line > start.line ? [{ startLine: start.line, endLine: end.line }] : [];
  });
}

export async function semanticTokens(
  analyst: Analyst,
  document: TextDocument,
  signal?: AbortSignal,
): Promise<SemanticTokens | null> {
  const marks = await answerOf(analyst, document, 'marks', null, signal);
  if (marks === undefined) return null;
  const builder = new SemanticTokensBuilder();
  for (const { span, type } of marks) {
    const { line, character } = document.positionAt(span.start);
    builder.push(line, character, span.end - span.start, legend.indexOf(tokenTypes[type]), 0);
  }
  return builder.build();
}

export async function formatting(
  analyst: Analyst,
  document: TextDocument,
  signal?: AbortSignal,
): Promise<TextEdit[] | null> {
  const edits = await answerOf(analyst, document, 'format', null, signal);
  return edits === undefined
    ? null
    : edits.map(({ span, text }) => ({ range: rangeOf(document, span), newText: text }));
}

export function rangeOf(document: TextDocument, { start, end }: Span): Range {
  return { start: document.positionAt(start), end: document.positionAt(end) };
}
