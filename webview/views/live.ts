/** Says progress and results to those who do not see them: seldom while a list runs, once at its end. */
import type { ConnectionStatus } from '../../server/protocol/model';
import { h } from '../dom';
import { counted, thousands } from '../../server/protocol/format';
import { hasEnded, isOtherList, isRunning, progressOf, type Run } from '../run';
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

function connectionNews(status: ConnectionStatus): string {
  if (status.state === 'connected') return `Connected to ${status.name}.`;
  return status.state === 'disconnected' ? (status.failure?.sentence ?? 'Disconnected.') : '';
}

export function liveRegion(now: () => number = () => performance.now()): View {
  const element = h('div', { class: 'heard', role: 'status', 'aria-live': 'polite' });
  let saidAt = -Infinity;
  const say = (text: string): void => {
    saidAt = now();
    element.textContent = text;
  };
  const sayRun = (run: Run, previous: Run | null): void => {
    // A short list says its result only.
    if (isOtherList(run, previous)) saidAt = now();
    if (hasEnded(run, previous) || (isRunning(run) && now() - saidAt >= quietMs))
      say(announcement(run));
  };
  return {
    element,
    update(state, previous) {
      const { run } = state;
      const news = newsOf(state, previous);
      if (news !== undefined) say(news);
      if (run && run !== previous?.run) sayRun(run, previous?.run ?? null);
    },
  };
}

/** The end of a sample that was measured; a failure is an alert of its own. */
function measuredNews({ explain }: PanelState): string | undefined {
  const isThere = explain.failure === null && explain.answer?.estimate !== undefined;
  return isThere ? 'Measured: the estimate is in the table.' : undefined;
}

/** Of watch caches that are ready, or have ended. */
function cacheNews(state: PanelState, previous: PanelState): string | undefined {
  const before = new Map(previous.watchCaches.map((each) => [each.resource, each.state]));
  const changed = state.watchCaches.filter((each) => before.get(each.resource) !== each.state);
  const news = changed.flatMap(({ resource, state: now, objects, failure = '' }) => {
    if (now === 'ready')
      return [`The watch cache of ${resource} is ready: ${counted(objects, 'object')}.`];
    return now === 'stopped' ? [`The watch cache of ${resource} has ended. ${failure}`] : [];
  });
  return news.length === 0 ? undefined : news.join(' ');
}

/** What changed outside of the list; the last of it, when that was more at once. */
function newsOf(state: PanelState, previous: PanelState | null): string | undefined {
  const { status, trouble, counting } = state;
  if (counting && !previous?.counting) return 'Counting what a read without a limit brings.';
  if (previous?.server === 'gone' && state.server !== 'gone')
    return 'The language server runs again.';
  if (trouble && trouble !== previous?.trouble) return trouble.sentence;
  if (!previous) return undefined;
  if (status.state !== previous.status.state) return connectionNews(status);
  return besideNews(state, previous);
}

/** What was read for another tab than the rows, or for lists to come. */
function besideNews(state: PanelState, previous: PanelState): string | undefined {
  if (state.metrics !== previous.metrics) return 'The metrics were read: their tables are shown.';
  if (previous.explain.measuring && !state.explain.measuring) return measuredNews(state);
  if (state.watchCaches !== previous.watchCaches) return cacheNews(state, previous);
  return undefined;
}
