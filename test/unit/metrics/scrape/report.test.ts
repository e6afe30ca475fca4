import { describe, expect, it } from 'vitest';
import type { Dialect } from '../../../../server/metrics/scrape/families';
import { reportJson } from '../../../../server/metrics/scrape/json';
import type { Scrape } from '../../../../server/metrics/scrape/model';
import { metricsReport, SORTS, type ReportOptions } from '../../../../server/metrics/scrape/report';
import { reportText } from '../../../../server/metrics/scrape/text';
import { DEPLOYMENTS, PODS, read, textOf, type Resource } from './texts';

const OPTIONS: ReportOptions = {
  sort: 'fetched',
  byServer: false,
  top: undefined,
  seconds: undefined,
};

const report = (scrapes: readonly Scrape[], options: Partial<ReportOptions> = {}) =>
  metricsReport(scrapes, [], { ...OPTIONS, ...options });

const style = { clean: (text: string) => text, bold: (text: string) => text };
const DIALECTS: readonly Dialect[] = ['resource', 'group', 'storage'];

describe('the three forms', () => {
  it.each(DIALECTS)('%s gives the same rows', (dialect) => {
    const { etcd, cache, servers } = report([read(textOf(dialect, [DEPLOYMENTS, PODS]))]);
    expect(servers.map((server) => server.dialect)).toEqual([dialect]);
    expect(etcd).toMatchObject([
      {
        resource: 'pods',
        lists: 20,
        fetched: 254_000,
        evaluated: 198_020,
        returned: 2000,
        requests: 140,
        requestSeconds: 7.5,
        verdict: 'spiral',
      },
      { resource: 'deployments.apps', lists: 4, requests: 4, verdict: 'fine' },
    ]);
    expect(cache).toEqual([]);
  });

  it('take the name that an article gives the time of requests', () => {
    const text = textOf('group', [PODS]).replaceAll('etcd_request_d', 'apiserver_etcd_request_d');
    expect(report([read(text)]).etcd).toMatchObject([{ requests: 140, requestSeconds: 7.5 }]);
  });

  it('count requests and no others: neither gets nor writes nor counts', () => {
    const more = ['get', 'create', 'listWithCount', 'listOnlyKeys', 'getCurrentResourceVersion']
      .map((op) => `etcd_requests_total{operation="${op}",group="",resource="pods"} 1000`)
      .concat('etcd_requests_total{operation="list",group="",resource="pods"} 100')
      .concat('etcd_requests_total{operation="listStream",group="",resource="pods"} 40')
      .concat('etcd_request_errors_total{operation="listStream",group="",resource="pods"} 7');
    const { etcd } = report([read(textOf('storage', [PODS], more.join('\n')))]);
    expect(etcd).toMatchObject([{ requests: 140, failedRequests: 7 }]);
    expect(etcd[0]?.words.meaning).toContain('5.0 % of the requests failed');
  });

  it('tell lists that were streamed', () => {
    const timed = (streamed: boolean, count: number) =>
      `apiserver_storage_list_duration_seconds_count{streamed="${streamed}",group="",resource="pods"} ${count}`;
    const text = textOf('storage', [PODS], [timed(true, 5), timed(false, 15)].join('\n'));
    expect(report([read(text)]).etcd).toMatchObject([{ streamed: 5, timedLists: 20 }]);
    expect(reportText(report([read(text)]), style)).toMatch(/STREAMED.*\n.* 25 % /);
  });
});

describe('the watch cache', () => {
  const served = [
    ...['total', 'fetched_objects_total', 'returned_objects_total', 'evaluated_objects_total'].map(
      (name, i) =>
        `apiserver_storage_list_${name}{group="",resource="pods",storage="watchcache",index=""} ${[8, 80_000, 8, 0][i] ?? 0}`,
    ),
    'apiserver_cache_list_total{group="",resource="pods",index=""} 8',
    'apiserver_cache_list_fetched_objects_total{group="",resource="pods",index=""} 80000',
    'apiserver_cache_list_returned_objects_total{group="",resource="pods"} 8',
  ];

  it('is never blamed on etcd, and 1.37 is not counted twice', () => {
    const { etcd, cache } = report([read(textOf('storage', [DEPLOYMENTS], served.join('\n')))]);
    expect(etcd.map(({ resource }) => resource)).toEqual(['deployments.apps']);
    expect(cache).toMatchObject([
      { resource: 'pods', lists: 8, fetched: 80_000, returned: 8, indexed: 0, verdict: 'filtered' },
    ]);
    expect(cache[0]?.words.meaning).toContain('and etcd nothing');
  });

  it('of older servers is told by its own names', () => {
    const old = [
      'apiserver_cache_list_total{resource_prefix="/pods",index=""} 3',
      'apiserver_cache_list_total{resource_prefix="/pods",index="f:spec.nodeName"} 9',
      'apiserver_cache_list_fetched_objects_total{resource_prefix="/pods",index=""} 30',
      'apiserver_cache_list_returned_objects_total{resource_prefix="/pods"} 30',
      'apiserver_watch_cache_consistent_read_total{resource="/pods",success="true",fallback="false"} 90',
      'apiserver_watch_cache_consistent_read_total{resource="/pods",success="true",fallback="true"} 8',
      'apiserver_watch_cache_consistent_read_total{resource="/pods",success="false",fallback="true"} 2',
    ];
    const { cache } = report([read(textOf('resource', [PODS], old.join('\n')))]);
    expect(cache).toMatchObject([
      {
        resource: '/pods',
        lists: 12,
        indexed: 9,
        consistent: 100,
        fellBack: 10,
        failed: 2,
        verdict: 'fallbacks',
      },
    ]);
    expect(cache[0]?.words.meaning).toContain('10 % of the consistent reads (10 of 100)');
  });
});

