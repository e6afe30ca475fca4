/**
 * What upstream's own metrics packages of older releases print, after a program of ours had told them of
 * these lists: 240 of pods in 7 requests each (12,700 fetched, 9,901 tested, 100 returned), 31 of
 * deployments, 640 of events; 590 of pods and 90 of services out of the watch cache; 500 consistent
 * reads, 19 of them passed on and 1 failed. The newest release is asked by the referee. Descriptions of
 * the metrics, and those of no interest, are left out of the files.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { metricsReport } from '../../../../server/metrics/scrape/report';
import { read } from './texts';

const textOf = (release: string): string =>
  readFileSync(join(import.meta.dirname, 'upstream', `${release}.txt`), 'utf8');

const options = { sort: 'requests', byServer: false, top: undefined, seconds: undefined } as const;

describe.each([
  ['0.33.6', 'resource', '/pods', '/services/specs'],
  ['0.36.0', 'group', 'pods', 'services'],
])('upstream %s', (release, dialect, pods, services) => {
  const scrape = read(textOf(release), release);
  const { etcd, cache, servers } = metricsReport([scrape], [], options);

  it('is read without a fault, in its form', () => {
    expect([scrape.faultCount, scrape.openEnd]).toEqual([0, undefined]);
    expect(servers.map((server) => server.dialect)).toEqual([dialect]);
    expect(servers[0]?.startedAt).toBeGreaterThan(1.7e9);
  });

  it('tells of lists from etcd what it was told', () => {
    expect(etcd).toMatchObject([
      {
        resource: 'pods',
        lists: 240,
        fetched: 3_048_000,
        evaluated: 2_376_240,
        returned: 24_000,
        requests: 1680,
        failedRequests: 1,
        decodeErrors: 1,
        streamed: undefined,
        verdict: 'spiral',
      },
      { resource: 'events', lists: 640, fetched: 1_920_000, returned: 3840, verdict: 'scan' },
      { resource: 'deployments.apps', lists: 31, requests: 31, verdict: 'fine' },
    ]);
    const [seconds = 0] = etcd.map(({ requestSeconds }) => requestSeconds);
    expect(seconds).toBeGreaterThan(1680 * 0.055);
    expect(seconds).toBeLessThan(1680 * 0.055 + 1);
  });

  it('tells of the watch cache what it was told', () => {
    expect(cache).toMatchObject([
      {
        resource: pods,
        lists: 590,
        fetched: 10_009_900,
        returned: 5_009_900,
        indexed: 90,
        consistent: 500,
        fellBack: 19,
        failed: 1,
        verdict: 'fallbacks',
      },
      { resource: services, lists: 90, fetched: 4500, returned: 4500, verdict: 'fine' },
    ]);
  });
});
