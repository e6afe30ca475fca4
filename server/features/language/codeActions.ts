/** Fixes of findings as code actions. */
import {
  CodeActionKind,
  type CodeAction,
  type Diagnostic,
  type Range,
} from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Finding, Fix } from '../../language/findings';
import type { StoredLabels } from '../../language/index/storedLabels';
import type { Analyses } from './analyses';
import { SOURCE } from './diagnostics';
import { findingsAt, severityOf, type Severities } from './found';

export interface FixParts {
  readonly analyses: Analyses;
  readonly stored: StoredLabels;
  readonly severities: () => Severities;
}

/** The fixes of every finding that is shown and that the range touches. */
export async function codeActions(
  { analyses, stored, severities }: FixParts,
  document: TextDocument,
  range: Range,
  diagnostics: readonly Diagnostic[],
): Promise<CodeAction[]> {
  const { version } = document;
  const looked = await analyses.of(document);
  if (document.version !== version) return [];
  const [start, end] = [document.offsetAt(range.start), document.offsetAt(range.end)];
  const current = severities();
  return findingsAt(looked, stored, { start, end })
    .filter(({ code }) => severityOf(current, code) !== 'off')
    .flatMap((found) => found.fixes.map((fix) => actionOf(document, found, fix, diagnostics)));
}

function actionOf(
  document: TextDocument,
  found: Finding,
  { title, edits, preferred }: Fix,
  diagnostics: readonly Diagnostic[],
): CodeAction {
  const changes = edits.map(({ span, text }) => ({
    range: { start: document.positionAt(span.start), end: document.positionAt(span.end) },
    newText: text,
  }));
  const ours = diagnostics.filter(
    ({ source, code, message }) =>
      source === SOURCE && code === found.code && message === found.message,
  );
  return {
    title,
    kind: CodeActionKind.QuickFix,
    diagnostics: ours,
    isPreferred: preferred,
    edit: { changes: { [document.uri]: changes } },
  };
}
