/** Selectors of commands in YAML that a shell takes apart. */
import type { Report } from './report';
import { shellEdits } from './scalarActions';
import type { FoundText } from './textWalk';

export function reportCut(report: Report, { command, cut, isInFlow }: FoundText): void {
  if (command === undefined || cut === undefined) return;
  const { tree } = report;
  const { shell } = command;
  const span = shell.place(cut.span);
  const edits = cut.quotes && shellEdits(tree, shell, [cut.quotes], isInFlow);
  const fixes =
    edits === undefined ? [] : [{ title: 'Put it into quotes', edits, preferred: true }];
  const sign = shell.text.slice(cut.span.start, cut.span.end);
  const message = `A shell takes ${sign} for itself: put the selector into single quotes.`;
  report.about(span, cut.isRefused ? 'label-selector' : 'no-effect', message, fixes);
}
