import { describe, expect, it, vi } from 'vitest';
import type { GivenQuery } from '../../../../client/panel/bridge';
import { LastRuns } from '../../../../client/queries/lastRuns';
import { Lists } from '../../../../client/queries/lists';
import { QueryRunner } from '../../../../client/queries/runner';
import { MOST_ROWS } from '../../../../client/queries/resultText';
import type { Shown } from '../../../../client/common/notices';
import type { ConnectionStatus, ListEvent, ListParams } from '../../../../server/protocol/model';
import { RpcError } from '../../../../server/protocol/rpc';
import { untilCancelled } from '../panel/setup';
import { connected, FakeSource, query, total } from '../support';
import { done, fileOf, ListingServer, request, row, uri } from './support';

type Answer = ConstructorParameters<typeof ListingServer>[0];

const rows: readonly ListEvent['body'][] = [{ kind: 'rows', rows: [row('a'), row('b')] }];
const withToken = (token: string) => done({ total: { ...total, continue: token } });

function setup(answer: Answer = () => done(), status: ConnectionStatus = connected) {
  const server = new ListingServer(answer, rows);
  const clock = { now: 42 };
  const check = server.answers['etcdList/check'];
  server.answers['etcdList/check'] = (...given) => {
    clock.now += 1000;
    return check?.(...given);
  };
  const runs = new LastRuns();
  const pages: string[][] = [];
  const given: GivenQuery[] = [];
  const bar = new FakeSource();
  const tell = vi.fn<(sentence: string) => void>();
  const marks = { clear: vi.fn(), mark: vi.fn() };
  const progress = vi.fn((_: string, work: (shown: Shown) => Promise<void>) =>
    work({ token: bar.token, report: () => undefined }),
  );
  const ask = vi.fn(() => Promise.resolve(undefined));
  const connection: { name: string; number: number | null } = { name: 'prod', number: 7 };
  const runner = new QueryRunner({
    access: {
      facts: () => ({ status, trusted: true, serverGone: false }),
      ask,
      connect: () => Promise.reject(new Error('not by itself')),
    },
    lists: new Lists(server, () => Promise.resolve(true)),
    runs,
    documents: {
      open: (_, text) => {
        const shown = [text];
        pages.push(shown);
        return Promise.resolve({ show: (changed) => shown.push(changed) });
      },
    },
    marks,
    tell,
    panel: { runQuery: (each) => given.push(each) },
    progress,
    connection: () => connection,
    makeSource: () => new FakeSource(),
    now: () => clock.now,
  });
  return { runner, server, runs, pages, given, bar, marks, tell, progress, ask, connection, clock };
}

const off = { state: 'disconnected' } as const;

describe('a query in the panel', () => {
  it('is handed to it with its token, and its receipt is kept as the panel tells of it', async () => {
    const { runner, given, runs } = setup();
    const file = fileOf(request(), request({ continueOf: 0 }));
    await expect(runner.inPanel({ file, index: 1 })).rejects.toThrow(/"first", which was not run/);
    await runner.inPanel({ file, index: 0 });
    expect(given[0]).toMatchObject({ query, follow: false });
    given[0]?.onEnd({ total: { ...total, continue: 'eyJ2' } });
    expect(runs.of(uri, request())).toMatchObject({ at: 42, total: { continue: 'eyJ2' } });
    await runner.inPanel({ file, index: 1 });
    expect(given[1]?.query.continueToken).toBe('eyJ2');
  });

  it('does not go on from what ran over another connection', async () => {
    const { runner, given, connection } = setup();
    const file = fileOf(request(), request({ continueOf: 0 }));
    await runner.inPanel({ file, index: 0 });
    given[0]?.onEnd({ total: { ...total, continue: 'eyJ2' } });
    connection.number = 8;
    given[0]?.onEnd({ total: { ...total, continue: 'eyJ2' } });
    for (const run of [runner.inPanel.bind(runner), runner.beside.bind(runner)]) {
      await expect(run({ file, index: 1 })).rejects.toThrow(/"first", which was run over another/);
    }
    expect(given).toHaveLength(1);
  });

  it('reads to the end when it is asked to, or says so itself', async () => {
    const { runner, given } = setup();
    const file = fileOf(request(), request({ follow: true }));
    await runner.inPanel({ file, index: 0 }, true);
    await runner.inPanel({ file, index: 1 });
    expect(given.map(({ follow }) => follow)).toEqual([true, true]);
  });

  it('is not run without a connection', async () => {
    const { runner, given, ask, server } = setup(undefined, off);
    const file = fileOf(request());
    await runner.inPanel({ file, index: 0 });
    await runner.beside({ file, index: 0 });
    await runner.all(file);
    expect(ask).toHaveBeenCalledTimes(3);
    expect([given, server.asked]).toEqual([[], []]);
  });
});

