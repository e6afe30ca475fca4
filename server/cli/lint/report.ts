/** What was found in the files of one run, whatever form it is printed in. */
import { FINDINGS, type Finding, type Severity } from '../../language/findings';
import { Lines, type LinePosition } from '../../language/source/lines';

export interface LintedFile {
  /** As it was given; `stdin` for standard input. */
  readonly name: string;
  readonly text: string;
  /** Selectors that were looked at. */
  readonly selectors: number;
  readonly findings: readonly Finding[];
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
export function placedFindings(file: LintedFile, least: Severity): PlacedFinding[] {
  const lines = new Lines(file.text);
  return shown(file.findings, least).map((found) => ({
    file: file.name,
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
    .sort((a, b) => a.span.start - b.span.start);
}

export type Counts = Record<Severity, number>;

/** Of everything found, whether it is shown or not. */
export function countBySeverity(files: readonly Pick<LintedFile, 'findings'>[]): Counts {
  const counts: Counts = { error: 0, warning: 0, information: 0, hint: 0 };
  for (const { findings } of files) for (const found of findings) counts[severityOf(found)]++;
  return counts;
}
