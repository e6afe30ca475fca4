import { describe, expect, it } from 'vitest';
import { ListEvents } from '../../../server/features/listEvents';
import type { ListEvent, RequestEntry, Row } from '../../../server/protocol/model';

const request = { n: 1, operation: 'listStream' } as RequestEntry;
const row = (n: number): Row => ({ name: String(n) }) as Row;

describe('the events of a list', () => {
  it('tell of a running stream at most 30 times a second, and always of its start and end', () => {
    let now = 0;
    const sent: ListEvent[] = [];
    const send = (event: ListEvent): Promise<void> => {
      sent.push(event);
      return Promise.resolve();
    };
    const events = new ListEvents('l', send, { now: () => now, monotonic: () => now });
    events.request(request, 'started');
    for (now = 0; now < 1000; now++) events.request(request, 'progress');
    events.request(request, 'done');
    expect(sent.length).toBeGreaterThan(25);
    expect(sent.length).toBeLessThanOrEqual(32);
    expect(sent.map(({ seq }) => seq)).toEqual(sent.map((_, i) => i));
    expect(sent.at(-1)?.body).toMatchObject({ kind: 'request', done: true });
  });

  it('send no rows before the ones before were taken, and fail with the client', async () => {
    const taken: (() => void)[] = [];
    const sizes: number[] = [];
    const send = ({ body }: ListEvent): Promise<void> => {
      if (body.kind === 'rows') sizes.push(body.rows.length);
      return new Promise((resolve) => taken.push(resolve));
    };
    const events = new ListEvents('l', send, { now: () => 0, monotonic: () => 0 });
    const sending = events.rows(Array.from({ length: 1200 }, (_, i) => row(i)));
    for (const expected of [[500], [500, 500], [500, 500, 200]]) {
      await new Promise(setImmediate);
      expect(sizes).toEqual(expected);
      taken.shift()?.();
    }
    await sending;
    const gone = new ListEvents('l', () => Promise.reject(new Error('gone')), {
      now: () => 0,
      monotonic: () => 0,
    });
    await expect(gone.rows([row(1)])).rejects.toThrow('gone');
  });
});
