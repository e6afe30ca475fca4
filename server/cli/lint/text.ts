/** Findings for a person at a terminal, in the form that editors and CI systems find their way by. */
import type { Severity } from '../../language/findings';
import { Lines } from '../../language/source/lines';
import { caretLines } from '../caret';
import { cell } from '../output/text';
import { plural } from '../receiptText';
import type { Style } from '../style';
import { countBySeverity, severityOf, shown, type LintedFile } from './report';

/** Three lines for each finding: place and sentence, the line, and carets below the characters. */
export function lintText(file: LintedFile, least: Severity, style: Style): string {
  const lines = new Lines(file.text);
  return shown(file.findings, least)
    .map((found) => {
      const { line, column } = lines.at(found.span.start);
      const place = style.bold(`${cell(file.name)}:${line}:${column}:`);
      const severity = severityOf(found);
      const { text, start } = lines.lineOf(found.span.start);
      const span = { start: found.span.start - start, end: found.span.end - start };
      const [shownLine, carets] = caretLines(text, span);
      const code = style.dim(`[${found.code}]`);
      return `${place} ${coloured(severity, style)}: ${cell(found.message)} ${code}\n${shownLine}\n${carets}\n`;
    })
    .join('');
}

function coloured(severity: Severity, style: Style): string {
  if (severity === 'error') return style.red(severity);
  return severity === 'warning' ? style.yellow(severity) : severity;
}

/** One line over all files. */
export function lintSummary(files: readonly LintedFile[]): string {
  const counts = countBySeverity(files);
  const selectors = files.reduce((sum, file) => sum + file.selectors, 0);
  const found = [
    plural(counts.error, 'error'),
    plural(counts.warning, 'warning'),
    ...(counts.information > 0 ? [plural(counts.information, 'remark')] : []),
    ...(counts.hint > 0 ? [plural(counts.hint, 'hint')] : []),
  ];
  return `${plural(files.length, 'file')}, ${plural(selectors, 'selector')}: ${found.join(', ')}`;
}
