/** Findings as diagnostics: of a document that is opened at once, else after a pause in the typing. */
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
import { pauseAfter } from './pause';
import type { SiteCounts } from './siteCounts';

/** What stands beside each diagnostic, and tells it from those of others. */
export const SOURCE = 'etcd LIST';

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
  /** Milliseconds of a clock that does not jump. */
  readonly now: () => number;
}

/** A document that the editor has open. */
interface Open {
  readonly document: TextDocument;
  /** Milliseconds that it took to look at it last; undefined before the first time. */
  tookMs: number | undefined;
  /** Takes back the look that it waits for. */
  stop: () => void;
  /** Its last look: those before it tell of less than is known now. */
  look: number;
}

export class Diagnostics {
  private readonly open = new Map<string, Open>();

  constructor(private readonly parts: DiagnosticsParts) {}

  /** What is stored, or how severe it is, is another now. */
  again(): void {
    for (const open of this.open.values()) this.wait(open, pauseAfter(open.tookMs));
  }

  /** Opened, or its text is another now. Nobody types yet in one that is opened. */
  changed(document: TextDocument): void {
    const known = this.open.get(document.uri);
    if (known?.document === document) {
      this.wait(known, pauseAfter(known.tookMs));
      return;
    }
    known?.stop();
    const opened: Open = { document, tookMs: undefined, stop: () => undefined, look: 0 };
    this.open.set(document.uri, opened);
    this.wait(opened, 0);
  }

  closed(uri: string): void {
    this.open.get(uri)?.stop();
    this.open.delete(uri);
    this.parts.analyses.forget(uri);
    this.parts.publish({ uri, diagnostics: [] });
  }

  /** One look at most waits for each document. */
  private wait(open: Open, ms: number): void {
    open.stop();
    open.stop = this.parts.after(ms, () => {
      void this.show(open);
    });
  }

  private async show(open: Open): Promise<void> {
    const { document } = open;
    const { uri, version } = document;
    const look = ++open.look;
    // It was closed, perhaps opened anew, or a later look tells of a newer text, or of what is stored now.
    const isWanted = (): boolean =>
      this.open.get(uri) === open && document.version === version && open.look === look;
    const startedAt = this.parts.now();
    const looked = await this.parts.analyses.of(document);
    if (!isWanted()) return;
    const found = await foundIn(looked, this.parts, isWanted);
    if (!isWanted()) return;
    open.tookMs = this.parts.now() - startedAt;
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
