/** What the end of the language server, and that it runs again, change in the state. */
import { serverEnded, type Failure } from '../server/protocol/errors';
import { isRunning, type Run } from './run';
import { afterRefusal } from './runEvents';
import type { PanelState } from './state';

/** Whether the failed list that is shown says that the server is gone: it need not be said again. */
export function saysServerGone({ run, serverFailure }: PanelState): boolean {
  if (!run || run.past || !run.failure) return false;
  return run.failure.sentence === serverFailure?.sentence;
}

const runsAgain: Failure = {
  code: 'internal',
  sentence:
    'The language server ended while this list ran, and runs again. Rows already shown stand.',
};

/** That its server ended may be told of a list before it is told of all. */
const wasUnanswered = (run: Run | null): boolean =>
  run !== null && !run.past && run.failure?.sentence === serverEnded.sentence;

export function afterServer(state: PanelState, recovered: boolean, failure?: Failure): PanelState {
  // It answers before this is said: a list may run on it by then.
  if (recovered) return state.server === 'gone' ? afterRecovery(state) : state;
  const ended: Failure = failure ?? {
    code: 'internal',
    sentence: 'The language server ended while this list ran. It is being started again.',
  };
  const { run } = state;
  const brokeOff = isRunning(run) || saysServerGone(state) || wasUnanswered(run);
  const failed = isRunning(run) ? afterRefusal(run, run.listId, ended) : run;
  return {
    ...state,
    server: 'gone',
    serverFailure: brokeOff ? ended : (failure ?? null),
    counting: false,
    run: failed && brokeOff ? { ...failed, failure: ended } : run,
  };
}

export function afterRecovery(state: PanelState): PanelState {
  const { run } = state;
  const next = { ...state, serverFailure: null };
  return run && saysServerGone(state)
    ? { ...next, server: 'up', run: { ...run, failure: runsAgain } }
    : { ...next, server: 'recovered' };
}
