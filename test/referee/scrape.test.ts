/** Upstream's own `/metrics`, read as a person would have it read, beside what upstream did. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { EtcdRow } from '../../server/metrics/scrape/report';
import { metricsReport } from '../../server/metrics/scrape/report';
import { ScrapeReader } from '../../server/metrics/scrape/reader';
import { etcdMissing } from '../support/etcdServer';
import { Court } from './court';
import { tell } from './enough';
import { oracleMissing, type Change, type ListAnswer, type ListAsk } from './oracle';

const ask = (more: Partial<ListAsk>): ListAsk => ({
  root: 'scraped',
  resourcePrefix: '/pods',
  stream: false,
  aggregate: false,
  forget: false,
  key: '/pods',
  recursive: true,
  resourceVersion: '',
  match: '',
  limit: '0',
  labelSelector: '',
  fieldSelector: '',
  continue: '',
  brief: true,
  disturb: 0,
  changes: [],
  compact: false,
  ...more,
});

const PODS = 2000;

const pod = (i: number): Change => ({
  key: Buffer.from(`/scraped/pods/web/pod-${String(i).padStart(5, '0')}`).toString('base64'),
  pod: {
    namespace: 'web',
    name: `pod-${String(i).padStart(5, '0')}`,
    labels: [['app', i % 100 === 99 ? 'rare' : 'often']],
  },
});

/** Lists with every cost that there is: doubling pages, full pages, streams, one key, nothing found. */
const LISTS: readonly Partial<ListAsk>[] = [
  { labelSelector: 'app=rare', limit: '10' },
  { labelSelector: 'app=rare', limit: '5' },
  { labelSelector: 'app=none', limit: '100' },
  { labelSelector: 'app=rare' },
  { limit: '300' },
  {},
  { stream: true },
  { stream: true, labelSelector: 'app=rare' },
  { stream: true, labelSelector: 'app=rare', limit: '3' },
  { key: '/pods/web/pod-00007', recursive: false },
];

function read(text: string) {
  const reader = new ScrapeReader('oracle');
  reader.push(text);
  const scrape = reader.end();
  const options = { sort: 'fetched', byServer: false, top: undefined, seconds: undefined } as const;
  return { scrape, report: metricsReport([scrape], [], options) };
}

/** What upstream's store counted, added up from the engine's lines of the same lists. */
function sum(lines: readonly string[], name: string): number {
  return lines
    .filter((line) => line.startsWith(`${name}{`))
    .reduce((total, line) => total + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}

const readsOfLists = ({ requests }: ListAnswer): number => requests.length;

describe.skipIf(oracleMissing() || etcdMissing('3.7'))('upstream’s metrics', () => {
  let court: Court;
  beforeAll(async () => {
    court = await Court.open('3.7');
    const close = (): Promise<void> => court.close();
    const pods = Array.from({ length: PODS }, (_, i) => pod(i));
    await court.oracle.apply(pods).catch(async (error: unknown) => {
      await close();
      throw error;
    });
    return close;
  });

  it('of many lists are read as what they did', async (context) => {
    const answers: ListAnswer[] = [];
    const lines: string[] = [];
    for (const [i, list] of LISTS.entries()) {
      answers.push(await court.oracle.list(ask({ ...list, keep: i > 0 })));
      lines.push(...(await court.engine.list(ask(list))).outcome.metrics);
    }
    const { scrape, report } = read(await court.oracle.scrape());
    expect([scrape.faultCount, scrape.openEnd, report.cache]).toEqual([0, undefined, []]);
    expect(report.servers).toMatchObject([{ dialect: 'storage', name: 'oracle' }]);
    expect(report.servers[0]?.startedAt).toBeGreaterThan(1.7e9);
    const single = 1;
    expect(report.etcd).toEqual([
      expect.objectContaining({
        resource: 'pods',
        lists: LISTS.length,
        returned: answers.reduce((total, { items }) => total + items.length, 0),
        requests: answers.reduce((total, answer) => total + readsOfLists(answer), 0) - single,
        fetched: sum(lines, 'apiserver_storage_list_fetched_objects_total'),
        evaluated: sum(lines, 'apiserver_storage_list_evaluated_objects_total'),
        streamed: 2,
        timedLists: LISTS.length,
      } satisfies Partial<EtcdRow>),
    ]);
    tell(context, 'lists read back from metrics', LISTS.length);
  });

  it('of a spiral are one, and of whole reads are none', async () => {
    const verdictOf = async (list: Partial<ListAsk>) => {
      for (let i = 0; i < 3; i++) await court.oracle.list(ask({ ...list, keep: i > 0 }));
      return read(await court.oracle.scrape()).report.etcd[0]?.verdict;
    };
    expect(await verdictOf({ labelSelector: 'app=rare', limit: '10' })).toBe('spiral');
    expect(await verdictOf({ labelSelector: 'app=rare' })).toBe('scan');
    expect(await verdictOf({ stream: true, labelSelector: 'app=rare' })).toBe('scan');
    expect(await verdictOf({})).toBe('fine');
  });

  it('between two scrapes tell what came in between', async () => {
    const list = ask({ labelSelector: 'app=rare', limit: '10' });
    await court.oracle.list(list);
    const before = read(await court.oracle.scrape()).scrape;
    const { items } = await court.oracle.list({ ...list, keep: true });
    const after = read(await court.oracle.scrape()).scrape;
    const options = { sort: 'fetched', byServer: false, top: undefined, seconds: 10 } as const;
    const { etcd, notes } = metricsReport([after], [before], options);
    expect(etcd).toMatchObject([{ lists: 1, returned: items.length }]);
    expect(notes).toEqual([]);
    expect(() => metricsReport([before], [after], options)).toThrow('change their places');
  });

  it('of the watch cache stand apart from those of etcd', async () => {
    const cached = ask({ cached: true, labelSelector: 'app=rare' });
    await court.oracle.list(cached);
    await court.oracle.list({ ...cached, keep: true });
    await court.oracle.list({ ...cached, resourceVersion: '0', keep: true });
    const { etcd, cache } = read(await court.oracle.scrape()).report;
    expect(etcd).toEqual([]);
    expect(cache).toMatchObject([
      {
        resource: 'pods',
        lists: 3,
        fetched: 3 * PODS,
        returned: (3 * PODS) / 100,
        consistent: 2,
        fellBack: 0,
        failed: 0,
        verdict: 'filtered',
      },
    ]);
  });
});
