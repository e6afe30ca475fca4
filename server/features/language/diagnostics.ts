/** Findings as diagnostics, published after a pause in the typing. */
import {
  DiagnosticSeverity,
  DiagnosticTag,
  type Diagnostic,
  type PublishDiagnosticsParams,
} from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { finding, type Finding, type FindingCode, type Severity } from '../../language/findings';
import type { StoredLabels } from '../../language/index/storedLabels';
import { addedUp, sumOf, toldOf, untoldText, type Told } from '../../language/told';
import type { Analyses } from './analyses';
import { foundIn, severityOf, type Found, type Severities } from './found';
import type { SiteCounts } from './siteCounts';

/** What stands beside each diagnostic, and tells it from those of others. */
export const SOURCE = 'etcd LIST';

/** Milliseconds without a change before a document is looked at. */
const PAUSE_MS = 250;

/** Most diagnostics that one document shows; one more says how many there are. */
export const MOST = 1000;

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
    // It was closed, perhaps opened anew, or what is looked at meanwhile tells of the newer text.
    const isWanted = (): boolean => this.open.get(uri) === document && document.version === version;
    if (!isWanted()) return;
    const found = await foundIn(looked, this.parts, isWanted);
    if (!isWanted()) return;
    this.parts.publish({ uri, version, diagnostics: this.diagnostics(document, found) });
  }

  /** The most severe ones, and how many the others are. */
  private diagnostics(document: TextDocument, found: Found): Diagnostic[] {
    const severities = this.parts.severities();
    const isShown = (code: FindingCode): boolean => severityOf(severities, code) !== 'off';
    const shown = found.findings.filter(({ code }) => isShown(code));
    const shownAs = (code: FindingCode): Severity => {
      const severity = severityOf(severities, code);
      return severity === 'off' ? 'hint' : severity;
    };
    const told = toldOf(shown, MOST, shownAs);
    const untold = sumOf(addedUp([told.untold, found.untold]), isShown);
    const more = untold > 0 && isShown('more-findings') ? [moreFindings(told, untold)] : [];
    return [...more, ...told.findings].map((each) =>
      diagnosticOf(document, each, shownAs(each.code)),
    );
  }
}

/** At the first character, since the others are all over the document. */
function moreFindings({ findings }: Told, untold: number): Finding {
  return finding('more-findings', untoldText(findings.length, untold), { start: 0, end: 1 });
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
