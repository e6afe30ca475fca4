/** Findings as one JSON document. */
import type { Severity } from '../../language/findings';
import { countBySeverity, placedFindings, type LintedFile } from './report';

export function lintJson(files: readonly LintedFile[], least: Severity): string {
  const findings = files.flatMap((file) => placedFindings(file, least));
  const selectors = files.reduce((sum, file) => sum + file.selectors, 0);
  const counts = countBySeverity(files);
  return `${JSON.stringify({ files: files.length, selectors, counts, findings }, null, 2)}\n`;
}
