import { describe, expect, it } from 'vitest';
import { metricsReport } from '../../../../server/metrics/scrape/report';
import type { Scrape } from '../../../../server/metrics/scrape/model';
import { reportText } from '../../../../server/metrics/scrape/text';
import { DEPLOYMENTS, PODS, read, textOf } from './texts';

const STARTED = 1_700_000_000;

interface At {
  readonly times: number;
  readonly started?: number;
  readonly at?: number;
  readonly instance?: string;
  readonly name?: string;
}

/** PODS so many times over, by a server that says when it started, and at what time. */
function at({ times, started = STARTED, at: time, instance, name = 'a' }: At): Scrape {
  const pods = {
    ...PODS,
    lists: PODS.lists * times,
    fetched: PODS.fetched * times,
    evaluated: PODS.evaluated * times,
    returned: PODS.returned * times,
    requests: PODS.requests * times,
    seconds: PODS.seconds * times,
  };
  const text = textOf('storage', [pods, DEPLOYMENTS], `process_start_time_seconds ${started}`);
  const labelled =
    instance === undefined
      ? text
      : text
          .replace(/\{/g, `{instance="${instance}",`)
          .replace('seconds 17', `seconds{instance="${instance}"} 17`);
  const timed = time === undefined ? labelled : labelled.replace(/^([^#\n].*)$/gm, `$1 ${time}`);
  return read(timed, name);
}

function between(newer: readonly Scrape[], older: readonly Scrape[], seconds?: number) {
  return metricsReport(newer, older, { sort: 'fetched', byServer: false, top: undefined, seconds });
}

describe('two scrapes', () => {
  it('tell what came in between; what did not move is not told', () => {
    const { etcd, span, seconds, notes } = between([at({ times: 3 })], [at({ times: 1 })]);
    expect(etcd).toMatchObject([{ resource: 'pods', lists: 40, fetched: 508_000 }]);
    expect(etcd).toHaveLength(1);
    expect([span, seconds, notes]).toEqual(['between', undefined, []]);
  });

  it('give rates by their times, or by the interval that is given', () => {
    const timed = between(
      [at({ times: 2, at: 1700000060000 })],
      [at({ times: 1, at: 1700000000000 })],
    );
    expect(timed.seconds).toBe(60);
    const style = { clean: (text: string) => text, bold: (text: string) => text };
    expect(reportText(timed, style)).toMatch(
      /LISTS\/S.*FETCHED\/S.*\npods +20 +0\.333 +254,000 +4,233 /,
    );
    const given = between([at({ times: 2 })], [at({ times: 1 })], 10);
    expect([given.seconds, given.notes]).toEqual([10, []]);
  });

  it('say where the interval that is given is not that of their times', () => {
    const { notes, seconds } = between(
      [at({ times: 2, at: 1700000060000 })],
      [at({ times: 1, at: 1700000000000 })],
      600,
    );
    expect(seconds).toBe(600);
    expect(notes).toEqual([expect.stringContaining('60 s apart, and not 600 s')]);
  });

  it('of a server before and after an upgrade are compared', () => {
    const older = read(textOf('resource', [PODS]));
    const newer = read(textOf('storage', [{ ...PODS, lists: 25, fetched: 254_100 }]));
    expect(between([newer], [older]).etcd).toMatchObject([{ lists: 5, fetched: 100 }]);
  });
});

describe('a server that started anew', () => {
  it('counts from its start', () => {
    const older = at({ times: 5 });
    const newer = at({ times: 1, started: STARTED + 100 });
    const { etcd, notes } = between([newer], [older]);
    expect(etcd).toMatchObject([{ resource: 'pods', lists: 20 }, { resource: 'deployments.apps' }]);
    expect(notes).toEqual([
      expect.stringContaining('a started anew between the scrapes (6 of its'),
    ]);
  });

  it('is one of several: the others are compared', () => {
    const older = [at({ times: 5, instance: 'x' }), at({ times: 5, instance: 'y' })];
    const newer = [
      at({ times: 6, instance: 'y' }),
      at({ times: 1, instance: 'x', started: STARTED + 9 }),
    ];
    const { etcd, notes } = between(newer, older);
    expect(etcd[0]).toMatchObject({ lists: 40 });
    expect(notes).toEqual([expect.stringContaining('x started anew')]);
  });
});

describe('servers that were started together', () => {
  it('are paired by the nearest start, in whatever order they stand', () => {
    const [first, second] = [STARTED, STARTED + 1.5];
    const older = [
      at({ times: 50, started: second, name: 'b' }),
      at({ times: 1, started: first, name: 'a' }),
    ];
    // The time of a start may be told a little later or earlier each time.
    const newer = [
      at({ times: 2, started: first + 0.7, name: 'a, later' }),
      at({ times: 51, started: second - 0.1, name: 'b, later' }),
    ];
    for (const given of [newer, [...newer].reverse()]) {
      const { etcd, notes } = between(given, older);
      expect([etcd[0]?.lists, notes]).toEqual([2 * PODS.lists, []]);
    }
  });
});

describe('what does not fit together', () => {
  it('is refused when the older one is given as the newer', () => {
    expect(() => between([at({ times: 1 })], [at({ times: 2, name: 'b' })])).toThrow(
      'a is older than b, which is given as the older one: change their places',
    );
    expect(() =>
      between([at({ times: 9, started: STARTED - 5000 })], [at({ times: 1, name: 'b' })]),
    ).not.toThrow();
    expect(() =>
      between([at({ times: 1, started: STARTED - 5000 })], [at({ times: 2, name: 'b' })]),
    ).toThrow('a is older than b');
  });

  it('is refused where neither start nor time tells a restart from the wrong order', () => {
    const bare = (times: number) => read(textOf('group', [{ ...PODS, lists: times }]));
    expect(() => between([bare(3)], [bare(4)])).toThrow(
      'either they are the wrong way round, or the server started anew',
    );
  });

  it('is refused where nothing tells which server is which', () => {
    const one = [at({ times: 1 })];
    const two = [
      at({ times: 2, started: STARTED + 50, name: 'b' }),
      at({ times: 2, started: STARTED + 90, name: 'c' }),
    ];
    expect(() => between(two, one)).toThrow(
      'the older scrape has 1 server and the newer 2 servers',
    );
  });

  it('is said of a server that one of them lacks', () => {
    const older = [at({ times: 1, instance: 'x' }), at({ times: 1, instance: 'z' })];
    const newer = [at({ times: 2, instance: 'x' })];
    const { etcd, notes } = between(newer, older);
    expect(etcd).toMatchObject([{ lists: 20 }]);
    expect(notes).toEqual(['z is left out: the newer scrape has it not.']);
  });
});

describe('a clock that was set', () => {
  it('takes the rate, and not the counts', () => {
    const { seconds, notes, etcd } = between(
      [at({ times: 2, at: 1_699_990_000_000 })],
      [at({ times: 1, at: 1_700_000_000_000 })],
    );
    expect(seconds).toBeUndefined();
    expect(notes).toEqual([expect.stringContaining('a clock was set, and no rate is told')]);
    expect(etcd).toMatchObject([{ lists: 20 }]);
  });

  it('moves the start of a process that ran on', () => {
    const { etcd, notes } = between(
      [at({ times: 2, started: STARTED + 3600 })],
      [at({ times: 1 })],
    );
    expect(etcd).toMatchObject([{ lists: 20 }]);
    expect(notes).toEqual([expect.stringContaining('its clock was set, or it started anew')]);
  });

  it('or the scrapes are the wrong way round, where the newer process started earlier', () => {
    const { etcd, notes } = between(
      [at({ times: 2, started: STARTED - 3600 })],
      [at({ times: 1 })],
    );
    expect(etcd).toMatchObject([{ lists: 20 }]);
    expect(notes).toEqual([
      expect.stringContaining('its clock was set, or the two are the wrong way round;'),
    ]);
  });
});
