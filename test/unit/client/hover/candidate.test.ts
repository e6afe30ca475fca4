import { describe, expect, it } from 'vitest';
import { candidateAt, longestLine, tokenIn } from '../../../../client/hover/candidate';
import { inspectLink } from '../../../../server/features/inspectLink';

const encode = (json: string): string => Buffer.from(json).toString('base64url');
const fields = '"v":"meta.k8s.io/v1","rv":7,"start":"a/b\\u0000"}';
const token = encode(`{${fields}`);
const at = (line: string, piece = token) => candidateAt(line, line.indexOf(piece) + 5);

describe('candidateAt', () => {
  it.each(['{', '{ ', '{\n', '{\r\n', '{\t', ' {', '\n{', '\t{', '\r\n{', '  {', '\n\n{', '\t\t{'])(
    'sees a token whose JSON begins with %j',
    (begin) => {
      const odd = encode(begin + fields);
      expect(at(`continue: ${odd}`, odd)).toBeDefined();
    },
  );

  it.each([
    (text: string) => text,
    (text: string) => `continue: "${text}"`,
    (text: string) => `GET /api/v1/pods?limit=100&continue=${text}&watch=0`,
    (text: string) => `continue%3D${text}%26x`,
    (text: string) => `%22continue%22%3A%22${text}%22`,
    (text: string) => String.raw`{\"continue\":\"${text}\"}`,
    (text: string) => String.raw`log\n${text}`,
    (text: string) => `(${text}).`,
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
    for (const text of ['eyJ2IjoibWV0YS5rOHM', 'a'.repeat(50), 'sha256:eyJ', `x${token}`, '']) {
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

  it.each(['e', 'ey', 'eyJ', 'I', '%2', '\\n', 'ew '])(
    'is quick on a line of %j alone',
    (piece) => {
      const line = piece.repeat(longestLine);
      const begin = performance.now();
      candidateAt(line, line.length / 2);
      expect(performance.now() - begin).toBeLessThan(200);
    },
  );
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
