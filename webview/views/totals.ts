/** What the list cost, in two lines; a failure takes their place. */
import { h, replaceChildren, setHidden, setText } from '../dom';
import type { Controller } from '../controller';
import { amplification, bytes, counted, duration, thousands } from '../format';
import { isRunning, progressOf, type Progress, type Run } from '../run';
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

const joined = (parts: readonly string[]): string =>
  parts.filter((part) => part !== '').join(' · ');

/** While a list runs its requests are the source; its totals once they are known. */
function countsOf(run: Run): Omit<Progress, 'bytes'> & { readonly evaluated: string } {
  const live = progressOf(run);
  const { total } = run;
  if (isRunning(run) || !total) return { ...live, evaluated: '…' };
  const { requests, fetched, returned, durationMs } = total;
  return { requests, fetched, returned, durationMs, evaluated: thousands(total.evaluated) };
}

export function totalsText(run: Run): TotalsText {
  const { total } = run;
  const counts = countsOf(run);
  const revision = total?.resourceVersion ?? null;
  const naive = isRunning(run) ? null : (total?.naiveRequests ?? null);
  return {
    fetched: thousands(counts.fetched),
    evaluated: counts.evaluated,
    returned: thousands(counts.returned),
    amplification: amplification(counts.fetched, counts.returned) ?? '–',
    cost: joined([
      counted(counts.requests, 'round trip'),
      bytes(progressOf(run).bytes),
      duration(counts.durationMs),
      revision === null ? '' : `revision ${thousands(revision)}`,
      total?.streamed ? 'streamed' : '',
      // Last, so that nothing moves when it goes.
      phases[run.phase],
    ]),
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
    h('div', { class: 'cost-line quiet' }, cost, ring),
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
