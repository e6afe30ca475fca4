import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ListEvents } from '../../../server/features/listEvents';
import type { ListEvent, RequestEntry, Row } from '../../../server/protocol/model';

const clock = { now: () => Date.now(), monotonic: () => Date.now() };
const request = (n: number): RequestEntry => ({ n, operation: 'list' }) as RequestEntry;
const row = (n: number, label = ''): Row =>
  ({ key: '', namespace: '', name: String(n), labels: [['app', label]] }) as unknown as Row;
const rows = (count: number): Row[] => Array.from({ length: count }, (_, i) => row(i));

function recorder() {
  const batches: (readonly ListEvent[])[] = [];
  const events = new ListEvents(
    'l',
    (batch) => {
      batches.push(batch);
      return Promise.resolve();
    },
    clock,
  );
  return { batches, events };
}

const sizeOf = ({ body }: ListEvent): number => (body.kind === 'rows' ? body.rows.length : 0);

describe('the events of a list', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 1_000_000 });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('tell of a running stream at most 30 times a second, and always of its start and end', async () => {
    const { batches, events } = recorder();
    events.request(request(1), 'started');
    expect(batches).toHaveLength(1);
    for (let ms = 0; ms < 1000; ms++) {
      events.request(request(1), 'progress');
      vi.advanceTimersByTime(1);
    }
    events.request(request(1), 'done');
    await events.sent();
    expect(batches.length).toBeGreaterThan(25);
    expect(batches.length).toBeLessThanOrEqual(32);
    const all = batches.flat();
    expect(all.map(({ seq }) => seq)).toEqual(all.map((_, i) => i));
    expect(all.at(-1)?.body).toMatchObject({ kind: 'request', done: true });
  });

  it('come in few batches from thousands of short round trips, and none is lost', async () => {
    const { batches, events } = recorder();
    for (let n = 1; n <= 3000; n++) {
      events.request(request(n), 'started');
      await events.rows(rows(1));
      events.request(request(n), 'done');
      events.totals({ requests: n } as never);
      await events.taken();
      if (n % 3 === 0) vi.advanceTimersByTime(1);
    }
    await events.sent();
    expect(batches.length).toBeLessThanOrEqual(32);
    const all = batches.flat();
    expect(all.map(({ seq }) => seq)).toEqual(all.map((_, i) => i));
    const done = all.flatMap(({ body }) =>
      body.kind === 'request' && body.done ? [body.request.n] : [],
    );
    expect(done).toEqual(Array.from({ length: 3000 }, (_, i) => i + 1));
    expect(all.reduce((sum, event) => sum + sizeOf(event), 0)).toBe(3000);
    const totals = all.filter(({ body }) => body.kind === 'totals');
    expect(totals.at(-1)?.body).toMatchObject({ total: { requests: 3000 } });
  });

  it('leave without a next event, since a request may take long', () => {
    const { batches, events } = recorder();
    events.request(request(1), 'done');
    events.request(request(2), 'started');
    expect(batches).toHaveLength(1);
    vi.advanceTimersByTime(34);
    expect(batches[1]).toMatchObject([{ seq: 1, body: { request: { n: 2 }, done: false } }]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('end with the list: nothing waits and no timer is left', () => {
    const { batches, events } = recorder();
    events.request(request(1), 'done');
    events.notice('late');
    events.dispose();
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(1000);
    expect(batches).toHaveLength(1);
  });

  it('wait for a client that answers each batch, until the list is stopped', async () => {
    vi.useRealTimers();
    const stop = new AbortController();
    const batches: (readonly ListEvent[])[] = [];
    const send = (batch: readonly ListEvent[]): Promise<void> => {
      batches.push(batch);
      return Promise.resolve();
    };
    const events = new ListEvents('l', send, clock, stop.signal);
    const sending = events.rows(rows(5000));
    await vi.waitFor(() => {
      expect(batches).toHaveLength(4);
    });
    await new Promise(setImmediate);
    expect(batches).toHaveLength(4);
    events.acknowledge(1);
    await vi.waitFor(() => {
      expect(batches).toHaveLength(6);
    });
    await new Promise(setImmediate);
    expect(batches).toHaveLength(6);
    stop.abort();
    await sending;
    await events.sent();
    expect(batches.flat().reduce((sum, event) => sum + sizeOf(event), 0)).toBe(5000);
  });

  it('send no rows before the ones before were taken, and fail with the client', async () => {
    vi.useRealTimers();
    const taken: (() => void)[] = [];
    const sizes: number[] = [];
    const send = (batch: readonly ListEvent[]): Promise<void> => {
      sizes.push(...batch.map(sizeOf));
      return new Promise((resolve) => taken.push(resolve));
    };
    const events = new ListEvents('l', send, clock);
    const sending = events.rows(rows(1700));
    for (const expected of [[500], [500, 500], [500, 500, 500]]) {
      await new Promise(setImmediate);
      expect(sizes).toEqual(expected);
      taken.shift()?.();
    }
    await sending;
    void events.sent();
    await new Promise(setImmediate);
    expect(sizes).toEqual([500, 500, 500, 200]);
    const gone = new ListEvents('l', () => Promise.reject(new Error('gone')), clock);
    await expect(gone.rows(rows(1))).rejects.toThrow('(gone)');
    await gone.sent();
    expect(gone.failure?.failure).toMatchObject({ code: 'internal' });
  });

  it('hold back what a timer would send to a client that is behind, until it answers', async () => {
    const stop = new AbortController();
    const batches: (readonly ListEvent[])[] = [];
    const send = (batch: readonly ListEvent[]): Promise<void> => {
      batches.push(batch);
      return Promise.resolve();
    };
    const events = new ListEvents('l', send, clock, stop.signal);
    for (let n = 1; n <= 9; n++) {
      events.request(request(n), 'done');
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(batches).toHaveLength(4);
    events.acknowledge(0);
    expect(batches).toHaveLength(5);
    const all = batches.flat();
    expect(all.map(({ seq }) => seq)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('come in batches of about a megabyte, and a larger row by itself', async () => {
    const { batches, events } = recorder();
    const large = (n: number, length: number): Row => row(n, 'x'.repeat(length));
    const sent = [
      ...Array.from({ length: 40 }, (_, n) => large(n, 100_000)),
      large(40, 3_000_000),
      ...rows(10),
    ];
    await events.rows(sent);
    await events.sent();
    const bodies = batches.flat().flatMap(({ body }) => (body.kind === 'rows' ? [body.rows] : []));
    expect(bodies).toHaveLength(batches.length);
    expect(bodies.flat()).toEqual(sent);
    const sizes = bodies.map((body) => JSON.stringify(body).length);
    expect(sizes.filter((size) => size > 1_100_000)).toHaveLength(1);
    expect(bodies.find((body) => JSON.stringify(body).length > 1_100_000)).toHaveLength(1);
  });
});
