/** Every state of the page, and how a person comes to it. */
import { RpcError } from '../../../server/protocol/rpc';
import type { OpenOptions, Panel } from './browser';
import * as data from './data';
import type { ScriptedHost } from './host';

export interface PageState extends OpenOptions {
  readonly name: string;
  readonly reach: (panel: Panel) => Promise<void>;
}

const finished = (panel: Panel) =>
  panel.page.locator('.rows-text', { hasText: 'more follow' }).waitFor();

async function runToEnd(panel: Panel): Promise<void> {
  await panel.textbox('labels').fill('app=nginx');
  // Said once the person has been still for a moment; a run does not wait for it.
  await panel.page.getByText('1 requirement').waitFor();
  await panel.run();
  await finished(panel);
}

async function failed(panel: Panel): Promise<void> {
  await panel.run();
  await panel.page.locator('.failure:not([hidden])').waitFor();
}

const countForever = (host: ScriptedHost): void => {
  host.openEnded.add('measure');
  host.handlers.measure = () => new Promise(() => undefined);
};

async function count(panel: Panel): Promise<void> {
  await panel.textbox('limit').fill('');
  await panel.run();
  await panel.page.getByText('counting…').first().waitFor();
}

const none = (): Promise<void> => Promise.resolve();

const openExplain = async (panel: Panel): Promise<void> => {
  await panel.tab('Explain').click();
  await panel.page.getByText('Most likely: From the watch cache').first().waitFor();
};

const measured = async (panel: Panel): Promise<void> => {
  await openExplain(panel);
  await panel.button('Measure').click();
  await panel.page.getByText('50,000 keys of about').waitFor();
};

