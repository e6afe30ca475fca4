import { describe, expect, it } from 'vitest';
import { ReadQueue, type Job } from '../../../../server/features/stored/readQueue';
import { waitFor } from '../../../support/waitFor';

/** Jobs that end when the test says so. */
function jobs() {
  const begun: string[] = [];
  const stopped: string[] = [];
  const open = new Map<string, () => void>();
  const job = (id: string): Job => ({
    id,
    run: (signal) =>
      new Promise((resolve) => {
        begun.push(id);
        open.set(id, resolve);
        signal.addEventListener('abort', () => {
          stopped.push(id);
          resolve();
        });
      }),
  });
  const finish = async (id: string): Promise<void> => {
    const end = await waitFor(() => open.get(id), { what: `${id} has begun` });
    open.delete(id);
    end();
  };
  return { begun, stopped, job, finish, queue: new ReadQueue() };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));
const never = new AbortController().signal;

describe('a queue of reads', () => {
  it('runs one at a time, the latest asked for first, each once', async () => {
    const { begun, job, finish, queue } = jobs();
    for (const id of ['a', 'b', 'c', 'b', 'a']) queue.ask(job(id));
    expect(begun).toEqual(['a']);
    expect(['a', 'b', 'c', 'd'].map((id) => queue.has(id))).toEqual([true, true, true, false]);
    await finish('a');
    await finish('b');
    await finish('c');
    await settle();
    expect(begun).toEqual(['a', 'b', 'c']);
    expect(queue.has('a')).toBe(false);
    queue.ask(job('a'));
    expect(begun).toEqual(['a', 'b', 'c', 'a']);
  });

  it('tells all who wait for one job when it ends', async () => {
    const { begun, job, finish, queue } = jobs();
    const both = Promise.all([
      queue.wait(job('a'), never, 60_000),
      queue.wait(job('a'), never, 60_000),
    ]);
    await finish('a');
    await both;
    expect(begun).toEqual(['a']);
  });

  it('ends a job when the last who waits for it goes', async () => {
    const { begun, stopped, job, queue } = jobs();
    const [first, second] = [new AbortController(), new AbortController()];
    const one = queue.wait(job('a'), first.signal, 60_000);
    const two = queue.wait(job('a'), second.signal, 60_000);
    const later = queue.wait(job('b'), first.signal, 60_000);
    first.abort();
    await Promise.all([one, later]);
    expect(stopped).toEqual([]);
    second.abort();
    await two;
    await settle();
    expect(stopped).toEqual(['a']);
    expect(begun).toEqual(['a']);
    expect(queue.has('b')).toBe(false);
  });

  it('goes on with a job that somebody wants who does not wait', async () => {
    const { stopped, job, queue } = jobs();
    const stop = new AbortController();
    const waited = queue.wait(job('a'), stop.signal, 60_000);
    queue.ask(job('a'));
    stop.abort();
    await waited;
    expect(stopped).toEqual([]);
    expect(queue.has('a')).toBe(true);
  });

  it('goes on after the time of who waits is up', async () => {
    const { stopped, job, queue } = jobs();
    const stop = new AbortController();
    await queue.wait(job('a'), stop.signal, 1);
    stop.abort();
    await settle();
    expect(stopped).toEqual([]);
    expect(queue.has('a')).toBe(true);
  });

  it('begins nothing for who has gone already', async () => {
    const { begun, job, queue } = jobs();
    await queue.wait(job('a'), AbortSignal.abort(), 60_000);
    expect(begun).toEqual([]);
  });

  it('drops everything when it is cleared, and reads on once the running one has ended', async () => {
    const queue = new ReadQueue();
    let end: () => void = () => undefined;
    let began = 0;
    const slow: Job = {
      id: 'slow',
      run: () =>
        new Promise((resolve) => {
          began++;
          end = resolve;
        }),
    };
    const { begun, job } = jobs();
    const waited = queue.wait(slow, never, 60_000);
    queue.ask(job('a'));
    queue.clear();
    await waited;
    queue.ask(slow);
    queue.ask(job('b'));
    await settle();
    expect([began, begun]).toEqual([1, []]);
    end();
    await waitFor(() => begun.length === 1);
    expect(begun).toEqual(['b']);
  });

  it('holds no more than a hundred that wait: the oldest go', async () => {
    const { begun, job, finish, queue } = jobs();
    queue.ask(job('running'));
    const first = queue.wait(job('0'), never, 60_000);
    for (let i = 1; i <= 100; i++) queue.ask(job(String(i)));
    await first;
    expect(queue.has('0')).toBe(false);
    expect(queue.has('1')).toBe(true);
    await finish('running');
    await waitFor(() => begun.length === 2);
    expect(begun[1]).toBe('100');
  });
});
