/** Puts the page together: state, requests to the host, and the views. */
import type { Listeners } from '../server/protocol/rpc';
import { Controller } from './controller';
import { h, setHidden } from './dom';
import { FocusKeeper } from './focus';
import { connectHost, readSaved, type PanelContract, type VsCodeApi } from './host';
import { isRunning } from './run';
import { initialState, savedState } from './state';
import { Store } from './store';
import { bannerView } from './views/banner';
import { Chart } from './views/chart';
import { emptyView } from './views/empty';
import { ExplainTab } from './views/explainTab';
import { footerView } from './views/footer';
import { Grid } from './views/grid';
import { liveRegion } from './views/live';
import { hasMetrics, MetricsTab } from './views/metricsTab';
import { QueryBar } from './views/queryBar';
import { tabsView } from './views/tabs';
import { TokenTab } from './views/tokenTab';
import { totalsView } from './views/totals';
import { tripsTableView } from './views/tripsTable';
import type { View } from './views/view';
import { watchCachesView } from './views/watchCaches';

function listeners(store: Store, controller: () => Controller): Listeners<PanelContract> {
  return {
    status: (status) => {
      store.dispatch({ type: 'status', status });
    },
    listEvents: (events) => {
      store.dispatch({ type: 'events', events });
      controller().taken(events);
    },
    watchCaches: (watchCaches) => {
      store.dispatch({ type: 'watchCaches', watchCaches });
    },
    history: (history) => {
      store.dispatch({ type: 'history', history });
    },
    inspectToken: ({ text }) => {
      controller().inspector.inspect(text);
    },
    runQuery: ({ query, follow }) => {
      controller().runGiven(query, follow);
    },
    explainAnew: () => {
      controller().explainer.again();
    },
    metrics: (read) => {
      store.dispatch({ type: 'metrics', read });
    },
    connections: (connections) => {
      store.dispatch({ type: 'connections', connections });
    },
    serverGone: ({ recovered, failure }) => {
      store.dispatch({ type: 'server', recovered, ...(failure && { failure }) });
    },
    trusted: (trusted) => {
      store.dispatch({ type: 'trusted', trusted });
    },
  };
}

/** The rows with the empty state that stands for them before the first run. */
function rowsPart(empty: View, grid: Grid): View {
  return {
    element: h('div', { class: 'rows-part' }, empty.element, grid.element),
    update(state, previous) {
      empty.update(state, previous);
      grid.update(state);
    },
  };
}

export function startPage(api: VsCodeApi, root: HTMLElement): void {
  const store = new Store(initialState(readSaved(api)));
  const rpc = connectHost(
    api,
    listeners(store, () => controller),
  );
  const controller: Controller = new Controller(store, rpc, (check) => {
    store.show();
    queryBar.focusProblem(check);
  });
  const queryBar = new QueryBar(controller);
  const grid = new Grid(controller);
  const tabs = tabsView(controller, [
    { tab: 'rows', title: 'Rows', view: rowsPart(emptyView(controller), grid) },
    { tab: 'roundTrips', title: 'Round trips', view: tripsTableView() },
    { tab: 'token', title: 'Token', view: new TokenTab(controller) },
    { tab: 'explain', title: 'Explain', view: new ExplainTab(controller) },
    { tab: 'metrics', title: 'Metrics', view: new MetricsTab(controller), isThere: hasMetrics },
  ]);
  const views = [
    queryBar,
    bannerView(controller),
    watchCachesView(controller),
    totalsView(controller),
    new Chart(),
    tabs,
    footerView(controller, () => grid.shownRows()),
    liveRegion(),
  ];
  root.replaceChildren(
    h('h1', { class: 'heard' }, 'etcd LIST Explorer'),
    ...views.map(({ element }) => element),
  );
  const focus = new FocusKeeper(queryBar.focusStops);
  store.subscribe((state, previous) => {
    const held = document.activeElement;
    setHidden(root, !state.ready);
    for (const view of views) view.update(state, previous);
    focus.afterChange(held, isRunning(state.run) || state.counting);
    const saved = [state.query, state.tab, state.token.text];
    const before = previous && [previous.query, previous.tab, previous.token.text];
    if (saved.some((value, index) => value !== before?.[index])) api.setState(savedState(state));
  });
  window.addEventListener(
    'pagehide',
    () => {
      controller.dispose();
    },
    { once: true },
  );
  void controller.start();
}
