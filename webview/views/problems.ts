/** What is wrong with what was typed, under the input, with the offending characters marked. */
import type { QueryField, QueryProblem } from '../../server/protocol/model';
import { h, replaceChildren, setHidden } from '../dom';
import { excerpt } from '../texts';
import type { PanelState } from '../state';

const names: Readonly<Record<QueryField, string>> = {
  resource: 'resource',
  namespace: 'namespace',
  labelSelector: 'labels',
  fieldSelector: 'fields',
  limit: 'limit',
  resourceVersion: 'resourceVersion',
  resourceVersionMatch: 'match',
  continueToken: 'continue token',
};

function line(problem: QueryProblem, text: string, named: boolean): HTMLElement {
  const [before, offending, after] = excerpt(text, problem.start, problem.end);
  const mark = h('mark', {}, offending);
  // An offence between two characters, or at the end, is a place and not a text.
  if (offending === '') mark.classList.add('place');
  return h(
    'li',
    { class: problem.severity },
    h(
      'span',
      { class: 'severity', 'aria-hidden': 'true' },
      problem.severity === 'error' ? '✕' : '!',
    ),
    named && h('span', { class: 'quiet' }, names[problem.field]),
    text !== '' && h('code', {}, before, mark, after),
    h('span', { class: 'message' }, problem.message),
  );
}

export class Problems {
  readonly element = h('ul', { class: 'problems', hidden: true });
  private shown: readonly QueryProblem[] = [];

  constructor(private readonly fields: readonly QueryField[]) {}

  update({ check, query }: PanelState): void {
    const problems = (check?.problems ?? []).filter(({ field }) => this.fields.includes(field));
    const same =
      problems.length === this.shown.length &&
      problems.every((problem, index) => problem === this.shown[index]);
    if (same) return;
    this.shown = problems;
    const named = this.fields.length > 1;
    replaceChildren(
      this.element,
      ...problems.map((problem) => line(problem, query[problem.field], named)),
    );
    setHidden(this.element, problems.length === 0);
  }
}

/** What is wrong with one field for those who hear it: all of it in one text, and whether it is refused. */
export interface FieldProblem {
  readonly text: string;
  /** False where there are warnings at most. */
  readonly refused: boolean;
}

export function problemOf({ check }: PanelState, field: QueryField): FieldProblem {
  const found = (check?.problems ?? []).filter((problem) => problem.field === field);
  return {
    text: found.map(({ message }) => message).join(' '),
    refused: found.some(({ severity }) => severity === 'error'),
  };
}
