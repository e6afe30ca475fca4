import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CountedTexts } from '../../../../server/language/index/countedTexts';

function counted(counts: Readonly<Record<string, number>>): CountedTexts {
  const texts = Object.keys(counts).sort();
  return new CountedTexts(
    texts,
    Uint32Array.from(texts, (text) => counts[text] ?? 0),
  );
}

const names = (texts: CountedTexts, typed: string, most = 100) =>
  texts.find(typed, most).found.map(({ text }) => text);

describe('CountedTexts', () => {
  const texts = counted({
    app: 30,
    'app.kubernetes.io/name': 40,
    'app.kubernetes.io/instance': 40,
    App: 1,
    hostname: 5,
    'pod-template-hash': 90,
    tier: 7,
  });

  it('offers all by their counts, then by name, when nothing is typed', () => {
    expect(names(texts, '')).toEqual([
      'pod-template-hash',
      'app.kubernetes.io/instance',
      'app.kubernetes.io/name',
      'app',
      'tier',
      'hostname',
      'App',
    ]);
  });

  it('puts what begins as typed first, then other cases of letters', () => {
    expect(names(texts, 'app')).toEqual([
      'app.kubernetes.io/instance',
      'app.kubernetes.io/name',
      'app',
      'App',
    ]);
    expect(names(texts, 'App')).toEqual([
      'App',
      'app.kubernetes.io/instance',
      'app.kubernetes.io/name',
      'app',
    ]);
  });

  it('finds the beginning of a part before the middle of one, and scattered letters last', () => {
    expect(names(texts, 'name')).toEqual(['app.kubernetes.io/name', 'hostname']);
    expect(names(texts, 'pth')).toEqual(['pod-template-hash']);
    expect(names(texts, 'zz')).toEqual([]);
  });

  it('says whether there is more, at every length', () => {
    expect(texts.find('', 7).more).toBe(false);
    expect(texts.find('', 6).more).toBe(true);
    expect(texts.find('name', 1)).toEqual({
      found: [{ text: 'app.kubernetes.io/name', count: 40 }],
      more: true,
    });
    expect(texts.find('name', 3).more).toBe(false);
    expect(texts.find('name', 2)).toMatchObject({ found: { length: 2 }, more: false });
    // Looking for others ends when enough begin so.
    expect(texts.find('tier', 1)).toMatchObject({ found: { length: 1 }, more: true });
  });

  it('counts what it holds, and nothing else', () => {
    expect(texts.countOf('tier')).toBe(7);
    expect(texts.countOf('tie')).toBe(0);
    expect(texts.indexOf('App')).toBe(0);
    expect(texts.indexOf('zz')).toBe(-1);
    expect(CountedTexts.uncounted(['b', 'a', 'b']).all).toEqual(['a', 'b']);
  });

  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'B', '/', '-', '\u{1f600}', '\uffff') });

  it('finds the same as looking at each text, in the order of count and name', () => {
    const counts = fc.dictionary(text, fc.integer({ min: 1, max: 3 }), { noNullPrototype: true });
    fc.assert(
      fc.property(counts, text, fc.integer({ min: 1, max: 6 }), (given, typed, most) => {
        const all = counted(given);
        const beginning = all.all
          .filter((each) => each.startsWith(typed))
          .map((each) => ({ text: each, count: all.countOf(each) }))
          .sort((a, b) => b.count - a.count || (a.text < b.text ? -1 : 1));
        const { found, more } = all.find(typed, most);
        expect(found.slice(0, beginning.length)).toEqual(beginning.slice(0, most));
        const isWithin = (each: string) => {
          let rest = each.toLowerCase();
          return [...Array(typed.length).keys()].every((i) => {
            const at = rest.indexOf(typed.toLowerCase().charAt(i));
            rest = rest.slice(at + 1);
            return at >= 0;
          });
        };
        const fitting = all.all.filter(isWithin);
        expect(found.length).toBe(Math.min(most, fitting.length));
        expect(found.every((each) => fitting.includes(each.text))).toBe(true);
        expect(new Set(found.map((each) => each.text)).size).toBe(found.length);
        if (fitting.length > most) expect(more).toBe(true);
        if (fitting.length < most) expect(more).toBe(false);
      }),
    );
  });
});
