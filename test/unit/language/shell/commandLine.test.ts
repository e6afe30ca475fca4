import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shellWord, untrustedShellWord } from '../../../../server/common/shellWord';
import { splitShell } from '../../../../server/language/shell/commandLine';
import { wordPart, writingIn } from '../../../../server/language/shell/words';
import { wellFormed } from '../query/support';

function split(text: string) {
  return splitShell(text, 0, text.length);
}

function words(text: string): string[] {
  return split(text).words.map((word) => word.text.text);
}

describe('words of a shell', () => {
  // Each answer is that of bash 5.2.
  it.each<[string, string[]]>([
    ['a  b\tc', ['a', 'b', 'c']],
    ["a'b c'd", ['ab cd']],
    ['"a \\" \\\\ \\x \\$b"', ['a " \\ \\x $b']],
    ["'a \\' b", ['a \\', 'b']],
    ['a\\ b \\\\ \\"', ['a b', '\\', '"']],
    ['\'\' ""', ['', '']],
    ['a\\\n b\\\nc', ['a', 'bc']],
    ['"a\\\nb"', ['ab']],
    ["$'a\\tb\\x41\\101\\u00fc\\'\\\\\\\"\\e'", ['a\tbAA\u00fc\'\\"\x1b']],
    ["$'\\xc3\\xbc\\303\\274\\xe2\\x82\\xac'x", ['\u00fc\u00fc\u20acx']],
    ["$'\\U1F600 \\8 \\ca'", ['\u{1f600} \\8 \x01']],
    ["$'a\\0b'c", ['ac']],
    ['a#b #c d', ['a#b']],
    ['a "#b" \\#c', ['a', '#b', '#c']],
    ['a=$ $', ['a=$', '$']],
    ['{{a.continue}} a!=b \u00fc\u{1f600}', ['{{a.continue}}', 'a!=b', '\u00fc\u{1f600}']],
    ['!a ~ * ?', ['!a', '~', '*', '?']],
  ])('are those of %j', (text, expected) => {
    expect(words(text)).toEqual(expected);
    expect(split(text).problems).toEqual([]);
  });

  it.each([
    ['a\nb', 1],
    ['a\r\nb', 1],
    ['a\\\r\nb', 5],
    ['a # c\\\nb', 6],
    ['a \\', 3],
  ])('end with their line: %j', (text, end) => {
    expect(split(text).end).toBe(end);
  });

  it('know what stands behind a comment sign', () => {
    expect(split('a b # c d')).toMatchObject({ comment: { start: 4, end: 9 }, end: 9 });
  });

  it.each([
    ['a (b)', 'operator', 2, 3],
    ['a|b', 'operator', 1, 2],
    ['a;b', 'operator', 1, 2],
    ['a >b', 'operator', 2, 3],
    ['a & b', 'operator', 2, 3],
    ['a $b', 'expansion', 2, 3],
    ['a "$b"', 'expansion', 3, 4],
    ['a `b`', 'expansion', 2, 3],
    ['a "`b`"', 'expansion', 3, 4],
    ['a ${b}', 'expansion', 2, 3],
    ['a $(b)', 'expansion', 2, 3],
    ['a $"b"', 'expansion', 2, 3],
    ["a 'b c", 'unclosed', 2, 6],
    ["a 'b c\nd'", 'unclosed', 2, 6],
    ['a "b c', 'unclosed', 2, 6],
    ["a $'b c", 'unclosed', 3, 7],
  ])('tell what a shell would do with %j', (text, kind, start, end) => {
    expect(split(text).problems[0]).toEqual({ kind, span: { start, end } });
  });

  it('take a character that the shell would not, and go on', () => {
    expect(words('a tier in (web,api) -n x')).toEqual(['a', 'tier', 'in', '(web,api)', '-n', 'x']);
  });

  it('know the place of each character', () => {
    const text = 'x -l \'a"b\'\\ "c\\"d"$\'\\xc3\\xbce\'';
    const [, , word] = split(text).words;
    const place = word!.text.place;
    const at = (i: number): string => {
      const { start, end } = place({ start: i, end: i + 1 });
      return text.slice(start, end);
    };
    expect(word!.text.text).toBe('a"b c"d\u00fce');
    expect(word!.text.text.split('').map((_, i) => at(i))).toEqual([
      ...['a', '"', 'b', '\\ ', 'c', '\\"', 'd', '\\xc3\\xbc', 'e'],
    ]);
  });

  it('say how new text is written in them', () => {
    const text = `-l a'b'"c"$'d'e`;
    const word = split(text).words[1]!;
    expect(
      text
        .split('')
        .map((_, i) => (i < 3 ? '' : (writingIn(word, { start: i, end: i }) ?? 'none'))),
    ).toEqual([
      ...['', '', '', 'shell', 'shell', 'shellSingle', 'shellSingle', 'shell'],
      ...['shellDouble', 'shellDouble', 'shell', 'shell', 'none', 'none', 'shell'],
    ]);
    expect(wordPart(word, 1, 2).writing).toBe('shellSingle');
    expect(wordPart(word, 2, 3).writing).toBe('shellDouble');
    expect(wordPart(word, 0, 2).writing).toBeUndefined();
    expect(wordPart(word, 3, 4).writing).toBeUndefined();
    expect(wordPart(split('a=b').words[0]!, 2).writing).toBe('shell');
  });

  it('are again what was quoted', () => {
    const word = fc.string({ unit: 'binary' }).filter((text) => !/[\r\n]/.test(text));
    fc.assert(
      fc.property(fc.array(word, { maxLength: 5 }), (texts) => {
        const whole = texts.map((text) => wellFormed(text));
        expect(words(whole.map((text) => shellWord(text)).join(' '))).toEqual(whole);
      }),
    );
  });

  it('are again what was quoted with escapes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const whole = wellFormed(text).replaceAll('\0', '');
        expect(words(`x ${untrustedShellWord(whole)}`)[1]).toBe(whole);
      }),
    );
  });
});
