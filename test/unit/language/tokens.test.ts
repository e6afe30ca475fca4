import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { utf8 } from '../../../server/common/bytes';
import {
  encodeTokenFields,
  explainToken,
  readShown,
  showText,
} from '../../../server/language/tokenFacts';
import { escapeMarkdown, tokenMarkdown } from '../../../server/language/tokenMarkdown';
import { findTokens, listedBefore, pastedToken, tokenAt } from '../../../server/language/tokens';
import { encodeContinue } from '../../../server/store/continueToken';

const prefix = utf8('/registry/pods/');
const token = encodeContinue(utf8('/registry/pods/web/nginx-1\0'), prefix, 84213n);
const base64 = (json: string): string => Buffer.from(json).toString('base64url');

describe('a token in a text', () => {
  it.each([
    ['raw', token, 'raw'],
    ['a line of its own', `  ${token}\n`, 'raw'],
    ['quoted', `"${token}"`, 'quoted'],
    ['in single quotes', `'${token}'`, 'quoted'],
    ['a URL', `https://k:6443/api/v1/pods?limit=500&continue=${token}&watch=0`, 'parameter'],
    ['an encoded URL', `uri=%2Fapi%2Fv1%2Fpods%3Fcontinue%3D${token}%26limit%3D5`, 'parameter'],
    ['JSON', `{"metadata":{"continue":"${token}","resourceVersion":"5"}}`, 'metadata'],
    ['JSON in JSON', `{"log":"{\\"continue\\":\\"${token}\\"}"}`, 'metadata'],
    ['YAML', `metadata:\n  continue: ${token}\n  resourceVersion: "5"`, 'metadata'],
    ['a log line', `I1129 trace.go:236] "List" key:/pods (${token}) took 3s`, 'text'],
    ['a line in a line of a log', String.raw`{"log":"list\n${token}\n"}`, 'text'],
    ['after a tabulator', String.raw`"a\t${token}"`, 'text'],
    [
      'JSON with escapes',
      String.raw`{"uri":"/api/v1/pods?continue\u003d${token}\u0026x"}`,
      'parameter',
    ],
    [
      'after an escaped ampersand',
      String.raw`/pods?x=1\u0026continue=${token}\u0026y`,
      'parameter',
    ],
    ['escaped quotes', String.raw`x\u0022${token}\u0022`, 'text'],
    ['a string of C', String.raw`/pods?continue\x3d${token}\x26x`, 'parameter'],
    ['an address in an address', `u=x%253Fcontinue%253D${token}%2526limit`, 'parameter'],
    ['a command', `kubectl get --raw '/api/v1/pods?continue=${token}'`, 'parameter'],
  ])('is found: %s', (_, text, place) => {
    const found = pastedToken(text);
    expect(found).toMatchObject({ token, place });
    expect(text.slice(found.start, found.end)).toBe(token);
  });

  it('is found with other field orders, whitespace, versions and missing fields', () => {
    for (const json of [
      '{"rv":5,"start":"a\\u0000","v":"meta.k8s.io/v1"}',
      '{ "v": "meta.k8s.io/v1", "rv": 5 }',
      '{\n"V":"meta.k8s.io/v2","RV":5,"START":"a"}',
      '{"rv":"five","start":"a"}',
    ]) {
      const line = `x ${base64(json)} y`;
      expect([...findTokens(line)].map((each) => each.token)).toEqual([base64(json)]);
    }
  });

  it('is not what only looks like one', () => {
    const jwt = `${base64('{"alg":"RS256","typ":"JWT"}')}.${base64('{"sub":"x","start":1}')}.sig`;
    for (const text of [
      jwt,
      base64('{"v":1,"other":2}'),
      'eyJ2Ijoi',
      `x${token}`,
      token.slice(0, -9),
    ]) {
      expect([...findTokens(`see ${text} there`)]).toEqual([]);
    }
  });

  it('keeps padding, which upstream refuses, encoded or not', () => {
    expect(pastedToken(`x?continue=${token}%3D%3D&a`)).toMatchObject({
      token: `${token}==`,
      percentEncoded: true,
    });
    expect(pastedToken(`${token}=`)).toMatchObject({ token: `${token}=`, percentEncoded: false });
    expect(explainToken(`${token}=`, prefix)).toMatchObject({
      verdict: 'notAToken',
      json: '{"v":"meta.k8s.io/v1","rv":84213,"start":"web/nginx-1\\\\u0000"}'.replace(
        '\\\\',
        '\\',
      ),
    });
  });

  it.each(['%253D', String.raw`\u003d`, String.raw`\x3D`, '%3d'])(
    'takes its padding along, escaped as %s',
    (escape) => {
      for (const text of [`x ${token}${escape}${escape}&a`, `${token}${escape}${escape}`]) {
        expect(pastedToken(text).token).toBe(`${token}==`);
      }
    },
  );

  it.each([
    ['that are none', 'eyJAAAAAAAAAAAAAAA '],
    ['that end as one', `${base64('{"AAAAAAAAA:}')} `],
    ['of web tokens', `${base64('{"alg":"RS256","typ":"JWT"}')}.`],
  ])('is looked for within seconds among 28 MB of candidates %s', (_, piece) => {
    const many = piece.repeat(Math.floor(28_500_000 / piece.length));
    const began = performance.now();
    pastedToken(many);
    expect(performance.now() - began).toBeLessThan(10_000);
    expect(pastedToken(piece.repeat(500) + token).token).toBe(token);
  });

  it('wrapped over lines is one token, as the API server reads it', () => {
    const wrapped = `${token.slice(0, 20)}\r\n${token.slice(20)}`;
    expect(explainToken(pastedToken(wrapped).token, prefix).verdict).toBe('ok');
  });

  it('is the first of several on lines of their own', () => {
    const other = encodeContinue(utf8('/registry/pods/x\0'), prefix, 7n);
    expect(pastedToken(`${token}\n${other}\n`)).toMatchObject({ token, start: 0 });
  });

  it("is what a URL's parameter carries, also when no API server wrote it", () => {
    const url = 'https://k/api/v1/pods?limit=5&continue=abc%2F&watch=0';
    const found = pastedToken(url);
    expect(found).toMatchObject({ token: 'abc/', place: 'parameter', percentEncoded: true });
    expect(url.slice(found.start, found.end)).toBe('abc%2F');
    expect(pastedToken('x?continue=%zz').token).toBe('%zz');
  });

  it('is judged whole when it is long', () => {
    const long = encodeContinue(utf8(`/registry/pods/${'x'.repeat(80_000)}`), prefix, 7n);
    expect(explainToken(pastedToken(long).token, prefix).verdict).toBe('ok');
  });

  it('is the one under the pointer', () => {
    const other = encodeContinue(utf8('/registry/pods/x\0'), prefix, 7n);
    const line = `${token} ${other}`;
    expect(tokenAt(line, 0)?.token).toBe(token);
    expect(tokenAt(line, token.length)?.token).toBe(token);
    expect(tokenAt(line, token.length + 1)?.token).toBe(other);
    expect(tokenAt(`abc ${token}`, 1)).toBeUndefined();
    expect(tokenAt(line, 1e9)).toBeUndefined();
  });

  it('takes no longer than in proportion to the text', () => {
    const began = performance.now();
    for (const text of [
      'eyJ2'.repeat(250_000),
      'ey-'.repeat(300_000),
      `${'e'.repeat(1_000_000)}%3D`,
      '%3D'.repeat(300_000),
      'continue='.repeat(100_000),
    ]) {
      pastedToken(text);
      tokenAt(text, 500_000);
      listedBefore(text, text.length);
    }
    expect(performance.now() - began).toBeLessThan(5000);
  });

  it('never makes anything throw', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        for (const each of [text, base64(text), base64(`{"v":"meta.k8s.io/v1",${text}}`)]) {
          const facts = explainToken(pastedToken(each).token, prefix);
          expect(tokenMarkdown(facts)).not.toMatch(/<[a-z]/i);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('the resource before a token', () => {
  it.each([
    ['GET /api/v1/namespaces/web/pods?continue=', { resource: 'pods', namespace: 'web' }],
    [
      '"/apis/apps/v1/deployments?limit=5&continue=',
      { resource: 'deployments.apps', namespace: '' },
    ],
    ['/api/v1/namespaces?continue=', { resource: 'namespaces', namespace: '' }],
  ])('of %s', (text, listed) => {
    expect(listedBefore(text, text.length)).toEqual(listed);
  });

  it('is unknown where there is no path, or another lies between', () => {
    for (const text of ['continue=', '/api/v1/pods?x=1 and continue=', '/api/v2/pods?continue=']) {
      expect(listedBefore(text, text.length)).toBeUndefined();
    }
  });
});

describe("a token's facts", () => {
  it.each([
    [token, 'ok', ''],
    ['bm9wZQ', 'notAToken', 'invalid continue token: continue key is not valid: '],
    [encodeTokenFields('v2', 5n, 'a'), 'unrecognizedVersion', 'encoded version v2'],
    [encodeTokenFields('meta.k8s.io/v1', 0n, 'a'), 'zeroRevision', 'start resourceVersion'],
    [encodeTokenFields('meta.k8s.io/v1', 5n, ''), 'emptyStart', 'encoded start key empty'],
    [
      encodeTokenFields('meta.k8s.io/v1', 5n, '../s'),
      'uncleanStart',
      'continue key is not valid: ../s',
    ],
    [encodeTokenFields('meta.k8s.io/v1', 5n, 'a//b'), 'uncleanStart', 'a//b'],
  ] as const)('%s is %s', (text, verdict, upstream) => {
    const facts = explainToken(text, prefix);
    expect(facts.verdict).toBe(verdict);
    expect(facts.upstreamError).toContain(upstream);
    expect(facts.why).not.toBe('');
    expect(facts.resumesAt === '').toBe(verdict !== 'ok');
  });

  it('show the NUL, and say what -1 means', () => {
    expect(explainToken(token, prefix)).toMatchObject({
      start: 'web/nginx-1\\x00',
      resumesAt: '/registry/pods/web/nginx-1\\x00',
      resourceVersion: '84213',
    });
    const inconsistent = encodeTokenFields('meta.k8s.io/v1', -1n, 'a');
    expect(explainToken(inconsistent, prefix).revisionMeaning).toContain('latest revision');
    expect(explainToken(token, undefined)).toMatchObject({ verdict: 'ok', resumesAt: '' });
  });
});

describe('shown text', () => {
  it('is read back exactly', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const shown = showText(text);
        expect(readShown(shown)).toBe(text);
        expect(shown).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      }),
    );
    expect(readShown('a\\x0')).toBeUndefined();
    expect(readShown('a\\')).toBeUndefined();
    expect(readShown('\\u{110000}')).toBeUndefined();
  });
});