describe('verdicts', () => {
  const verdictOf = (of: Partial<Resource>, drop = /^$/) => {
    const text = textOf('storage', [{ ...PODS, ...of }]);
    const kept = text.split('\n').filter((line) => !drop.test(line));
    const [row] = report([read(kept.join('\n'))]).etcd;
    return [row?.verdict, row?.words.meaning];
  };

  it.each([
    [{}, 'spiral', '127 objects fetched for each one returned (254,000 : 2,000, 198,020 of them'],
    [{ requests: 20 }, 'scan', 'but in 1.0 requests a list'],
    [
      { returned: 0 },
      'spiral',
      '254,000 objects were fetched, 198,020 of them decoded and tested, and none returned',
    ],
    [{ fetched: 999 }, 'little', 'Only 999 objects were fetched'],
    [{ fetched: 8000, evaluated: 2000 }, 'overread', '4.0 objects for each one decoded'],
    [{ fetched: 2100, evaluated: 2000 }, 'fine', '1.1 objects fetched for each one returned'],
  ])('%j', (of, verdict, words) => {
    const [is, meaning] = verdictOf(of);
    expect(is).toBe(verdict);
    expect(meaning).toContain(words);
  });

  it('are none where something is missing', () => {
    expect(verdictOf({}, /returned/)).toEqual(['unknown', expect.stringContaining('is missing')]);
    expect(verdictOf({}, /storage_list/)).toEqual([
      'unknown',
      expect.stringContaining('its lists are not'),
    ]);
    expect(verdictOf({}, /etcd_request/)).toEqual([
      'scan',
      expect.stringContaining('cannot be told'),
    ]);
  });

  it('of events say that they have no watch cache', () => {
    const [row] = report([read(textOf('group', [{ ...PODS, resource: 'events' }]))]).etcd;
    expect(row?.words.advice[0]).toContain('Events have no watch cache');
  });
});

describe('rows', () => {
  const rows: readonly Resource[] = [
    { ...PODS, resource: 'a', fetched: 50_000, returned: 10, requests: 30, seconds: 9 },
    {
      ...PODS,
      resource: 'b',
      fetched: 60_000,
      returned: 6000,
      evaluated: 60_000,
      requests: 50,
      seconds: 1,
    },
    { ...PODS, resource: 'c', fetched: 20, returned: 0, requests: 40, seconds: 3 },
    { ...PODS, resource: 'd', fetched: 70_000, returned: 0, requests: 20, seconds: 2 },
  ];
  const order = (options: Partial<ReportOptions>) =>
    report([read(textOf('group', rows))], options)
      .etcd.map(({ resource }) => resource)
      .join('');

  it('stand in each order; what is too little to judge is last where ratios rank', () => {
    expect(SORTS.map((sort) => order({ sort }))).toEqual(['dabc', 'dabc', 'bcad', 'acdb']);
  });

  it('are cut where so many are asked for, and the rest is counted', () => {
    const cut = report([read(textOf('group', rows))], { top: 3 });
    expect([cut.etcd.length, cut.left]).toEqual([3, { etcd: 1, cache: 0 }]);
    expect(reportText(cut, style)).toContain('… 1 more');
  });

  it('of a cache that nothing happened to are neither told nor counted', () => {
    const lists = (resource: string, count: number): string =>
      `apiserver_storage_list_total{group="",resource="${resource}",storage="watchcache",index=""} ${count}\n`;
    const text = lists('pods', 5) + lists('nodes', 4) + lists('secrets', 0) + lists('jobs', 0);
    const cut = report([read(text)], { top: 1 });
    expect(cut.cache.map(({ resource }) => resource)).toEqual(['pods']);
    expect(cut.left).toEqual({ etcd: 0, cache: 1 });
  });

  it('of several servers are added up, or stand for each', () => {
    const scrapes = [read(textOf('storage', [PODS]), 'a'), read(textOf('storage', [PODS]), 'b')];
    expect(report(scrapes).etcd).toMatchObject([{ server: '', lists: 40, fetched: 508_000 }]);
    expect(report(scrapes, { byServer: true }).etcd).toMatchObject([
      { server: 'a', lists: 20 },
      { server: 'b', lists: 20 },
    ]);
  });

  it('of one server that stands there twice count once', () => {
    const started = (lists: number) =>
      read(
        textOf('storage', [{ ...PODS, lists }], 'process_start_time_seconds 1.7e9'),
        `at ${lists}`,
      );
    for (const scrapes of [
      [started(20), started(25)],
      [started(25), started(20)],
    ]) {
      const { etcd, notes } = report(scrapes);
      expect(etcd).toMatchObject([{ lists: 25 }]);
      expect(notes).toEqual([expect.stringContaining('at 25 is the later of the two')]);
    }
  });
});

describe('names out of a scrape', () => {
  it('are shown as they may be', () => {
    const text = textOf('group', [{ ...PODS, resource: '\x1b[2Jpods' }]);
    const shown = reportText(report([read(text)]), {
      ...style,
      clean: (name) => name.replace('\x1b', '?'),
    });
    expect(shown).toContain('?[2Jpods');
    expect(shown).not.toContain('\x1b');
  });

  it('are JSON in JSON, with null for what is no number', () => {
    const text = textOf('group', [{ ...PODS, returned: 0 }]);
    const document = JSON.parse(reportJson(report([read(text)]))) as Record<string, unknown>;
    expect(document).toMatchObject({
      span: 'total',
      seconds: null,
      samples: { kept: 6, others: 3 },
      etcd: [
        { resource: 'pods', fetchedPerReturned: null, requestsPerList: 7, streamedLists: null },
      ],
      watchCache: [],
    });
  });
});
