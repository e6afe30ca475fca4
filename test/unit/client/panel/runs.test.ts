import { expect, it } from 'vitest';
import { maxRequests } from '../../../../client/panel/history';
import { Runs } from '../../../../client/panel/runs';
import type { HistoryEntry, RequestEntry } from '../../../../server/protocol/model';
import { query, total } from '../support';

const request = (n: number): RequestEntry => ({
  n,
  operation: 'list',
  endpoint: 'a:1',
  serializable: false,
  startKey: '/registry/pods/',
  endKey: null,
  limit: 100,
  revision: '7',
  keys: 100,
  matched: 1,
  bytes: 1000,
  durationMs: 1,
});

it('the bytes of a run are those of all its replies, also of what is not kept', async () => {
  const recorded: HistoryEntry[] = [];
  const many = maxRequests + 50;
  const runs: Runs = new Runs(
    {
      request: (() => {
        for (let n = 1; n <= many; n++) {
          for (const done of [false, true]) {
            runs.take({
              listId: 'a',
              seq: n,
              body: { kind: 'request', request: request(n), done },
            });
          }
        }
        return Promise.resolve({ total, unreadable: [], commands: {} });
      }) as never,
    },
    () => ({ token: {} as never, cancel: () => undefined, dispose: () => undefined }),
    { connection: () => 'prod', record: (entry) => recorded.push(entry) },
    () => 1,
  );
  await runs.list({ listId: 'a', query, follow: true, confirmed: false });
  expect(recorded[0]).toMatchObject({ bytes: many * 1000 });
  expect(recorded[0]?.requests).toHaveLength(maxRequests);
});
