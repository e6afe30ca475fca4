import { describe, expect, it } from 'vitest';
import {
  LONGEST_FILE,
  MOST_BLOCKS,
  MOST_FINDINGS,
} from '../../../../server/language/query/options';
import { PATIENCE_MS } from '../../../../server/features/language/analyst';
import { open } from './support';

/** Everything that is asked of a document; none of it may throw. */
function all(text: string, yaml = false) {
  const file = open(text, {}, yaml);
  const analysis = file.analysis();
  for (const offset of [0, 1, Math.floor(text.length / 2), text.length]) {
    file.spotAt(offset);
    file.siteAt(offset);
  }
  const rest = [file.symbols(), file.folds(), file.semanticTokens(), file.format()];
  return { ...analysis, queries: file.queries(), rest };
}

/** Milliseconds after which the product gives up. */
const LONGEST = PATIENCE_MS;

function timed<T>(work: () => T): T {
  const begin = performance.now();
  const result = work();
  expect(performance.now() - begin).toBeLessThan(LONGEST);
  return result;
}

const codes = (text: string, yaml = false) =>
  timed(() => all(text, yaml)).findings.map(({ code }) => code);

describe('a file of 50 MB', () => {
  it.each([
    ['of requests', 'list pods -n web -l app=nginx\n###\n'],
    ['of line breaks', '\n'],
  ])('%s is not looked at', (_, unit) => {
    const text = unit.repeat(Math.ceil((50 * 1024 * 1024) / unit.length));
    expect(codes(text)).toEqual(['not-checked']);
    expect(codes(text, true)).toEqual(['not-checked']);
  });
});

it('a line of 5 MB is not looked at', () => {
  for (const begin of ['x', 'list pods -l ', 'GET /', '# ']) {
    const text = begin + 'a'.repeat(5 * 1024 * 1024);
    expect(codes(text)).toEqual(['not-checked']);
    expect(codes(text, true)).toEqual(['not-checked']);
  }
});

describe('a line of 1 MB', () => {
  const most = 1024 * 1024;
  it.each([
    ['of a selector', 'list pods -l ', 'a=b,'],
    ['of words', 'kubectl get pods ', 'a '],
    ['of quotes', 'list pods ', "''"],
    ['of backslashes', 'list pods ', '\\'],
    ['of dollars', 'list pods ', "$'\\x41' "],
    ['of flags', 'list pods ', '-l a '],
    ['of an address', 'GET /api/v1/pods?labelSelector=', '%41'],
    ['of parameters', 'GET /api/v1/pods?', 'a=b&'],
    ['of slashes', 'GET ', '/'],
    ['of a comment', '# ', 'a '],
    ['of a separator', '###', '#'],
    ['of blanks', 'list', ' '],
  ])('%s is answered or refused', (_, begin, unit) => {
    const text = begin + unit.repeat(Math.ceil(most / unit.length));
    const { findings, queries } = timed(() => all(text));
    const isRead = text.startsWith('#');
    expect(findings.some(({ code }) => code === 'not-checked')).toBe(!isRead);
    expect(queries.every(({ request }) => request === undefined)).toBe(true);
  });
});

describe('a request of 250 kB', () => {
  const most = 250_000;
  it.each([
    ['of values', 'list pods -l ', 'a=b,'],
    ['of one list', 'list pods -l a\\ in\\ \\(', 'b,'],
    ['of blanks', "list pods -l '", ' '],
    ['of parentheses', "list pods -l '", '('],
    ['of fields', 'list pods --field-selector ', 'metadata.name=a,'],
    ['of backslashes', 'list pods --field-selector ', '\\\\'],
    ['of quotes', 'list pods -l ', "''"],
    ['of joints', 'list pods ', '\\\n'],
    ['of an address', 'GET /api/v1/pods?labelSelector=', '%41'],
    ['of bad bytes', 'GET /api/v1/pods?labelSelector=', '%f0'],
    ['of unknown parameters', 'GET /api/v1/pods?', 'lablSelector=b&'],
    ['of headers', 'GET /api/v1/pods\n', 'A: b\n'],
    ['of lines', 'GET /api/v1/pods\n', '  &a=b\n'],
    ['of numbers', 'list pods --limit=', '1'],
    ['of underscores', 'kubectl get pods --chunk-size=', '1_'],
    ['of a resource', 'list ', 'a'],
    ['of a name', '# @name ', 'a'],
    ['of a prefix', 'list /', 'a/'],
    ['of a token', 'list pods --continue ', 'eyJ2'],
    ['of braces', 'list pods --continue ', '{'],
  ])('%s is answered', (_, begin, unit) => {
    const text = begin + unit.repeat(Math.floor(most / unit.length));
    timed(() => all(text));
  });

  it('that contradicts itself very often is answered', () => {
    const textOf = (count: number): string => {
      const values = Array.from({ length: count }, (_, i) => `v${i}`);
      return `list pods -l 'k in (${values.join(',')}),${values.map((value) => `k!=${value}`).join(',')}'`;
    };
    expect(codes(textOf(9000))).toContain('contradiction');
    expect(codes(textOf(15_000))).toEqual(['not-checked']);
  });

  it('that repeats itself very often has a bounded number of findings', () => {
    const { findings, untold } = timed(() => all(`list pods -l ${'a,'.repeat(100_000)}a`));
    expect(findings).toHaveLength(MOST_FINDINGS);
    // The first one repeats nothing, and one finding says that those behind 10,000 were not held.
    expect(untold).toEqual({ 'duplicate-requirement': 10_000 - MOST_FINDINGS });
  });
});

