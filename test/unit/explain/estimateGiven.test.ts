import { describe, expect, it } from 'vitest';
import { givenKeys } from '../../../server/explain/estimateGiven';

const texts = { keys: '', matchRate: '', objectSize: '', clustered: false };

describe('what is given by hand', () => {
  it('is taken as it is typed', () => {
    expect(givenKeys({ ...texts, keys: ' 50,000 ', matchRate: '1 %', objectSize: '2KiB' })).toEqual(
      {
        keys: 50_000,
        bytesPerKey: { likely: 2048, low: 2048, high: 2048 },
        matches: {
          kind: 'share',
          share: { likely: 0.01, low: 0.01, high: 0.01 },
          clustered: false,
        },
        source: { kind: 'given' },
      },
    );
    expect(givenKeys({ ...texts, keys: '5' })).toMatchObject({ matches: { kind: 'unknown' } });
    expect(givenKeys({ ...texts, keys: '5', matchRate: '.5' })).toMatchObject({
      matches: { share: { likely: 0.5 } },
    });
    expect(givenKeys(texts)).toBeUndefined();
  });

  it.each([
    [{ matchRate: '1%' }, 'How many keys there are is missing.'],
    [{ keys: 'many' }, '"many" is no number of keys: write digits.'],
    [{ keys: '9999999999999999' }, '"9999999999999999" is no number of keys: write digits.'],
    [{ keys: '5', matchRate: '1' }, '"1" is no share: write it like 1% or 0.01.'],
    [{ keys: '5', matchRate: '101%' }, '"101%" is no share: write it like 1% or 0.01.'],
    [{ keys: '5', objectSize: '2 apples' }, '"2 apples" is no size: write it like 2KiB.'],
    [{ keys: '\u202e5' }, '"\\u202e5" is no number of keys: write digits.'],
  ])('is refused in one sentence: %j', (given, sentence) => {
    expect(givenKeys({ ...texts, ...given })).toBe(sentence);
  });
});
