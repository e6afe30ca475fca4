/** What the page asks of the host beside its lists: how a failure of it is shown. */
import { failureOf } from './failures';
import { isElsewhere } from './run';
import { nameOf } from './state';
import type { Store } from './store';
import { ofAnother } from './texts';

/** What fails is shown; undefined then. A person who closed a prompt knows it: nothing is shown. */
export async function attempt<T>(store: Store, action: () => Promise<T>): Promise<T | undefined> {
  try {
    return await action();
  } catch (error) {
    const failure = failureOf(error);
    if (failure.code !== 'cancelled') store.dispatch({ type: 'trouble', failure });
    return undefined;
  }
}

/** Says so, when the rows shown are not of the etcd that would be asked. */
export function saysElsewhere(store: Store): boolean {
  const { run, status } = store.state;
  if (!run || !isElsewhere(run, status)) return false;
  const sentence = ofAnother(run, nameOf(status));
  store.dispatch({ type: 'trouble', failure: { code: 'notConnected', sentence } });
  return true;
}
