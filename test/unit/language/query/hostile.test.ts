import { describe, expect, it } from 'vitest';
import {
  LONGEST_FILE,
  LONGEST_REQUEST,
  LONGEST_YAML,
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

/** Milliseconds of the processor, whatever else runs on it. */
function spent<T>(work: () => T): { readonly result: T; readonly ms: number } {
  const begin = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(begin);
  return { result, ms: (user + system) / 1000 };
}

function timed<T>(work: () => T): T {
  const { result, ms } = spent(work);
  expect(ms).toBeLessThan(LONGEST);
  return result;
}

/** Of the shortest of three tries. */
const shortest = (text: string, yaml = false): number =>
  Math.min(...[0, 1, 2].map(() => spent(() => all(text, yaml)).ms));

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
    ['of a prefix', 'list /', 'a/'],
    ['of a token', 'list pods --continue ', 'eyJ2'],
    ['of braces', 'list pods --continue ', '{'],
  ])('%s is looked at, in time that grows with it and no faster', (_, begin, unit) => {
    const textOf = (length: number): string =>
      begin + unit.repeat(Math.floor(length / unit.length));
    const { findings, queries } = timed(() => all(textOf(most)));
    expect(findings.map(({ code }) => code)).not.toContain('not-checked');
    expect(queries).toHaveLength(1);
    // A square would be sixteen times.
    expect(shortest(textOf(most))).toBeLessThan(8 * shortest(textOf(most / 4)) + 100);
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

it('a request with very many faults before very many headers takes no longer for these', () => {
  const faults = `GET /api/v1/pods\n${' & b\n'.repeat(20_000)}`;
  const text = `${faults}${'A:\n'.repeat(40_000)}`;
  expect(text.length).toBeLessThan(LONGEST_REQUEST);
  const { findings, untold } = all(text);
  const told = findings.filter(({ message }) => message === 'Headers have no effect here.');
  // It is the least of very many.
  expect(told.length + (untold['no-effect'] ?? 0)).toBe(1);
  expect(shortest(text)).toBeLessThan(8 * shortest(`${faults}${'# \n'.repeat(40_000)}`));
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

  it('whose resources are all unknown takes little longer than as many as are told', () => {
    const textOf = (count: number): string =>
      Array.from({ length: count }, (_, i) => `list deployments${i}\n###\n`).join('');
    const { result, ms } = spent(() => all(textOf(MOST_BLOCKS - 1)));
    const { findings } = result;
    expect(findings).toHaveLength(MOST_FINDINGS);
    expect(findings.every(({ fixes }) => fixes.length > 0)).toBe(true);
    // Of one that is not told no near name is looked for; ten times as many are read.
    expect(ms).toBeLessThan(5 * spent(() => all(textOf(MOST_FINDINGS))).ms);
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
  const TOO_DEEP = 'This file is nested too deeply to be looked at.';
  const TOO_LARGE = 'This file is too large to be looked at: more than 256 KiB.';

  it.each([
    ['that is nested deeply', '[', TOO_DEEP],
    ['of maps in maps', '{a: ', TOO_DEEP],
    ['of indentation', '- ', TOO_DEEP],
    ['of documents', '---\nresource: pods\n', 'Only the first 10,000 queries are looked at.'],
    ['of members', 'resource: pods\n', 'resource stands here twice.'],
    ['of other members', 'lmit: 1\n', /^A query knows no member "lmit": it has no effect\./],
    ['of anchors', '- &a [*a]\n', /^A query is a mapping with members/],
    ['of quotes', '"', /^(?:A query is a mapping|Unexpected double-quoted-scalar)/],
    ['of colons', ':\n', /^A query (?:knows no member|needs a resource)/],
    ['of merges', '<<: {a: b}\n', /^A query needs a resource/],
    ['of tabulators', '\t', ''],
  ])('%s is looked at or refused in words', (_, unit, message) => {
    const text = unit.repeat(Math.floor(LONGEST_YAML / unit.length));
    const { findings, untold } = timed(() => all(text, true));
    const others = findings.filter((each) => !/^A query needs a resource/.test(each.message));
    for (const each of others) expect(each.message).toMatch(message);
    expect(findings.length > 0).toBe(message !== '');
    expect(findings.length).toBeLessThanOrEqual(MOST_FINDINGS);
    const isMuch = Object.keys(untold).length > 0;
    expect(isMuch).toBe(findings.length === MOST_FINDINGS);
    const longer = text + unit.repeat(unit.length + 1);
    const refused = all(longer, true).findings.map((each) => each.message);
    expect(refused).toEqual([TOO_LARGE]);
  });

  it.each([
    ['of members', (i: number) => `resource: pods${i}\n`],
    ['of other members', (i: number) => `limi${i}: 1\n`],
    ['of anchors', (i: number) => `a${i}: &a${i} [*a${i}]\n`],
    ['of merges', (i: number) => `<<: {a${i}: b}\n`],
  ])('%s takes time that grows with it, and no faster', (_, part) => {
    const textOf = (count: number): string =>
      Array.from({ length: count }, (__, i) => part(i)).join('');
    expect(textOf(8000).length).toBeLessThan(LONGEST_YAML);
    expect(shortest(textOf(8000), true)).toBeLessThan(8 * shortest(textOf(2000), true) + 100);
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
    const { findings } = timed(() => all(text, true));
    const told = findings.filter(({ code }) => code === 'query');
    expect(told.map(({ message }) => message)).toEqual([
      'resource takes one text, number or truth value.',
    ]);
    const { start, end } = told[0]!.span;
    expect(text.slice(start, end)).toBe('*a29');
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
