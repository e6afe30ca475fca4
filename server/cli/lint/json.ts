/** Findings as one JSON document. */
import { selectorsOf, totalCounts, type LintReport } from './report';

export function lintJson({ files, unread }: LintReport): string {
  const report = {
    files: files.length,
    selectors: selectorsOf(files),
    counts: totalCounts(files),
    findings: files.flatMap(({ findings }) => findings),
    untold: files.flatMap(({ name, untold, more }) =>
      more === '' ? [] : [{ file: name, ...untold }],
    ),
    unread,
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}
