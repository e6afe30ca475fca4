/** Findings for a person at a terminal, in the form that editors and CI systems find their way by. */
import type { Finding, Severity } from '../../language/findings';
import { Lines } from '../../language/source/lines';
import { caretLines } from '../caret';
import { cell, clipped } from '../output/text';
import { plural } from '../receiptText';
import type { Style } from '../style';
import {
  moreText,
  selectorsOf,
  severityOf,
  shown,
  totalCounts,
  type CheckedFile,
  type LintReport,
} from './report';

/** Three lines for each finding: place and sentence, the line, and carets below the characters. */
export function lintText(file: CheckedFile, least: Severity, style: Style): string {
  const lines = new Lines(file.text);
  const found = shown(file.findings, least)
    .map((found) => {
      const { line, column } = lines.at(found.span.start);
      const place = style.bold(`${cell(file.name)}:${line}:${column}:`);
      const severity = coloured(severityOf(found), style);
      const message = cell(clipped(found.message));
      const code = style.dim(`[${found.code}]`);
      return `${place} ${severity}: ${message} ${code}\n${excerpt(lines, found)}`;
    })
    .join('');
  return found + moreLine(file, least, style);
}

/** Behind them, where it is seen. */
function moreLine(file: CheckedFile, least: Severity, style: Style): string {
  const more = moreText(file, least);
  if (more === '') return '';
  const place = style.bold(`${cell(file.name)}:1:1:`);
  return `${place} information: ${more} ${style.dim('[more-findings]')}\n`;
}

/** Nothing of a file that is no text. */
function excerpt(lines: Lines, { span }: Finding): string {
  const { text, start } = lines.lineOf(span.start);
  if (text === '') return '';
  const within = { start: span.start - start, end: span.end - start };
  return caretLines(text, within)
    .map((line) => `${line}\n`)
    .join('');
}

function coloured(severity: Severity, style: Style): string {
  if (severity === 'error') return style.red(severity);
  return severity === 'warning' ? style.yellow(severity) : severity;
}

/** One line over all files. */
export function lintSummary({ files, unread }: LintReport): string {
  const counts = totalCounts(files);
  const selectors = selectorsOf(files);
  const found = [
    plural(counts.error, 'error'),
    plural(counts.warning, 'warning'),
    ...(counts.information > 0 ? [plural(counts.information, 'remark')] : []),
    ...(counts.hint > 0 ? [plural(counts.hint, 'hint')] : []),
    ...(unread.length > 0 ? [`${plural(unread.length, 'file')} not read`] : []),
  ];
  return `${plural(files.length, 'file')}, ${plural(selectors, 'selector')}: ${found.join(', ')}`;
}
