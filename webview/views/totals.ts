/** What the list cost, in two lines; a failure takes their place. */
import { h, replaceChildren, setHidden, setText } from '../dom';
import type { Controller } from '../controller';
import { amplification, bytes, counted, duration, thousands } from '../format';
import { isRunning, progressOf, type Run } from '../run';
import { progressRing } from '../toolkit';
import { failureView } from './failure';
import type { View } from './view';

interface TotalsText {
  readonly fetched: string;
  readonly evaluated: string;
  readonly returned: string;
  readonly amplification: string;
  readonly cost: string;
  readonly naive: string;
}

const phases: Readonly<Record<Run['phase'], string>> = {
  running: 'running',
  stopping: 'stopping',
  stopped: 'stopped',
  failed: '',
  done: '',
};

export function totalsText(run: Run): TotalsText {
  const { total } = run;
  const live = progressOf(run);
  const known = isRunning(run) ? null : total;
  const fetched = known?.fetched ?? live.fetched;
  const returned = known?.returned ?? live.returned;
  const revision = total?.resourceVersion ?? null;
  const cost = [
    phases[run.phase],
    counted(known?.requests ?? live.requests, 'round trip'),
    bytes(live.bytes),
    duration(known?.durationMs ?? live.durationMs),
    revision === null ? '' : `revision ${thousands(revision)}`,
    total?.streamed ? 'streamed' : '',
  ];
  const naive = known?.naiveRequests ?? null;
  return {
    fetched: thousands(fetched),
    evaluated: known ? thousands(known.evaluated) : '…',
    returned: thousands(returned),
    amplification: amplification(fetched, returned) ?? '–',
    cost: cost.filter((part) => part !== '').join(' · '),
    naive: naive === null ? '' : `naive paging: ${counted(naive, 'round trip')}`,
  };
}

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
    h('div', { class: 'cost-line quiet' }, ring, cost),
    naive,
  );
  const failure = h('div', { class: 'failure', hidden: true });
  const notes = h('div', { class: 'notes' });
  const element = h('section', { class: 'totals', 'aria-label': 'Totals' }, lines, failure, notes);
  return {
    element,
    update({ run }, previous) {
      if (run === previous?.run) return;
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
      if (run.failure !== (previous?.run?.failure ?? null)) {
        replaceChildren(
          failure,
          run.failure && failureView(controller, run, run.failure, text.cost),
        );
      }
      if (notesDiffer(run, previous?.run)) replaceChildren(notes, ...notesOf(run));
    },
  };
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