export const states: readonly PageState[] = [
  {
    name: 'not-connected',
    prepare: (host) => {
      host.start = data.start({ state: 'disconnected' });
    },
    reach: none,
  },
  {
    name: 'connecting',
    prepare: (host) => {
      host.start = data.start({ state: 'connecting', name: 'prod' });
    },
    reach: none,
  },
  {
    name: 'connecting-failed',
    prepare: (host) => {
      const sentence =
        'Nothing answers at https://10.0.0.1:2379: connection refused. Check the endpoint.';
      host.start = data.start({ state: 'disconnected', failure: { code: 'etcd', sentence } });
    },
    reach: none,
  },
  {
    name: 'untrusted',
    prepare: (host) => {
      host.start = { ...data.start({ state: 'disconnected' }), trusted: false };
    },
    reach: none,
  },
  {
    name: 'interrupted',
    prepare: (host) => {
      host.start = { ...data.start(), interrupted: true, history: data.history };
    },
    reach: (panel) => panel.page.getByText('The panel was loaded anew').first().waitFor(),
  },
  {
    name: 'metrics',
    reach: async (panel) => {
      panel.host.notify('metrics', data.metrics);
      await panel.page.getByRole('tab', { name: 'Metrics' }).waitFor();
    },
  },
  { name: 'ready', reach: (panel) => panel.button('List pods').waitFor() },
  {
    name: 'connection-menu',
    reach: async (panel) => {
      await panel.page.getByRole('button', { name: /^Connection/ }).click();
    },
  },
  {
    name: 'resource-suggestions',
    reach: async (panel) => {
      await panel.page.getByRole('combobox', { name: 'resource', exact: true }).click();
      await panel.page.keyboard.press('ArrowDown');
      await panel.page.getByRole('option', { name: /pods/ }).waitFor();
    },
  },
  {
    name: 'problem',
    reach: async (panel) => {
      await panel.textbox('labels').fill('app=nginx,tier in (web');
      await panel.page.locator('.problems li').first().waitFor();
    },
  },
  {
    name: 'more',
    reach: async (panel) => {
      await panel.button('More').click();
      await panel.textbox('continue token').waitFor();
    },
  },
  {
    name: 'watch-cache',
    prepare: (host) => {
      host.start = { ...data.start(), watchCaches: [data.watchCache()] };
      host.list = data.fromCache;
    },
    reach: async (panel) => {
      await panel.button('More').click();
      await panel.textbox('resourceVersion').fill('0');
      await panel.page.getByRole('combobox', { name: 'serve from' }).click();
      await panel.page.getByRole('option', { name: 'watch cache' }).click();
      await panel.run();
      await panel.page.getByText('served from the watch cache').waitFor();
    },
  },
  {
    name: 'watch-cache-ended',
    prepare: (host) => {
      const failure = 'Too large for its limit: the watch cache stopped.';
      const filling = { resource: 'nodes', state: 'filling', revision: '0' } as const;
      const watchCaches = [
        data.watchCache({ state: 'stopped', failure }),
        data.watchCache(filling),
      ];
      host.start = { ...data.start(), watchCaches };
    },
    reach: (panel) => panel.button('Dismiss cache of pods').waitFor(),
  },
  {
    name: 'running',
    prepare: (host) => {
      host.list = data.untilStopped;
    },
    reach: async (panel) => {
      await panel.run();
      await panel.page.locator('.rows-text', { hasText: '15 rows so far' }).waitFor();
    },
  },
  {
    name: 'stopped',
    prepare: (host) => {
      host.list = data.untilStopped;
    },
    reach: async (panel) => {
      await panel.run();
      await panel.page.locator('.rows-text', { hasText: '15 rows so far' }).waitFor();
      await panel.button('Stop').click();
      await panel.page.getByText('not complete').waitFor();
    },
  },
  {
    name: 'stopping',
    prepare: (host) => {
      // Its answer does not come.
      host.list = (params, emit) => data.untilStopped(params, emit, new Promise(() => undefined));
    },
    reach: async (panel) => {
      await panel.run();
      await panel.page.locator('.rows-text', { hasText: '15 rows so far' }).waitFor();
      await panel.button('Stop').click();
      await panel.page.locator('.cost', { hasText: 'stopping' }).waitFor();
    },
  },
  {
    name: 'lost-updates',
    prepare: (host) => {
      host.list = (_, emit) => {
        data.pageEvents().forEach((body, index) => {
          emit(body, index < 6 ? index : index + 2);
        });
        return Promise.resolve(data.done());
      };
    },
    reach: async (panel) => {
      await finishedRun(panel);
      await panel.page.getByText('did not arrive').waitFor();
    },
  },
  {
    name: 'filter-without-match',
    reach: async (panel) => {
      await runToEnd(panel);
      await panel.textbox('filter').fill('no such row');
      await panel.page.getByText('No row matches the filter.').waitFor();
    },
  },
  { name: 'counting', prepare: countForever, reach: count },
  {
    name: 'counting-again',
    prepare: countForever,
    reach: async (panel) => {
      await runToEnd(panel);
      await count(panel);
    },
  },
  { name: 'done', reach: runToEnd },
  {
    name: 'row-active',
    reach: async (panel) => {
      await runToEnd(panel);
      await panel.page.getByRole('grid').focus();
      for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight'])
        await panel.page.keyboard.press(key);
    },
  },
  {
    name: 'export-menu',
    reach: async (panel) => {
      await runToEnd(panel);
      await panel.button('Export').click();
    },
  },
  {
    name: 'round-trips',
    reach: async (panel) => {
      await runToEnd(panel);
      await panel.tab('Round trips').click();
    },
  },
  {
    name: 'many-round-trips',
    prepare: (host) => {
      host.list = (_, emit) => {
        for (let n = 1; n <= 2000; n++) {
          const limit = Math.min(500 * 2 ** Math.floor(n / 100), 10_000);
          const matched = (n * 7919) % 97 === 0 ? limit / 2 : (n * 31) % 60;
          emit({
            kind: 'request',
            request: data.request(n, { limit, keys: limit, matched }),
            done: true,
          });
        }
        emit({ kind: 'rows', rows: data.rows(0, 10_000) });
        const fetched = 17_300_000;
        const all = { requests: 2000, fetched, evaluated: fetched, returned: 10_000 };
        return Promise.resolve(data.done({ total: data.total(all) }));
      };
    },
    reach: finishedRun,
  },
  {
    name: 'nothing-matched',
    prepare: (host) => {
      host.list = (_, emit) => {
        emit({ kind: 'request', request: data.request(1, { matched: 0 }), done: true });
        const all = { requests: 1, fetched: 100, evaluated: 100, returned: 0, continue: '' };
        return Promise.resolve(data.done({ total: data.total(all) }));
      };
    },
    reach: async (panel) => {
      await panel.run();
      await panel.page.getByText('Nothing matched').waitFor();
    },
  },
  {
    name: 'expired',
    prepare: (host) => {
      host.list = data.failing(data.expired);
    },
    reach: failed,
  },
  {
    name: 'later-snapshot',
    prepare: (host) => {
      host.list = data.failing(data.expired);
    },
    reach: async (panel) => {
      await failed(panel);
      panel.host.list = (_, emit) => {
        emit({ kind: 'request', request: data.request(1, { matched: 40 }), done: true });
        emit({ kind: 'rows', rows: data.rows(5000, 40) });
        const part = { requests: 1, fetched: 100, examined: 100, evaluated: 100, returned: 40 };
        const rest = { ...part, naiveRequests: 1, durationMs: 4.2, resourceVersion: '90117' };
        return Promise.resolve(data.done({ total: data.total(rest) }));
      };
      await panel.button('Continue at the latest revision (inconsistent)').click();
      await finished(panel);
    },
  },
  {
    name: 'unreadable',
    prepare: (host) => {
      host.list = data.failing({
        code: 'unreadable',
        status: 500,
        sentence:
          'The object at /registry/pods/web/broken cannot be read: its value is not Kubernetes protobuf.',
        key: '/registry/pods/web/broken',
      });
    },
    reach: failed,
  },
  {
    name: 'over-budget',
    prepare: (host) => {
      host.list = data.failing(data.overBudget);
    },
    reach: failed,
  },
  {
    name: 'stream-unsupported',
    prepare: (host) => {
      host.list = data.failing(data.streamUnsupported, 0);
    },
    reach: failed,
  },
  {
    name: 'left-out',
    prepare: (host) => {
      host.list = (_, emit) => {
        emit({ kind: 'notice', text: 'This etcd has no RangeStream; the list was read by pages.' });
        for (const body of data.pageEvents()) emit(body);
        const unreadable = [
          { key: '/registry/pods/web/broken', reason: 'its value is not Kubernetes protobuf' },
        ];
        return Promise.resolve(data.done({ unreadable }));
      };
    },
    reach: finishedRun,
  },
  {
    name: 'server-gone',
    reach: async (panel) => {
      await runToEnd(panel);
      panel.host.notify('serverGone', { recovered: false });
      await panel.page.locator('.banner').waitFor();
    },
  },
  {
    name: 'server-recovered',
    reach: async (panel) => {
      await runToEnd(panel);
      panel.host.notify('serverGone', { recovered: false });
      panel.host.notify('serverGone', { recovered: true });
      await panel.button('Rerun').waitFor();
    },
  },
  {
    name: 'trouble',
    reach: async (panel) => {
      await runToEnd(panel);
      panel.host.handlers.openObject = () =>
        Promise.reject(new RpcError({ code: 'etcd', sentence: 'The object was deleted since.' }));
      await panel.page.getByRole('grid').focus();
      await panel.page.keyboard.press('Enter');
      await panel.page.locator('.banner').waitFor();
    },
  },
  {
    name: 'history',
    prepare: (host) => {
      host.start = { ...data.start(), history: data.history };
    },
    reach: async (panel) => {
      await panel.button('History').click();
      await panel.page.getByRole('menuitem').first().click();
      await panel.page.getByText('from the history').waitFor();
    },
  },
  { name: 'token-empty', reach: (panel) => panel.tab('Token').click() },
  {
    name: 'token-accepted',
    reach: async (panel) => {
      await panel.tab('Token').click();
      await panel.textbox('Continue token').fill('eyJ2IjoibWV0YS5r');
      await panel.page.locator('.verdict.ok').waitFor();
    },
  },
  {
    name: 'token-refused',
    reach: async (panel) => {
      panel.host.notify('inspectToken', { text: '..' });
      await panel.page.locator('.verdict.refused').waitFor();
    },
  },
  {
    name: 'token-failed',
    reach: async (panel) => {
      const sentence = 'The language server did not answer in time.';
      panel.host.handlers.decodeToken = () =>
        Promise.reject(new RpcError({ code: 'timeout', sentence }));
      await panel.tab('Token').click();
      await panel.textbox('Continue token').fill('eyJ2IjoibWV0YS5r');
      await panel.page.locator('.token-tab .failure-sentence:not([hidden])').waitFor();
    },
  },
  {
    name: 'explain',
    prepare: (host) => {
      host.start = data.start({ state: 'disconnected' });
    },
    reach: openExplain,
  },
  { name: 'explain-measured', reach: measured },
  {
    name: 'explain-measuring',
    prepare: (host) => {
      host.openEnded.add('explain');
      const { explain } = host.handlers;
      host.handlers.explain = (params) =>
        params.measure ? new Promise(() => undefined) : explain(params);
    },
    reach: async (panel) => {
      await openExplain(panel);
      await panel.button('Measure').click();
      await panel.page.getByText('Measuring…').waitFor();
    },
  },
  {
    name: 'explain-held',
    reach: async (panel) => {
      await runToEnd(panel);
      await measured(panel);
      await panel.page.getByText('Estimate against the receipt').waitFor();
    },
  },
  {
    name: 'explain-failed',
    prepare: (host) => {
      const { explain } = host.handlers;
      const sentence = 'etcd did not answer within 60 s.';
      host.handlers.explain = (params) =>
        params.measure ? Promise.reject(new RpcError({ code: 'etcd', sentence })) : explain(params);
    },
    reach: async (panel) => {
      await openExplain(panel);
      await panel.button('Measure').click();
      await panel.page.getByText('etcd did not answer').waitFor();
    },
  },
  {
    name: 'split',
    width: 463,
    height: 800,
    reach: async (panel) => {
      await panel.button('More').click();
      await runToEnd(panel);
    },
  },
  { name: 'narrow', width: 400, height: 720, reach: runToEnd },
  // What 200 % zoom leaves of a window of 1100 × 720.
  { name: 'zoomed', width: 550, height: 360, reach: runToEnd },
];

async function finishedRun(panel: Panel): Promise<void> {
  await panel.run();
  await finished(panel);
}
