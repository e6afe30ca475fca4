import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunkAt, chunksOf } from '../../../../server/language/yaml/chunks';

const texts = (text: string): string[] => [...chunksOf(text)].map((chunk) => chunk.text);

describe('a stream', () => {
  it.each([
    ['', []],
    ['a: 1\n', ['a: 1\n']],
    ['a: 1\n---\nb: 2\n', ['a: 1\n', '---\nb: 2\n']],
    ['---\na: 1\n---\nb: 2', ['---\na: 1\n', '---\nb: 2']],
    ['a: 1\r\n---\r\nb: 2\r\n', ['a: 1\r\n', '---\r\nb: 2\r\n']],
    ['a: 1\n...\n%YAML 1.2\n---\nb: 2\n', ['a: 1\n...\n', '%YAML 1.2\n', '---\nb: 2\n']],
    ['--- # one\na: 1\n--- |\n text\n', ['--- # one\na: 1\n', '--- |\n text\n']],
    ['---\n---\n', ['---\n', '---\n']],
    ['a\n---', ['a\n', '---']],
    ['\ufeff---\na: 1\n', ['\ufeff---\na: 1\n']],
  ])('%j is cut at its markers', (text, wanted) => {
    expect(texts(text)).toEqual(wanted);
  });

  it.each(['a: |\n  ---\n  x\n', '----\n', 'a: ---\n', '---a\n', 'a: 1\n ---\n', '....\n'])(
    '%j is one document',
    (text) => {
      expect(texts(text)).toEqual([text]);
    },
  );

  it('keeps every character at its offset', () => {
    const part = fc.constantFrom('---', '...', '\n', '\r\n', 'a: 1', ' ', '|', '# x', '\u2028');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
        const text = parts.join('');
        const chunks = [...chunksOf(text)];
        expect(chunks.map((chunk) => chunk.text).join('')).toBe(text);
        for (const { start, text: part } of chunks) {
          expect(text.slice(start, start + part.length)).toBe(part);
          expect(chunkAt(text, start)).toEqual({ start, text: part });
          expect(chunkAt(text, start + part.length - 1)).toEqual({ start, text: part });
        }
      }),
    );
  });

  it('of an offset is looked for no further than asked', () => {
    const text = `a: 1\n---\n${'b: 2\n'.repeat(100)}...\nc: 3\n`;
    const end = text.indexOf('...');
    expect(chunkAt(text, end, 504)?.start).toBe(5);
    expect(chunkAt(text, end, 503)).toBeUndefined();
    expect(chunkAt(text, text.length, 6)?.text).toBe('c: 3\n');
    expect(chunkAt('', 0)).toBeUndefined();
  });
});
