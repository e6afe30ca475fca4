import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { candidateAt, longestLine, tokenIn } from '../../../../client/hover/candidate';
import { inspectLink } from '../../../../server/features/inspectLink';
import { tokenAt } from '../../../../server/language/tokens';

const encode = (json: string): string => Buffer.from(json).toString('base64url');
const fields = '"v":"meta.k8s.io/v1","rv":7,"start":"a/b\\u0000"}';
const token = encode(`{${fields}`);
const at = (line: string, piece = token) => candidateAt(line, line.indexOf(piece) + 5);

describe('candidateAt', () => {
  it.each(['{', '{ ', '{\n', '{\r\n', '{\t'])('sees a token whose JSON begins with %j', (begin) => {
    const odd = encode(begin + fields);
    expect(at(`continue: ${odd}`, odd)).toBeDefined();
  });

  it.each([
    (text: string) => text,
    (text: string) => `continue: "${text}"`,
    (text: string) => `GET /api/v1/pods?limit=100&continue=${text}&watch=0`,
    (text: string) => `continue%3D${text}%26x`,
    (text: string) => `%22continue%22%3A%22${text}%22`,
    (text: string) => String.raw`{\"continue\":\"${text}\"}`,
    (text: string) => `(${text}).`,
    (text: string) => String.raw`{"log":"x\n${text}"}`,
    (text: string) => String.raw`x\\t${text}`,
    (text: string) => String.raw`continue\u003d${text}\u0026limit=5`,
    (text: string) => String.raw`\x3d${text}\x26`,
    (text: string) => `continue%253D${text}%2526limit`,
  ])('sees a token in its surroundings %#', (surround) => {
    const line = surround(token);
    const start = line.indexOf(token);
    for (const character of [start, start + 10, start + token.length]) {
      expect(candidateAt(line, character)).toEqual({ line, character, offset: 0 });
    }
  });

  it('asks nothing where the pointer stands elsewhere, or where no token can be', () => {
    const line = `a: 1 continue: ${token} b: 2`;
    expect(candidateAt(line, 2)).toBeUndefined();
    expect(candidateAt(line, line.length)).toBeUndefined();
    for (const text of [
      'eyJ2IjoibWV0YS5',
      encode(` {${fields}`),
      'a'.repeat(50),
      'sha256:eyJ',
      `x${token}`,
      '',
    ]) {
      expect(candidateAt(text, Math.min(5, text.length))).toBeUndefined();
    }
  });

  it('takes the second of two tokens when the pointer is on it', () => {
    const line = `${token} ${token}`;
    expect(candidateAt(line, token.length + 3)?.character).toBe(token.length + 3);
  });

  it('cuts a long line around the pointer', () => {
    const before = 'x '.repeat(20_000);
    const line = `${before}${token}${' y'.repeat(20_000)}`;
    const found = candidateAt(line, before.length + 5);
    expect(found?.line).toHaveLength(longestLine);
    const { line: part = '', character = 0, offset = 0 } = found ?? {};
    expect(part.slice(character - 5, character - 5 + token.length)).toBe(token);
    expect(offset + character).toBe(before.length + 5);
  });

  it.each(['e', 'ey', 'eyJ', 'I', '%2', '25', '\\n', '\\u', 'ew '])(
    'is quick on a line of %j alone',
    (piece) => {
      const line = piece.repeat(longestLine);
      const begin = performance.now();
      candidateAt(line, line.length / 2);
      expect(performance.now() - begin).toBeLessThan(200);
    },
  );
});

describe('beside the language server', () => {
  const json = fc
    .tuple(
      fc.constantFrom('{', '{ ', '{\n'),
      fc.constantFrom('"v":1,"rv":1}', '"rv":7,"start":"?>?~~"}', fields),
      fc.string({ unit: 'binary', maxLength: 12 }),
    )
    .map(([begin, rest, extra]) =>
      extra === '' ? begin + rest : `${begin}${JSON.stringify(extra)}:1,${rest}`,
    );
  const written = fc
    .tuple(
      json,
      fc.constantFrom('base64', 'base64url'),
      fc.constantFrom('', '=', '==', '%3D', '%253D%253D', '\\u003d', '\\x3d\\x3d'),
    )
    .map(
      ([text, alphabet, padding]) =>
        Buffer.from(text)
          .toString(alphabet as BufferEncoding)
          .replace(/=+$/, '') + padding,
    );
  const between = fc.constantFrom(
    '',
    ' ',
    '"',
    '+',
    '/',
    '=',
    '%22',
    '%3D',
    '%25253D',
    '\\n',
    '\\\\r',
    '\\u003d',
    '\\u0022',
    '\\x3D',
    'ex',
    'ey',
    '-',
    'a',
  );
  const line = fc
    .array(fc.oneof(written, between, fc.string({ maxLength: 5 })), { maxLength: 9 })
    .map((parts) => parts.join(''));

  it('every place where it finds a token is a candidate', () => {
    let found = 0;
    fc.assert(
      fc.property(line, (text) => {
        for (let at = 0; at <= text.length; at++) {
          if (tokenAt(text, at) === undefined) continue;
          found += 1;
          expect(candidateAt(text, at)).toEqual({ line: text, character: at, offset: 0 });
        }
      }),
      { numRuns: 400 },
    );
    expect(found).toBeGreaterThan(500);
  });

  it('the shortest token and one with + and / are found by both', () => {
    const odd = '{"v":1,"start":"?>?>??","rv":1}';
    for (const text of ['{"v":1,"rv":1}', odd]) {
      const short = Buffer.from(text).toString('base64').replace(/=+$/, '');
      expect(tokenAt(short, 1)?.token).toBe(short);
      expect(candidateAt(short, 1)).toBeDefined();
    }
    expect(Buffer.from(odd).toString('base64')).toMatch(/[+/]/);
  });
});

it('tokenIn looks anywhere', () => {
  expect(tokenIn(`a\nb ${token}`)).toBe(true);
  expect(tokenIn('hello world')).toBe(false);
});

it('a link carries any token as an argument, and nothing ends it early', () => {
  const odd = `a")](x)'*\n${token}`;
  const [, argument = ''] =
    /^\[Inspect continue token\]\(command:etcdList\.inspectToken\?([^()\s]*)\)$/.exec(
      inspectLink(odd),
    ) ?? [];
  expect(JSON.parse(decodeURIComponent(argument))).toEqual([odd]);
});

describe('what is sent of a line', () => {
  it.each(['x', ' ', token, `continue=${token}&`])(
    'of 5 MB of %s is the part around the pointer',
    (piece) => {
      const whole = piece.repeat(Math.ceil(5_000_000 / piece.length));
      const begin = performance.now();
      for (const pointer of [0, 2_500_000, whole.length]) {
        const found = candidateAt(whole, pointer);
        if (found) expect(found.line.length).toBeLessThanOrEqual(longestLine);
      }
      expect(performance.now() - begin).toBeLessThan(1000);
    },
  );
});