describe('Markdown', () => {
  it('holds untrusted text as text', () => {
    const hostile =
      '<img src=x onerror=alert(1)> [a](command:x) `code` **b** http://evil\n# h | $(x)';
    const escaped = escapeMarkdown(hostile);
    expect(escaped).not.toMatch(/[<>`*[\]()|$\n]|command:|http:/);
    const decoded = escaped.replace(/&#(\d+);/g, (_, code: string) =>
      String.fromCharCode(Number(code)),
    );
    expect(decoded).toBe(hostile.replace('\n', ' '));
    const facts = explainToken(encodeTokenFields('meta.k8s.io/v1', 5n, hostile), prefix);
    expect(tokenMarkdown(facts)).not.toMatch(/<img|\]\(/);
  });
});

describe('a token behind a flag', () => {
  const sent = Buffer.from('{"v":"meta.k8s.io/v1","rv":5,"start":"a\\u0000"}').toString(
    'base64url',
  );

  it.each(['--continue=', '-continue ', 'continue=', '  --continue  "'])(
    'is taken: %s',
    (before) => {
      const text = `${before}${sent}${before.endsWith('"') ? '"' : ''}`;
      const found = pastedToken(text);
      expect(found).toMatchObject({ token: sent, place: 'parameter' });
      expect(text.slice(found.start, found.end)).toBe(sent);
    },
  );

  it('is what the API server would judge, token or not', () => {
    expect(pastedToken('--continue=abc')).toMatchObject({ token: 'abc', place: 'parameter' });
  });
});
