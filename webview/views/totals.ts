/** What the list cost, in two lines; a failure takes their place. */
import { h, replaceChildren, setAttribute, setHidden, setText } from '../dom';
import type { Controller } from '../controller';
import { counted } from '../../server/protocol/format';
import { isElsewhere, isRunning, progressOf, type Run } from '../run';
import { queryText } from '../../server/protocol/queryText';
import { countingText, totalsText, type TotalsText } from '../totalsText';
import { progressRing } from '../toolkit';
import { failureView } from './failure';
import type { View } from './view';

function figure(name: string): { readonly element: HTMLElement; readonly value: HTMLElement } {
  const value = h('span', { class: 'figure' });
  return { value, element: h('span', { class: 'funnel-part' }, value, ` ${name}`) };
}

interface Figures {
  readonly element: HTMLElement;
  show(text: TotalsText, isBusy: boolean): void;
}

function figures(): Figures {
  const fetched = figure('fetched');
  const evaluated = figure('evaluated');
  const returned = figure('returned');
  const arrow = (): HTMLElement =>
    h('span', { class: 'arrow', 'aria-label': 'then', role: 'img' }, '→');
  const ratio = h('span', { class: 'figure' });
  const ring = progressRing();
  const cost = h('span', { class: 'cost' });
  const naive = h('span', { class: 'naive quiet' });
  const funnel = [fetched.element, arrow(), evaluated.element, arrow(), returned.element];
  const element = h(
    'div',
    { class: 'totals-lines' },
    h('div', { class: 'funnel' }, ...funnel),
    h('div', { class: 'ratio' }, ratio, ' read amplification'),
    h('div', { class: 'cost-line quiet' }, cost, ring),
    naive,
  );
  return {
    element,
    show(text, isBusy) {
      setText(fetched.value, text.fetched);
      setText(evaluated.value, text.evaluated);
      setText(returned.value, text.returned);
      setText(ratio, text.amplification);
      setText(cost, text.cost);
      setText(naive, text.naive);
      setHidden(ring, !isBusy);
    },
  };
}

/** The failure of a run, with what can be done about it now. */
function failurePart(controller: Controller): View {
  const element = h('div', { class: 'failure', hidden: true });
  let shown: readonly unknown[] = [];
  return {
    element,
    update({ run, status }) {
      const failure = run?.failure ?? null;
      const now = [failure, run !== null && isElsewhere(run, status)];
      if (now.every((value, index) => value === shown[index])) return;
      shown = now;
      setHidden(element, failure === null);
      if (!run || !failure) return;
      const cost = readNothing(run) ? '' : totalsText(run).cost;
      replaceChildren(element, failureView(controller, run, failure, cost));
    },
  };
}

export function totalsView(controller: Controller): View {
  // The query above may be another by now.
  const title = h('p', { class: 'run-of quiet' });
  const lines = figures();
  const failure = failurePart(controller);
  // Where there are no figures yet, or a failure stands in their place.
  const counting = h('p', { class: 'cost-line quiet' }, countingText, progressRing());
  const notes = h('div', { class: 'notes' });
  const element = h('section', { class: 'totals', 'aria-label': 'Totals' });
  element.append(title, lines.element, failure.element, counting, notes);
  return {
    element,
    update(state, previous) {
      const { run } = state;
      failure.update(state, previous);
      if (run === previous?.run && state.counting === previous.counting) return;
      setHidden(element, !run && !state.counting);
      setHidden(lines.element, !hasFigures(run));
      setHidden(counting, hasFigures(run) || !state.counting);
      setHidden(title, !run);
      if (!run) return;
      const asked = `${queryText(run.query)} · ${run.connection}`;
      setText(title, asked);
      setAttribute(title, 'title', asked);
      lines.show(totalsText(run, state.counting), isRunning(run) || state.counting);
      if (notesDiffer(run, previous?.run)) replaceChildren(notes, ...notesOf(run));
    },
  };
}

const hasFigures = (run: Run | null): boolean => run !== null && run.failure === null;

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
