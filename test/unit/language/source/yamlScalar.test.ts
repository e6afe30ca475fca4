import fc from 'fast-check';
import { isScalar, stringify } from 'yaml';
import { describe, expect, it } from 'vitest';
import { parseChunk } from '../../../../server/language/yaml/parse';
import type { Tree, Value } from '../../../../server/language/yaml/tree';

function valueIn(document: string): { tree: Tree; value: Value } {
  const tree = parseChunk(document)![0]!;
  return { tree, value: tree.field(tree.root(), 'v')! };
}

/** For each character of the text the characters that it was read from. */
function pieces(document: string): [string, string][] {
  const { tree, value } = valueIn(document);
  const mapped = tree.mapped(value.node)!;
  return mapped.text.split('').map((character, i) => {
    const { start, end } = mapped.place({ start: i, end: i + 1 });
    return [character, document.slice(start, end)];
  });
}

describe('the text of a scalar', () => {
  it.each([
    [
      'v: abc\n',
      [
        ['a', 'a'],
        ['b', 'b'],
        ['c', 'c'],
      ],
    ],
    [
      'v: a\n   b\n\n  c\n',
      [
        ['a', 'a'],
        [' ', '\n   '],
        ['b', 'b'],
        ['\n', '\n\n  '],
        ['c', 'c'],
      ],
    ],
    [
      'v: >-\n\n  a\n',
      [
        ['\n', '\n'],
        ['a', 'a'],
      ],
    ],
    [
      "v: 'a''b'\n",
      [
        ['a', 'a'],
        ["'", "''"],
        ['b', 'b'],
      ],
    ],
    [
      "v: 'a \n  b '\n",
      [
        ['a', 'a'],
        [' ', ' \n  '],
        ['b', 'b'],
        [' ', ' '],
      ],
    ],
    [
      'v: "a\\tb\\u00e4\\x41"\n',
      [
        ['a', 'a'],
        ['\t', '\\t'],
        ['b', 'b'],
        ['ä', '\\u00e4'],
        ['A', '\\x41'],
      ],
    ],
    [
      'v: "a\\\n  b"\n',
      [
        ['a', 'a'],
        ['b', 'b'],
      ],
    ],
    [
      'v: |\n  ab\n  c\n',
      [
        ['a', 'a'],
        ['b', 'b'],
        ['\n', '\n'],
        ['c', 'c'],
        ['\n', '\n'],
      ],
    ],
    [
      'v: |-\r\n  a\r\n  b\r\n',
      [
        ['a', 'a'],
        ['\n', '\r\n'],
        ['b', 'b'],
      ],
    ],
    [
      'v: >-\n  a\n  b\n\n  c\n',
      [
        ['a', 'a'],
        [' ', '\n'],
        ['b', 'b'],
        ['\n', '\n'],
        ['c', 'c'],
      ],
    ],
    [
      'v: >\n  a\n   b\n  c\n',
      [
        ['a', 'a'],
        ['\n', '\n'],
        [' ', ' '],
        ['b', 'b'],
        ['\n', '\n'],
        ['c', 'c'],
        ['\n', '\n'],
      ],
    ],
  ])('%j knows where its characters stand', (document, wanted) => {
    expect(pieces(document)).toEqual(wanted);
  });

  it('stands as a whole for each of its parts where it cannot be told', () => {
    const document = 'v: "a\\xZZb"\n';
    expect(new Set(pieces(document).map(([, from]) => from))).toEqual(new Set(['"a\\xZZb"']));
  });

  it('is the library’s own, with places in order, in every style and with every line end', () => {
    const text = fc.string({
      unit: fc.constantFrom(
        'a',
        'b=c',
        ' ',
        '\n',
        "'",
        '"',
        '\\',
        '\t',
        'é',
        '😀',
        ',',
        '!',
        '#',
        ': ',
      ),
      maxLength: 30,
    });
    const style = fc.constantFrom(
      'PLAIN',
      'QUOTE_SINGLE',
      'QUOTE_DOUBLE',
      'BLOCK_LITERAL',
      'BLOCK_FOLDED',
    );
    fc.assert(
      fc.property(
        text,
        style,
        fc.boolean(),
        fc.constantFrom(20, 80),
        (value, type, crlf, width) => {
          fc.pre(value.trim() !== '');
          const written = stringify(
            { v: value },
            { defaultStringType: type as 'PLAIN', lineWidth: width },
          );
          const document = crlf ? written.replaceAll('\n', '\r\n') : written;
          const { tree, value: found } = valueIn(document);
          expect(isScalar(found.node)).toBe(true);
          const mapped = tree.mapped(found.node)!;
          expect(mapped.writing, 'placed, not coarse').toBeDefined();
          let last = 0;
          for (let i = 0; i < mapped.text.length; i++) {
            const { start, end } = mapped.place({ start: i, end: i + 1 });
            expect(start).toBeGreaterThanOrEqual(last);
            expect(end).toBeLessThanOrEqual(document.length);
            if (/[a-z=!,]/.test(mapped.text[i]!))
              expect(document.slice(start, end)).toBe(mapped.text[i]);
            last = start;
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
