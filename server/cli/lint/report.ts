/** What was found in the files of one run, whatever form it is printed in. */
import { FINDINGS, type Finding, type Severity } from '../../language/findings';
import { Lines, type LinePosition } from '../../language/source/lines';

/** A file that was gone over. */
export interface CheckedFile {
  /** As it was given; `stdin` for standard input. */
  readonly name: string;
  readonly text: string;
  readonly findings: readonly Finding[];
}

/** What is kept of a file once its text is let go. */
export interface LintedFile {
  readonly name: string;
  /** Selectors that were looked at. */
  readonly selectors: number;
  /** Of everything found, whether it is shown or not. */
  readonly counts: Counts;
  /** What is shown. */
  readonly findings: readonly PlacedFinding[];
}

/** A file that was not gone over. */
export interface UnreadFile {
  readonly file: string;
  readonly reason: string;
}

/** All that came of a run. */
export interface LintReport {
  readonly files: readonly LintedFile[];
  readonly unread: readonly UnreadFile[];
}

export interface PlacedFinding {
  readonly file: string;
  readonly code: Finding['code'];
  readonly severity: Severity;
  readonly message: string;
  readonly start: LinePosition;
  readonly end: LinePosition;
  /** Titles of the fixes that an editor offers. */
  readonly fixes: readonly string[];
}

/** The least that is shown comes last. */
export const SEVERITIES = ['error', 'warning', 'information', 'hint'] as const satisfies Severity[];

export function severityOf({ code }: Pick<Finding, 'code'>): Severity {
  return FINDINGS[code].severity;
}

/** Findings at least that severe, in the order of the text. */
export function placedFindings(
  { name, text, findings }: CheckedFile,
  least: Severity,
): PlacedFinding[] {
  const lines = new Lines(text);
  return shown(findings, least).map((found) => ({
    file: name,
    code: found.code,
    severity: severityOf(found),
    message: found.message,
    start: lines.at(found.span.start),
    end: lines.at(found.span.end),
    fixes: found.fixes.map(({ title }) => title),
  }));
}

export function shown(findings: readonly Finding[], least: Severity): Finding[] {
  const most = SEVERITIES.indexOf(least);
  return findings
    .filter((found) => SEVERITIES.indexOf(severityOf(found)) <= most)
    .sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
}

export type Counts = Readonly<Record<Severity, number>>;

export function countOf(findings: readonly Finding[], severity: Severity): number {
  return findings.filter((found) => severityOf(found) === severity).length;
}

export function countBySeverity(findings: readonly Finding[]): Counts {
  return totals(SEVERITIES.map((severity) => [severity, countOf(findings, severity)]));
}

/** Over all files. */
export function totalCounts(files: readonly LintedFile[]): Counts {
  const sum = (severity: Severity): number =>
    files.reduce((total, { counts }) => total + counts[severity], 0);
  return totals(SEVERITIES.map((severity) => [severity, sum(severity)]));
}

function totals(counts: readonly (readonly [Severity, number])[]): Counts {
  return { error: 0, warning: 0, information: 0, hint: 0, ...Object.fromEntries(counts) };
}

export function selectorsOf(files: readonly LintedFile[]): number {
  return files.reduce((sum, { selectors }) => sum + selectors, 0);
}
