import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WatchPosition } from '../../../server/store/watchPosition';

describe('the position of a watch', () => {
  it('goes on after a whole message', () => {
    const position = new WatchPosition();
    expect([position.take(5n), position.take(5n), position.take(7n)]).toEqual([true, true, true]);
    position.settle();
    expect(position.resume()).toBe(8n);
  });

  it('goes on within a revision that was cut, without telling its first part again', () => {
    const position = new WatchPosition();
    expect([position.take(5n), position.take(7n), position.take(7n)]).toEqual([true, true, true]);
    expect(position.resume()).toBe(6n);
    expect([7n, 7n, 7n, 8n].map((revision) => position.take(revision))).toEqual([
      false,
      false,
      true,
      true,
    ]);
    expect(position.revision).toBe(7n);
  });

  it('leaves out what comes from before', () => {
    const position = new WatchPosition();
    position.advance(10n);
    expect([position.take(9n), position.take(10n), position.take(11n)]).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('takes no word of progress within a revision, nor of one before', () => {
    const position = new WatchPosition();
    position.take(5n);
    expect(position.advance(9n)).toBe(false);
    position.settle();
    expect([position.advance(4n), position.advance(5n), position.advance(9n)]).toEqual([
      false,
      true,
      true,
    ]);
    expect(position.resume()).toBe(10n);
  });

  it('tells each event once, wherever the watch is cut and broken', () => {
    const history = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 8 });
    const breaks = fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 6 });
    fc.assert(
      fc.property(history, breaks, fc.infiniteStream(fc.boolean()), (sizes, cuts, chance) => {
        const events = sizes.flatMap((size, i) =>
          Array.from({ length: size }, (_, sub) => ({ revision: BigInt(i + 1) * 2n, sub })),
        );
        const position = new WatchPosition();
        const seen: typeof events = [];
        for (const cut of [...cuts, events.length]) {
          const from = position.resume();
          const served = events.filter(({ revision }) => revision >= from).slice(0, cut);
          for (const [i, event] of served.entries()) {
            if (position.take(event.revision)) seen.push(event);
            const isLast = event.revision !== served[i + 1]?.revision && cut > served.length;
            if (isLast && chance.next().value) position.settle();
          }
        }
        expect(seen).toEqual(events);
      }),
    );
  });
});
