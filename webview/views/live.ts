/** Says progress and results to those who do not see them: seldom while a list runs, once at its end. */
import { h } from '../dom';
import { counted, thousands } from '../format';
import { isRunning, progressOf, type Run } from '../run';
import type { PanelState } from '../state';
import type { View } from './view';

const quietMs = 4000;

export function announcement(run: Run): string {
  const { total } = run;
  if (run.failure) return run.failure.sentence;
  if (isRunning(run) || !total) {
    const { requests, fetched } = progressOf(run);
    const state = run.phase === 'stopped' ? 'Stopped. ' : '';
    return `${state}${counted(requests, 'round trip')}, ${counted(fetched, 'key')} fetched, ${counted(run.rowCount, 'row')} so far.`;
  }
  const what = run.phase === 'stopped' ? 'Stopped. ' : '';
  const later = run.snapshots.length > 0 ? ' Rows of a later snapshot follow a divider.' : '';
  const more = total.continue === '' ? '' : ' More follow.';
  return `${what}${counted(total.returned, 'row')} from ${thousands(total.fetched)} keys in ${counted(total.requests, 'round trip')}.${later}${more}`;
}

export function liveRegion(now: () => number = () => performance.now()): View {
  const element = h('div', { class: 'heard', role: 'status', 'aria-live': 'polite' });
  let saidAt = -Infinity;
  const say = (text: string): void => {
    saidAt = now();
    element.textContent = text;
  };
  const connectionSaid = (state: PanelState): void => {
    const { status } = state;
    if (status.state === 'connected') say(`Connected to ${status.name}.`);
    else if (status.state === 'disconnected' && status.failure) say(status.failure.sentence);
  };
  return {
    element,
    update(state, previous) {
      const { run } = state;
      if (previous && state.status.state !== previous.status.state) connectionSaid(state);
      if (state.trouble && state.trouble !== previous?.trouble) say(state.trouble.sentence);
      if (!run || run === previous?.run) return;
      const ended = !isRunning(run) && isRunning(previous?.run ?? null);
      if (ended || (isRunning(run) && now() - saidAt >= quietMs)) say(announcement(run));
    },
  };
}
