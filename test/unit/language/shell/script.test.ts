import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readScript } from '../../../../server/language/shell/script';

const words = (text: string): string[][] =>
  readScript(text).commands.map((command) => command.map((word) => word.text.text));

describe('the commands of a shell', () => {
  it.each([
    ['a b  c', [['a', 'b', 'c']]],
    ['a; b && c | d\ne & f', [['a'], ['b'], ['c'], ['d'], ['e'], ['f']]],
    [`a 'b c' "d e" f\\ g`, [['a', 'b c', 'd e', 'f g']]],
    [`a b'c'"d"e`, [['a', 'bcde']]],
    ['a "b\\"c\\n\\$d"', [['a', 'b"c\\n$d']]],
    ['a \\\n  b \\\r\n  c', [['a', 'b', 'c']]],
    ['a # b\nc', [['a'], ['c']]],
    ['a#b', [['a#b']]],
    [
      'x=$(a b "$(c d)" e) f',
      [
        ['c', 'd'],
        ['a', 'b', '', 'e'],
        ['x=', 'f'],
      ],
    ],
    ['"`a b` c"', [['a', 'b'], [' c']]],
    ['a > b 2>&1 < c d', [['a', '2', 'd']]],
    ['a <<EOF\nb c\nEOF\nd', [['a'], ['d']]],
    ["a <<-'END' x\n b\n  END\nd", [['a', 'x'], ['d']]],
    ['a <<< b c', [['a', 'c']]],
    ['(a b)', [['a', 'b']]],
    ['{ a; }', [['a']]],
    ['a {b,c}', [['a', '{b,c}']]],
    ["a ''", [['a', '']]],
    ["a $'b\\tc\\x41\nd' e", [['a', 'b\tcA\nd', 'e']]],
    ['a b=$ "$" c', [['a', 'b=$', '$', 'c']]],
    ['a "b\nc" d', [['a', 'b\nc', 'd']]],
    ['if a; then b; fi', [['if', 'a'], ['then', 'b'], ['fi']]],
    ["a 'open", [['a', 'open']]],
    ['a $(open', [['open'], ['a', '']]],
    ['', []],
  ])('%j', (text, wanted) => {
    expect(words(text)).toEqual(wanted);
  });

  it('know which words something replaces', () => {
    const [ansi] = readScript("a $'b' c=$").commands;
    expect(ansi?.map(({ isSure }) => isSure)).toEqual([true, true, true]);
    const [command] = readScript(
      'a $b ${c} "d$e" f$(g) \'$h\' *.i {j,k} l\\$m $((1 + 2)) `n`',
    ).commands;
    const sure = readScript('x').commands[0]!;
    expect(sure[0]?.isSure).toBe(true);
    const outer = readScript('a $b ${c} "d$e" \'$h\' *.i {j,k} l\\$m $((1 + 2))').commands.at(-1)!;
    expect(outer.map(({ isSure }) => isSure)).toEqual([
      true,
      false,
      false,
      false,
      true,
      false,
      false,
      true,
      false,
    ]);
    expect(command).toBeDefined();
  });

  it('know where each character stands, and how another is written there', () => {
    const text = `x 'a b' "c\\"d" e\\ f g'h'`;
    const [, single, double, plain, mixed] = readScript(text).commands[0]!;
    const cut = (word: typeof single, start: number, end: number): string => {
      const span = word!.text.place({ start, end });
      return text.slice(span.start, span.end);
    };
    expect([single?.text.writing, cut(single, 0, 3)]).toEqual(['shellSingle', 'a b']);
    expect([double?.text.writing, cut(double, 1, 2)]).toEqual(['shellDouble', '\\"']);
    expect([plain?.text.writing, cut(plain, 0, 3)]).toEqual(['shell', 'e\\ f']);
    expect([mixed?.text.writing, cut(mixed, 0, 2)]).toEqual([undefined, "g'h"]);
  });

  it('know where each word begins and ends', () => {
    const text = 'x a\\\n b"c $(d "e" f) `g`"h\'i\' $j > k "l';
    const [inner, other, outer] = readScript(text).commands;
    const cut = (command: typeof inner): string[] =>
      command!.map(({ span: { start, end } }) => text.slice(start, end));
    expect(cut(inner)).toEqual(['d', '"e"', 'f']);
    expect(cut(other)).toEqual(['g']);
    expect(cut(outer)).toEqual(['x', 'a', 'b"c $(d "e" f) `g`"h\'i\'', '$j', '"l']);
  });

  it('come to an end, whatever is written', () => {
    const part = fc.constantFrom(
      '$(',
      ')',
      '`',
      '"',
      "'",
      '\\',
      '\n',
      'a',
      ' ',
      '<<E',
      '{',
      '}',
      '#',
      '>',
      '$',
      '((',
      '&',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
        const text = parts.join('');
        for (const command of readScript(text).commands) {
          for (const word of command) {
            const { start, end } = word.text.place({ start: 0, end: word.text.text.length });
            expect(start).toBeGreaterThanOrEqual(0);
            expect(end).toBeLessThanOrEqual(text.length);
          }
        }
      }),
    );
  });

  it.each(['$(', '"$(', '`', "'", '"', 'a <<E\n', '${', '$((', 'a;', '\\'])(
    'take no time over many %j',
    (part) => {
      const start = performance.now();
      readScript(part.repeat(100_000));
      expect(performance.now() - start).toBeLessThan(3_000);
    },
  );
});