it('a request with very many faults before very many headers is answered', () => {
  const text = `GET /api/v1/pods\n${' & b\n'.repeat(20_000)}${'A:\n'.repeat(40_000)}`;
  const begin = performance.now();
  all(text);
  expect(performance.now() - begin).toBeLessThan(LONGEST / 4);
});

describe('a file of many blocks', () => {
  it('is looked at up to a number of them', () => {
    const text = 'list po -A\n###\n'.repeat(100_000);
    const { findings, queries } = timed(() => all(text));
    expect(queries).toHaveLength(MOST_BLOCKS);
    expect(findings).toMatchObject([{ code: 'not-checked' }]);
    const { start, end } = findings[0]!.span;
    expect(text.slice(start, end)).toBe('###');
  });

  it('whose selectors are all wrong is answered', () => {
    const blanks = ' '.repeat(100);
    const text = `list pods -l 'a${blanks}b'\n###\n`.repeat(MOST_BLOCKS);
    expect(text.length).toBeLessThan(LONGEST_FILE);
    expect(codes(text)).toHaveLength(MOST_FINDINGS);
  });

  it('with very many findings says all the same where it ends', () => {
    const text = "list pods -l 'a b'\n###\n".repeat(MOST_BLOCKS + 1);
    const { findings, untold } = timed(() => all(text));
    expect(findings).toHaveLength(MOST_FINDINGS);
    expect(untold).toEqual({ 'label-selector': MOST_BLOCKS - MOST_FINDINGS + 1 });
    expect(findings.filter(({ code }) => code === 'not-checked')).toMatchObject([
      { message: 'Only the first 10,000 blocks are looked at.' },
    ]);
    expect(findings.at(-1)?.code).toBe('not-checked');
  });

  it('that all take a token of nearly the name of another is answered', () => {
    const block = (i: number) => `# @name na${i}\nlist po --continue {{nb${i}.continue}}\n###\n`;
    const text = Array.from({ length: MOST_BLOCKS }, (_, i) => block(100_000 + i)).join('');
    expect(text.length).toBeLessThan(LONGEST_FILE);
    const { findings, untold } = timed(() => all(text));
    expect(findings).toHaveLength(MOST_FINDINGS);
    // One of those told says that the block behind them was not looked at.
    expect(untold).toEqual({ query: MOST_BLOCKS - MOST_FINDINGS + 1 });
    expect(findings[1]?.fixes.map(({ title }) => title)).toEqual(['Take it from na100000']);
  });

  it('that all take the token of one is answered', () => {
    const text =
      '# @name a\nlist pods --limit=5\n' +
      '###\nlist pods --limit=5 --continue {{a.continue}}\n'.repeat(5000);
    expect(codes(text)).toEqual([]);
  });

  it('that are all named nearly so is answered', () => {
    const named = Array.from({ length: 2000 }, (_, i) => `# @name name${i}\nlist pods\n###\n`);
    const asked = 'list pods --continue {{nam.continue}}\n###\n'.repeat(500);
    expect(codes(named.join('') + asked)).toHaveLength(500);
  });
});

it('a name of 600 characters is refused and not overlooked', () => {
  expect(codes(`# @name ${'a'.repeat(600)}\nlist pods\n`)).toEqual(['query']);
});

describe('YAML', () => {
  it.each([
    ['that is nested deeply', '[', 500_000],
    ['of maps in maps', '{a: ', 100_000],
    ['of documents', '---\nresource: pods\n', 10_000],
    ['of members', 'resource: pods\n', 60_000],
    ['of anchors', '- &a [*a]\n', 50_000],
    ['of quotes', '"', 1_000_000],
    ['of tabulators', '\t', 1_000_000],
    ['of colons', ':\n', 400_000],
    ['of indentation', '- ', 400_000],
  ])('%s is answered or refused', (_, unit, times) => {
    const { findings } = timed(() => all(unit.repeat(times), true));
    expect(findings.length).toBeLessThanOrEqual(MOST_FINDINGS);
  });

  it('with very many findings says all the same where it ends', () => {
    const text = '---\nx: a\n'.repeat(MOST_BLOCKS + 1);
    const { findings, untold } = timed(() => all(text, true));
    expect(findings).toHaveLength(MOST_FINDINGS);
    expect(untold).not.toEqual({});
    expect(findings.at(-1)?.message).toBe('Only the first 10,000 queries are looked at.');
  });

  it('whose aliases make very much of little is not expanded', () => {
    const levels = Array.from({ length: 30 }, (_, i) => {
      const before = i === 0 ? '"x"' : `*a${i - 1}`;
      return `- &a${i} [${Array.from({ length: 9 }, () => before).join(', ')}]`;
    });
    const text = `x:\n${levels.map((level) => `  ${level}`).join('\n')}\nresource: *a29\n`;
    expect(codes(text, true)).toContain('query');
  });
});

describe('texts that are no texts', () => {
  it.each([
    'list \0pods -l a\0=b',
    'GET /api/v1/pods?labelSelector=\0&limit=%00',
    'kubectl get \ud800 -l \udfff',
    'GET /api/v1/\ud800?labelSelector=\udc00',
    "list pods -l 'a\ud800 in b'",
    '\u202elist pods',
    '\ufeff\ufefflist pods',
    '###\u2028list pods',
    "list pods -l $'\\ud800'",
    "list pods -l $'\\udfff\\xff\\0'",
  ])('%j is answered', (text) => {
    all(text);
    all(text, true);
  });
});