describe('a query with results beside', () => {
  it('writes its rows and its receipt, and keeps it for the lens', async () => {
    const { runner, server, runs, pages, marks, progress } = setup();
    const file = fileOf(request({ follow: true }));
    await runner.beside({ file, index: 0 });
    expect(server.lists).toMatchObject([{ query, follow: true }]);
    const [page] = pages;
    expect(page?.[0]).toBe('');
    expect(page?.[1]).toContain('0 rows · running');
    expect(page?.[2]).toContain('2 rows · running');
    expect(page?.at(-1)).toMatch(
      /^### first · pods -l app=nginx limit 100 to the end · prod\n\nnamespace.*\n\n2 rows · all\n2 fetched/s,
    );
    expect(runs.of(uri, request({ follow: true }))).toEqual({ at: 1042, connection: 7, total });
    expect(progress.mock.calls[0]?.[0]).toBe('pods -l app=nginx limit 100');
    expect([marks.clear.mock.calls.length, marks.mark.mock.calls.length]).toEqual([1, 0]);
  });

  it('says why it failed, in its results, above it and at it', async () => {
    const failure = { code: 'etcd', sentence: 'etcd does not answer.' } as const;
    const refusing = setup(() => {
      throw new RpcError(failure);
    });
    const failing = setup(() => done({ failure }));
    for (const { runner, pages, runs, marks } of [refusing, failing]) {
      const file = fileOf(request());
      await runner.beside({ file, index: 0 });
      expect(pages[0]?.at(-1)).toContain('\netcd does not answer.\n');
      expect(runs.of(uri, request())).toMatchObject({ at: 1042, failure });
      expect(marks.mark.mock.calls).toEqual([[{ file, index: 0 }, failure]]);
    }
    expect(refusing.runs.of(uri, request())?.total).toBeUndefined();
    expect(failing.runs.of(uri, request())?.total).toBe(total);
  });

  it('opens nothing when it cannot be run', async () => {
    const { runner, pages } = setup();
    const file = fileOf(request(), request({ continueOf: 0 }), null);
    await expect(runner.beside({ file, index: 1 })).rejects.toThrow(/which was not run/);
    await expect(runner.beside({ file, index: 2 })).rejects.toThrow(/has errors/);
    expect(pages).toEqual([]);
  });

  it('is stopped by its progress, by a newer run and with the extension, at the etcd call itself', async () => {
    for (const stop of ['bar', 'newer', 'dispose'] as const) {
      const started = setup((params, token) =>
        started.server.lists.length === 1 ? untilCancelled(params, token) : done(),
      );
      const { runner, server, bar, runs, marks, pages } = started;
      const file = fileOf(request());
      const first = runner.beside({ file, index: 0 });
      await vi.waitFor(() => {
        expect(server.lists).toHaveLength(1);
      });
      if (stop === 'bar') bar.cancel();
      if (stop === 'dispose') runner.dispose();
      const newer = stop === 'newer' ? runner.beside({ file, index: 0 }) : undefined;
      await Promise.all([first, newer]);
      expect(marks.mark).not.toHaveBeenCalled();
      const stopped = runs.of(uri, request())?.failure?.code;
      expect(stopped).toBe(stop === 'newer' ? undefined : 'cancelled');
      // What the older run still brings is not written over the newer one.
      expect(pages[0]?.at(-1)?.includes('Stopped.')).toBe(stop !== 'newer');
    }
  });
});

