/** Findings as diagnostics, published after a pause in the typing. */
import {
  DiagnosticSeverity,
  DiagnosticTag,
  type Diagnostic,
  type PublishDiagnosticsParams,
} from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { FINDINGS, type Finding, type FindingCode, type Severity } from '../../language/findings';
import type { Analyses, Looked } from './analyses';

/** What stands beside each diagnostic, and tells it from those of others. */
export const SOURCE = 'etcd LIST';

export type Severities = Readonly<Partial<Record<FindingCode, Severity | 'off'>>>;

/** Milliseconds without a change before a document is looked at. */
const PAUSE_MS = 250;

/** Most diagnostics that one document shows. */
const MOST = 1000;

export interface DiagnosticsParts {
  readonly analyses: Analyses;
  readonly severities: () => Severities;
  readonly publish: (params: PublishDiagnosticsParams) => void;
  /** Calls once after the time; the result takes it back. */
  readonly after: (ms: number, action: () => void) => () => void;
}

export class Diagnostics {
  private readonly waiting = new Map<string, () => void>();

  constructor(private readonly parts: DiagnosticsParts) {}

  changed(document: TextDocument): void {
    const { uri } = document;
    this.waiting.get(uri)?.();
    const stop = this.parts.after(PAUSE_MS, () => {
      this.waiting.delete(uri);
      void this.show(document);
    });
    this.waiting.set(uri, stop);
  }

  closed(uri: string): void {
    this.waiting.get(uri)?.();
    this.waiting.delete(uri);
    this.parts.analyses.forget(uri);
    this.parts.publish({ uri, diagnostics: [] });
  }

  private async show(document: TextDocument): Promise<void> {
    const { uri, version } = document;
    const looked = await this.parts.analyses.of(document);
    // What is looked at meanwhile tells of the newer text.
    if (document.version !== version) return;
    const diagnostics = findingsOf(looked).flatMap((found) => this.diagnostic(document, found));
    this.parts.publish({ uri, version, diagnostics: diagnostics.slice(0, MOST) });
  }

  private diagnostic(document: TextDocument, found: Finding): Diagnostic[] {
    const severity = this.parts.severities()[found.code] ?? FINDINGS[found.code].severity;
    if (severity === 'off') return [];
    return [diagnosticOf(document, found, severity)];
  }
}

const severityNumbers: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

function diagnosticOf(document: TextDocument, found: Finding, severity: Severity): Diagnostic {
  const { start, end } = found.span;
  return {
    range: { start: document.positionAt(start), end: document.positionAt(end) },
    severity: severityNumbers[severity],
    code: found.code,
    source: SOURCE,
    message: found.message,
    ...(found.code === 'duplicate-requirement' && { tags: [DiagnosticTag.Unnecessary] }),
    ...(found.code === 'deprecated' && { tags: [DiagnosticTag.Deprecated] }),
  };
}

const reasons = {
  tooLong: 'Selectors of this document are not checked: looking at it took more than ten seconds.',
  ended: 'Selectors of this document are not checked: it is too large or too deep.',
} as const;

/** What kept a document from being looked at is said at its first character. */
function findingsOf(looked: Looked): readonly Finding[] {
  if (looked.done) return looked.analysis.findings;
  if (looked.why !== 'tooLong' && looked.why !== 'ended') return [];
  const span = { start: 0, end: 1 };
  return [{ code: 'not-checked', message: reasons[looked.why], span, fixes: [] }];
}
