import { describe, expect, it } from 'vitest';
import {
  EventWindow,
  freshMs,
  leastCapacity,
  mostCapacity,
} from '../../../server/cache/eventWindow';

/** Adds events `stepMs` apart, from revision `from` on; resolves to the time of the last one. */
function addEvery(window: EventWindow, stepMs: number, count: number, from = 1, start = 0): number {
  let at = start;
  for (let i = 0; i < count; i++) {
    at += stepMs;
    window.add(BigInt(from + i), at);
  }
  return at;
}

describe('the window of events', () => {
  it('starts with room for 100, and knows its oldest event once it is full', () => {
    const window = new EventWindow();
    addEvery(window, freshMs, leastCapacity - 1);
    expect([window.capacity, window.count, window.oldestOfFull]).toEqual([100, 99, undefined]);
    window.add(100n, freshMs * 100);
    expect([window.count, window.oldestOfFull]).toEqual([100, 1n]);
    window.add(101n, freshMs * 101);
    expect([window.capacity, window.count, window.oldestOfFull]).toEqual([100, 100, 2n]);
  });

  it('doubles when it is full before 75 seconds have passed, up to its largest', () => {
    const window = new EventWindow();
    addEvery(window, 1, 101);
    expect([window.capacity, window.count, window.oldestOfFull]).toEqual([200, 101, undefined]);
    addEvery(window, 0, mostCapacity + 10, 102, 101);
    expect([window.capacity, window.count]).toEqual([mostCapacity, mostCapacity]);
    expect(window.oldestOfFull).toBe(BigInt(101 + 10 + 1));
  });

  it('stays as it is when the oldest event is 75 seconds old', () => {
    const window = new EventWindow();
    addEvery(window, 0, 100, 1, 1000);
    window.add(101n, 1000 + freshMs);
    expect([window.capacity, window.oldestOfFull]).toEqual([100, 2n]);
  });

  it('is halved when a quarter of it would do, and keeps the newest events', () => {
    const window = new EventWindow();
    const at = addEvery(window, 1, 200);
    expect(window.capacity).toBe(200);
    window.add(201n, at + 2 * freshMs);
    expect([window.capacity, window.count, window.oldestOfFull]).toEqual([100, 100, 102n]);
  });

  it('keeps its room when it is emptied', () => {
    const window = new EventWindow();
    addEvery(window, 1, 101);
    window.clear();
    expect([window.capacity, window.count, window.oldestOfFull]).toEqual([200, 0, undefined]);
  });
});