describe('all queries of a file', () => {
  const file = fileOf(
    request(),
    request({ continueOf: 0 }),
    request({ continueOf: 1 }),
    request({}, { resource: 'nodes' }),
  );

  it('run in order, each going on from what this run brought', async () => {
    const { runner, server, pages, runs, progress } = setup(({ query: { continueToken } }) =>
      withToken(continueToken === '' ? 'one' : 'two'),
    );
    // A run of before is not gone on from.
    runs.put(uri, request(), { at: 1, connection: 7, total: { ...total, continue: 'old' } });
    await runner.all(file);
    expect(server.lists.map(({ query: { continueToken } }) => continueToken)).toEqual(
      ['', 'one', 'two', ''], // prettier-ignore
    );
    expect(pages).toHaveLength(1);
    const titles = pages[0]
      ?.at(-1)
      ?.split('\n')
      .filter((line) => line.startsWith('###'));
    expect(titles).toEqual([
      '### first · pods -l app=nginx limit 100 · prod',
      '### Query 2 · pods -l app=nginx limit 100 · prod',
      '### Query 3 · pods -l app=nginx limit 100 · prod',
      '### Query 4 · nodes -l app=nginx limit 100 · prod',
    ]);
    expect(progress.mock.calls[0]?.[0]).toBe('4 queries');
  });

  it('send no token to another connection than it came from', async () => {
    const started = setup(() => {
      started.connection.number = 8;
      return withToken('of seven');
    });
    const { runner, server, marks, runs, pages } = started;
    await runner.all(file);
    expect(server.lists.map(({ query: { continueToken } }) => continueToken)).toEqual(['']);
    expect(marks.mark.mock.calls).toMatchObject([[{ index: 1 }, { code: 'badRequest' }]]);
    expect(pages[0]?.at(-1)).toContain('"first", which was run over another connection');
    // It ended over another connection than it was made over.
    expect(runs.of(uri, request())?.connection).toBe(7);
  });

  it('show so many rows together as can be read, and write them now and then', async () => {
    const { runner, pages, clock, server } = setup();
    server.answers['etcdList/check'] = () => ({ problems: [], unlimited: false });
    const many = Array.from({ length: MOST_ROWS - 1 }, () => row('a'));
    const lists = server.answers['etcdList/list'];
    server.answers['etcdList/list'] = (...given) => {
      const { listId } = given[0] as ListParams;
      server.listEvents.fire([{ listId, seq: 0, body: { kind: 'rows', rows: many } }]);
      return lists?.(...given);
    };
    await runner.all(fileOf(request(), request({}, { limit: '5' })));
    expect(clock.now).toBe(42);
    const [page] = pages;
    // The empty document, the first that ran, and the end.
    expect(page).toHaveLength(3);
    expect(
      page
        ?.at(-1)
        ?.split('\n')
        .filter((line) => line.startsWith('web ')),
    ).toHaveLength(MOST_ROWS);
    expect(page?.at(-1)).toContain('10,001 rows · only the first 10,000 shown: ');
    expect(page?.at(-1)).toContain('10,001 rows · none shown: ');
  });

  it('leave out those of which nothing is left, and go on', async () => {
    const { runner, server, pages, marks } = setup();
    await runner.all(file);
    expect(server.lists.map(({ query: { resource } }) => resource)).toEqual(['pods', 'nodes']);
    const text = pages[0]?.at(-1);
    expect(text).toContain('Nothing is left for this query: "first" read its list to the end.');
    expect(text).toContain('Nothing is left for this query: query 2 read its list to the end.');
    expect(marks.mark).not.toHaveBeenCalled();
  });

  it('stop at the first that fails, and at one with errors', async () => {
    const failure = { code: 'badRequest', sentence: 'No.' } as const;
    const failing = setup(({ query: { continueToken } }: ListParams) =>
      continueToken === '' ? withToken('one') : done({ failure }),
    );
    await failing.runner.all(file);
    expect(failing.server.lists).toHaveLength(2);
    expect(failing.marks.mark.mock.calls).toEqual([[{ file, index: 1 }, failure]]);
    const { runner, server, marks, pages } = setup();
    await runner.all(fileOf(request(), null, request()));
    expect(server.lists).toHaveLength(1);
    expect(marks.mark.mock.calls).toMatchObject([[{ index: 1 }, { code: 'badRequest' }]]);
    expect(pages[0]?.at(-1)).toContain('### Query 2 · prod\n\n0 rows\nThis query has errors');
    expect(pages[0]?.at(-1)).toMatch(/\n1 query behind it was not run: Query 3\.\n$/);
  });

  it('say which were not run, there and in a notification', async () => {
    const failure = { code: 'badRequest', sentence: 'No.' } as const;
    const { runner, tell, pages } = setup(() => done({ failure }));
    const written = fileOf(request(), request(), request());
    const queries = written.queries.map((each, index) =>
      index === 1 ? { ...each, title: 'prefix' } : each,
    );
    await runner.all({ ...written, queries });
    expect(tell.mock.calls).toEqual([
      ['first: No. 2 queries behind it were not run, from prefix on.'],
    ]);
    expect(pages[0]?.at(-1)).toMatch(
      /No\.\n[^]*\n2 queries behind it were not run, from prefix on\.\n$/,
    );
  });

  it('call a block what its separator says, and tell nothing of what went well', async () => {
    const { runner, tell, pages } = setup();
    const written = fileOf(request(), request());
    const queries = written.queries.map((each) => ({ ...each, title: 'The rest' }));
    await runner.all({ ...written, queries });
    expect(pages[0]?.at(-1)).toMatch(/^### first · [^]*\n### The rest · /);
    expect(pages[0]?.at(-1)).not.toContain('not run');
    expect(tell).not.toHaveBeenCalled();
  });

  it('stop when they are stopped', async () => {
    const { runner, server, bar, marks, tell, pages } = setup((params, token) => {
      bar.cancel();
      return untilCancelled(params, token);
    });
    await runner.all(file);
    expect(server.lists).toHaveLength(1);
    expect(pages[0]?.at(-1)).toContain('3 queries behind it were not run, from Query 2 on.');
    expect(tell).not.toHaveBeenCalled();
    expect(marks.mark).not.toHaveBeenCalled();
  });
});
