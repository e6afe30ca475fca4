import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Controller } from '../../../webview/controller';
import { connectHost, type PanelRpc } from '../../../webview/host';
import { initialState } from '../../../webview/state';
import { Store } from '../../../webview/store';

/** A window that counts its listeners. */
class FakeWindow {
  readonly listeners = new Map<string, Set<(event: unknown) => void>>();

  addEventListener(name: string, listener: (event: unknown) => void): void {
    this.of(name).add(listener);
  }

  removeEventListener(name: string, listener: (event: unknown) => void): void {
    this.of(name).delete(listener);
  }

  fire(name: string, event: unknown): void {
    for (const listener of [...this.of(name)]) listener(event);
  }

  of(name: string): Set<(event: unknown) => void> {
    const known = this.listeners.get(name) ?? new Set();
    this.listeners.set(name, known);
    return known;
  }
}

const ignore = (): void => undefined;
const listeners = {
  status: ignore,
  listEvents: ignore,
  history: ignore,
  inspectToken: ignore,
  metrics: ignore,
  explainAnew: ignore,
  runQuery: ignore,
  connections: ignore,
  serverGone: ignore,
  trusted: ignore,
  watchCaches: ignore,
};

let page: FakeWindow;
let rpc: PanelRpc;
const posted = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  page = new FakeWindow();
  vi.stubGlobal('window', page);
  vi.stubGlobal('requestAnimationFrame', () => 1);
  posted.mockReset();
  rpc = connectHost({ postMessage: posted, getState: ignore, setState: ignore }, listeners);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it('a page that goes rejects what is pending and listens no more', async () => {
  const pending = [rpc.call('namespaces', null), rpc.call('showLog', null)];
  expect(page.of('message').size).toBe(1);
  page.fire('pagehide', {});
  for (const call of [...pending, rpc.call('resources', null)]) {
    await expect(call).rejects.toMatchObject({ failure: { code: 'cancelled' } });
  }
  expect(page.of('message').size).toBe(0);
  expect(posted).toHaveBeenCalledTimes(2);
  expect(vi.getTimerCount()).toBe(0);
});

it('a late answer to the page before it is no answer to a page', async () => {
  vi.setSystemTime(1_900_000_000_000);
  const load = () =>
    connectHost({ postMessage: posted, getState: ignore, setState: ignore }, listeners);
  const before = load();
  const lost = before.call('namespaces', null);
  page.fire('pagehide', {});
  await expect(lost).rejects.toThrow();
  vi.advanceTimersByTime(1);
  const answer = load().call('namespaces', null);
  const [first, second] = posted.mock.calls.map(([message]) => (message as { id: number }).id);
  for (const [id, result] of [
    [first, ['late']],
    [second, ['mine']],
  ]) {
    page.fire('message', { data: { type: 'reply', id, result } });
  }
  expect(await answer).toEqual(['mine']);
  expect(Number.isSafeInteger(second)).toBe(true);
});

it('what waits for the person to be still is not asked of a page that goes', () => {
  const controller = new Controller(new Store(initialState()), rpc, ignore);
  controller.edit({ labelSelector: 'app=nginx' });
  controller.inspector.paste('eyJ2');
  expect(vi.getTimerCount()).toBe(2);
  controller.dispose();
  expect(vi.getTimerCount()).toBe(0);
  vi.runAllTimers();
  expect(posted).not.toHaveBeenCalled();
});
