/** Fixes of findings, and other ways to write or to copy a selector, as code actions. */
import {
  CodeActionKind,
  type CodeAction,
  type CodeActionContext,
  type Diagnostic,
  type Range,
} from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Finding, Fix } from '../../language/findings';
import { storedFixes } from '../../language/index/misspelt';
import type { SelectorSite } from '../../language/model';
import { copiesOf, type Copy } from '../../language/selectors/copies';
import { commands } from '../../protocol/names';
import { SOURCE } from './diagnostics';
import { findingsAt, severityOf, type Severities } from './found';
import { answerOf } from './queryFeatures';
import { storedIndex } from './siteCounts';
import type { SiteParts } from './sites';

/** Of what is copied; no editor's own. */
const COPY = `${CodeActionKind.Refactor}.copy`;

export const ACTION_KINDS: CodeActionKind[] = [
  CodeActionKind.QuickFix,
  CodeActionKind.RefactorRewrite,
  COPY,
];

export interface ActionParts extends SiteParts {
  readonly severities: () => Severities;
}

interface Asked {
  /** Nobody waits for the answer any more. */
  readonly signal?: AbortSignal;
  readonly document: TextDocument;
  readonly range: Range;
  readonly context: CodeActionContext;
}

/** The fixes of every finding that is shown and that the range touches, and what may be done where it begins. */
export async function codeActions(parts: ActionParts, asked: Asked): Promise<CodeAction[]> {
  const { document, range, context } = asked;
  const { version } = document;
  const looked = await parts.analyses.of(document);
  if (document.version !== version || !looked.done) return [];
  const [start, end] = [document.offsetAt(range.start), document.offsetAt(range.end)];
  const touches: Touches = (span) => span.start <= end && span.end >= start;
  const severities = parts.severities();
  const findings = findingsAt(looked, parts, { start, end }).filter(
    ({ code }) => severityOf(severities, code) !== 'off',
  );
  const sites = looked.analysis.sites.filter(
    ({ span, anchor }) => touches(span) || touches(anchor),
  );
  const rewrites = wants(context, CodeActionKind.RefactorRewrite) && sites.length > 0;
  const ways = rewrites
    ? await answerOf(parts.analyst, document, 'actionsAt', start, asked.signal)
    : undefined;
  if (document.version !== version) return [];
  const near = wants(context, CodeActionKind.QuickFix) ? sites.slice(0, MOST_SEARCHED) : [];
  const all = [
    ...fixActions(document, findings, context.diagnostics),
    ...near.flatMap((site) => misspeltActions(parts, { ...asked, findings, touches }, site)),
    ...(ways ?? []).map((fix) => editAction(document, fix, CodeActionKind.RefactorRewrite)),
    ...copyActions(narrowest(sites.filter(({ span }) => span.start <= start && span.end >= start))),
  ];
  return all.filter(({ kind = '' }) => wants(context, kind));
}

type Touches = (span: { readonly start: number; readonly end: number }) => boolean;

/** Kinds are asked for with all that begin like them. */
function wants({ only }: CodeActionContext, kind: CodeActionKind): boolean {
  return only?.some((each) => each === '' || kind === each || kind.startsWith(`${each}.`)) ?? true;
}

/** Selectors of a chosen text for which names that are stored are looked for. */
const MOST_SEARCHED = 20;

function fixActions(
  document: TextDocument,
  findings: readonly Finding[],
  diagnostics: readonly Diagnostic[],
): CodeAction[] {
  return findings.flatMap((found) => {
    const ours = diagnosticsOf(found, diagnostics);
    return found.fixes.map((fix) => fixAction(document, fix, ours));
  });
}

function diagnosticsOf(found: Finding, diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.filter(
    ({ source, code, message }) =>
      source === SOURCE && code === found.code && message === found.message,
  );
}

function fixAction(document: TextDocument, fix: Fix, diagnostics: Diagnostic[]): CodeAction {
  const action = editAction(document, fix, CodeActionKind.QuickFix);
  return { ...action, diagnostics, isPreferred: fix.preferred };
}

/**
 * Stored names near the key or value that the range touches; at a selector that matches nothing, those
 * of all its parts. They are looked for only here, where somebody asks for a fix.
 */
function misspeltActions(
  { stored }: SiteParts,
  { document, context, findings, touches }: Searched,
  site: SelectorSite,
): CodeAction[] {
  const index = storedIndex(site, stored);
  if (index === undefined) return [];
  const none = findings.find(
    ({ code, span }) => code === 'selects-nothing' && span.start === site.anchor.start,
  );
  if (none !== undefined) {
    const ours = diagnosticsOf(none, context.diagnostics);
    return storedFixes(site, index).map((fix) => fixAction(document, fix, ours));
  }
  return storedFixes(site, index)
    .filter((fix) => fix.edits.some(({ span }) => touches(span)))
    .map((fix) => editAction(document, fix, CodeActionKind.QuickFix));
}

interface Searched extends Asked {
  readonly findings: readonly Finding[];
  readonly touches: Touches;
}

function editAction(
  document: TextDocument,
  { title, edits }: Fix,
  kind: CodeActionKind,
): CodeAction {
  const changes = edits.map(({ span, text }) => ({
    range: { start: document.positionAt(span.start), end: document.positionAt(span.end) },
    newText: text,
  }));
  return { title, kind, edit: { changes: { [document.uri]: changes } } };
}

function narrowest(sites: readonly SelectorSite[]): SelectorSite | undefined {
  const length = ({ span }: SelectorSite): number => span.end - span.start;
  const [first, ...others] = sites;
  return others.reduce((best, site) => (best && length(site) < length(best) ? site : best), first);
}

function copyActions(site: SelectorSite | undefined): CodeAction[] {
  return (site === undefined ? [] : copiesOf(site)).map(({ title, text }: Copy) => ({
    title,
    kind: COPY,
    command: { title, command: commands.copySelector, arguments: [text] },
  }));
}
