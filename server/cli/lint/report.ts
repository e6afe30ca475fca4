/** What was found in the files of one run, whatever form it is printed in. */
import {
  FINDINGS,
  type Finding,
  type FindingCode,
  type Severity,
  type Untold,
} from '../../language/findings';
import { Lines, type LinePosition } from '../../language/source/lines';
import { sumOf, untoldText } from '../../language/told';

/** A file that was gone over. */
export interface CheckedFile {
  /** As it was given; `stdin` for standard input. */
  readonly name: string;
  readonly text: string;
  readonly findings: readonly Finding[];
  /** Beside them, where there are very many. */
  readonly untold: Untold;
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
  /** Of those that would be shown how many are not, since there are very many; all 0 else. */
  readonly untold: Counts;
  /** The sentence on that; empty where there is none. */
  readonly more: string;
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
  { name, text, findings }: Pick<CheckedFile, 'name' | 'text' | 'findings'>,
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
  return findings
    .filter((found) => isShown(severityOf(found), least))
    .sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
}

function isShown(severity: Severity, least: Severity): boolean {
  return SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(least);
}

/** Of what would be shown, how much is not, since there is very much of it. */
export function untoldOf({ untold }: CheckedFile, least: Severity): Counts {
  const counts = untoldCounts(untold);
  return totals(SEVERITIES.map((name) => [name, isShown(name, least) ? counts[name] : 0]));
}

/** The sentence on that; empty where nothing is left out. */
export function moreText(file: CheckedFile, least: Severity): string {
  const untold = SEVERITIES.reduce((sum, name) => sum + untoldOf(file, least)[name], 0);
  return untold === 0 ? '' : untoldText(shown(file.findings, least).length, untold);
}

function untoldCounts(untold: Untold): Counts {
  const count = (severity: Severity): number =>
    sumOf(untold, (code: FindingCode) => severityOf({ code }) === severity);
  return totals(SEVERITIES.map((severity) => [severity, count(severity)]));
}

export type Counts = Readonly<Record<Severity, number>>;

export type Counted = Pick<CheckedFile, 'findings' | 'untold'>;

/** Told or not. */
export function countOf({ findings, untold }: Counted, severity: Severity): number {
  const told = findings.filter((found) => severityOf(found) === severity).length;
  return told + untoldCounts(untold)[severity];
}

export function countBySeverity(counted: Counted): Counts {
  return totals(SEVERITIES.map((severity) => [severity, countOf(counted, severity)]));
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
