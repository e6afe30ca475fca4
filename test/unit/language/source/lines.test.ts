import { describe, expect, it } from 'vitest';
import { Lines } from '../../../../server/language/source/lines';

describe('lines', () => {
  const text = 'ab\r\ncd\re\n\nf';

  it.each([
    [0, 1, 1],
    [2, 1, 3],
    [4, 2, 1],
    [7, 3, 1],
    [9, 4, 1],
    [10, 5, 1],
    [11, 5, 2],
    [99, 5, 90],
  ])('count from 1: %i', (offset, line, column) => {
    expect(new Lines(text).at(offset)).toEqual({ line, column });
  });

  it('are given without their ends', () => {
    const lines = new Lines(text);
    expect([0, 3, 4, 7, 9, 10].map((offset) => lines.lineOf(offset))).toEqual([
      { text: 'ab', start: 0 },
      { text: 'ab', start: 0 },
      { text: 'cd', start: 4 },
      { text: 'e', start: 7 },
      { text: '', start: 9 },
      { text: 'f', start: 10 },
    ]);
    expect(new Lines('').lineOf(0)).toEqual({ text: '', start: 0 });
  });
});
