/** Findings as diagnostics, published after a pause in the typing. */
import {
  DiagnosticSeverity,
  DiagnosticTag,
  type Diagnostic,
  type PublishDiagnosticsParams,
} from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { FINDINGS, type Finding, type FindingCode, type Severity } from '../../language/findings';
import type { StoredLabels } from '../../language/index/storedLabels';
import type { Analyses } from './analyses';
import { findingsOf } from './found';
import type { SiteCounts } from './siteCounts';

/** What stands beside each diagnostic, and tells it from those of others. */
export const SOURCE = 'etcd LIST';

export type Severities = Readonly<Partial<Record<FindingCode, Severity | 'off'>>>;

/** Milliseconds without a change before a document is looked at. */
const PAUSE_MS = 250;

/** Most diagnostics that one document shows. */
const MOST = 1000;

export interface DiagnosticsParts {
  readonly analyses: Analyses;
  readonly stored: StoredLabels;
  readonly counts: SiteCounts;
  readonly severities: () => Severities;
  readonly publish: (params: PublishDiagnosticsParams) => void;
  /** Calls once after the time; the result takes it back. */
  readonly after: (ms: number, action: () => void) => () => void;
}

export class Diagnostics {
  private readonly waiting = new Map<string, () => void>();
  private readonly open = new Map<string, TextDocument>();

  constructor(private readonly parts: DiagnosticsParts) {}

  /** What is stored, or how severe it is, is another now. */
  again(): void {
    for (const document of this.open.values()) this.changed(document);
  }

  changed(document: TextDocument): void {
    const { uri } = document;
    this.open.set(uri, document);
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
    this.open.delete(uri);
    this.parts.analyses.forget(uri);
    this.parts.publish({ uri, diagnostics: [] });
  }

  private async show(document: TextDocument): Promise<void> {
    const { uri, version } = document;
    const looked = await this.parts.analyses.of(document);
    const found = await findingsOf(looked, this.parts);
    // What is looked at meanwhile tells of the newer text.
    if (document.version !== version) return;
    const diagnostics = found.flatMap((each) => this.diagnostic(document, each));
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
