/** What the list cost, in two lines; a failure takes their place. */
import { h, replaceChildren, setHidden, setText } from '../dom';
import type { Controller } from '../controller';
import { counted } from '../format';
import { isElsewhere, isRunning, progressOf, type Run } from '../run';
import { totalsText } from '../totalsText';
import { progressRing } from '../toolkit';
import { failureView } from './failure';
import type { View } from './view';

function figure(name: string): { readonly element: HTMLElement; readonly value: HTMLElement } {
  const value = h('span', { class: 'figure' });
  return { value, element: h('span', { class: 'funnel-part' }, value, ` ${name}`) };
}

export function totalsView(controller: Controller): View {
  const fetched = figure('fetched');
  const evaluated = figure('evaluated');
  const returned = figure('returned');
  const arrow = (): HTMLElement =>
    h('span', { class: 'arrow', 'aria-label': 'then', role: 'img' }, '→');
  const ratio = h('span', { class: 'figure' });
  const ring = progressRing();
  const cost = h('span', { class: 'cost' });
  const naive = h('span', { class: 'naive quiet' });
  const lines = h(
    'div',
    { class: 'totals-lines' },
    h(
      'div',
      { class: 'funnel' },
      fetched.element,
      arrow(),
      evaluated.element,
      arrow(),
      returned.element,
    ),
    h('div', { class: 'ratio' }, ratio, ' read amplification'),
    h('div', { class: 'cost-line quiet' }, cost, ring),
    naive,
  );
  const failure = h('div', { class: 'failure', hidden: true });
  const notes = h('div', { class: 'notes' });
  let failureShown: readonly unknown[] = [];
  const element = h('section', { class: 'totals', 'aria-label': 'Totals' }, lines, failure, notes);
  return {
    element,
    update({ run, status }, previous) {
      if (run === previous?.run && status === previous.status) return;
      setHidden(element, !run);
      if (!run) return;
      const text = totalsText(run);
      setText(fetched.value, text.fetched);
      setText(evaluated.value, text.evaluated);
      setText(returned.value, text.returned);
      setText(ratio, text.amplification);
      setText(cost, text.cost);
      setText(naive, text.naive);
      setHidden(ring, !isRunning(run));
      setHidden(lines, run.failure !== null);
      setHidden(failure, run.failure === null);
      const failureNow = [run.failure, isElsewhere(run, status)];
      if (failureNow.some((value, index) => value !== failureShown[index])) {
        failureShown = failureNow;
        replaceChildren(
          failure,
          run.failure &&
            failureView(controller, run, run.failure, readNothing(run) ? '' : text.cost),
        );
      }
      if (notesDiffer(run, previous?.run)) replaceChildren(notes, ...notesOf(run));
    },
  };
}

function readNothing(run: Run): boolean {
  const { bytes, fetched } = progressOf(run);
  return bytes === 0 && fetched === 0;
}

function notesDiffer(run: Run, previous: Run | null | undefined): boolean {
  return (
    run.notices !== previous?.notices ||
    run.unreadable !== previous.unreadable ||
    run.lost !== previous.lost
  );
}

function notesOf(run: Run): HTMLElement[] {
  const notes = run.notices.map((text) => h('p', {}, text));
  if (run.lost > 0) {
    const text = `${counted(run.lost, 'update')} of this list did not arrive; rows may be missing. Run it again.`;
    notes.push(h('p', { class: 'warning' }, text));
  }
  if (run.unreadable.length === 0) return notes;
  const items = run.unreadable.map(({ key, reason }) =>
    h('li', {}, h('code', {}, key), ` ${reason}`),
  );
  const summary = `${counted(run.unreadable.length, 'object')} could not be read and ${run.unreadable.length === 1 ? 'was' : 'were'} left out`;
  return [
    ...notes,
    h('details', { class: 'warning' }, h('summary', {}, summary), h('ul', {}, ...items)),
  ];
}
