/** Fixes of findings as code actions. */
import {
  CodeActionKind,
  type CodeAction,
  type Diagnostic,
  type Range,
} from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Finding, Fix } from '../../language/findings';
import { storedFixes } from '../../language/index/misspelt';
import type { StoredLabels } from '../../language/index/storedLabels';
import type { Analyses, Looked } from './analyses';
import { SOURCE } from './diagnostics';
import { findingsOf } from './found';
import { storedIndex, type SiteCounts } from './siteCounts';

export interface ActionParts {
  readonly analyses: Analyses;
  readonly stored: StoredLabels;
  readonly counts: SiteCounts;
}

/** The fixes of every finding that the range touches. */
export async function codeActions(
  parts: ActionParts,
  document: TextDocument,
  range: Range,
  diagnostics: readonly Diagnostic[],
): Promise<CodeAction[]> {
  const { version } = document;
  const looked = await parts.analyses.of(document);
  const found = await findingsOf(looked, parts);
  if (document.version !== version) return [];
  const [start, end] = [document.offsetAt(range.start), document.offsetAt(range.end)];
  return found
    .filter(({ span }) => span.start <= end && span.end >= start)
    .flatMap((each) =>
      fixesOf(each, looked, parts).map((fix) => actionOf(document, each, fix, diagnostics)),
    );
}

/** Stored names that are near are looked for only here, where somebody asks for a fix. */
function fixesOf(found: Finding, looked: Looked, { stored }: ActionParts): readonly Fix[] {
  if (found.code !== 'selects-nothing' || found.fixes.length > 0 || !looked.done)
    return found.fixes;
  const site = looked.analysis.sites.find(({ anchor }) => anchor === found.span);
  const index = site && storedIndex(site, stored);
  return site === undefined || index === undefined ? [] : storedFixes(site, index);
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
