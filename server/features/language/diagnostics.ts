/** Findings as diagnostics, published after a pause in the typing. */
import {
  DiagnosticSeverity,
  DiagnosticTag,
  type Diagnostic,
  type PublishDiagnosticsParams,
} from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Severity } from '../../language/findings';
import type { StoredLabels } from '../../language/index/storedLabels';
import type { Analyses } from './analyses';
import { findingsOf, shownOf, type Severities, type ShownFinding } from './found';

/** What stands beside each diagnostic, and tells it from those of others. */
export const SOURCE = 'etcd LIST';

/** Milliseconds without a change before a document is looked at. */
const PAUSE_MS = 250;

/** Most diagnostics that one document shows. */
export const MOST = 1000;

export interface DiagnosticsParts {
  readonly analyses: Analyses;
  readonly stored: StoredLabels;
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
    // It was closed, perhaps opened anew, or what is looked at meanwhile tells of the newer text.
    if (this.open.get(uri) !== document || document.version !== version) return;
    const { stored, severities, publish } = this.parts;
    const shown = shownOf(findingsOf(looked, stored), severities()).slice(0, MOST);
    const diagnostics = shown.map((each) => diagnosticOf(document, each));
    publish({ uri, version, diagnostics });
  }
}

const severityNumbers: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

function diagnosticOf(document: TextDocument, { found, severity }: ShownFinding): Diagnostic {
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
