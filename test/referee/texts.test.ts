import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { utf8 } from '../../server/common/bytes';
import { parseFieldSelector, parseLabelSelector } from '../../server/kube/selectors';
import { SelectorError } from '../../server/kube/selectors/types';
import { decodeContinue, TokenError } from '../../server/store/continueToken';
import { etcdMissing, startEtcd, type RunningEtcd } from '../support/etcdServer';
import { Oracle, oracleMissing, type Pairs, type Parsed } from './oracle';
import { refereeSettings, timeoutFor } from './settings';

const { cases, seed, seeded } = refereeSettings();

/** One verdict in one form for both sides. */
interface Verdict {
  readonly text?: string;
  readonly empty?: boolean;
  readonly matches?: readonly boolean[];
  readonly key?: string;
  readonly revision?: string;
  readonly error?: string;
}

const decoded = (base64: string | undefined): string =>
  Buffer.from(base64 ?? '', 'base64').toString('utf8');

function upstreamSelector({ text = '', empty = false, matches = [], error }: Parsed): Verdict {
  return error === undefined ? { text, empty, matches } : { error: decoded(error) };
}

interface Selector {
  empty(): boolean;
  matches(set: ReadonlyMap<string, string>): boolean;
  toString(): string;
}

function ourSelector(parse: () => Selector, sets: readonly Pairs[]): Verdict {
  try {
    const selector = parse();
    const matches = sets.map((pairs) => selector.matches(new Map(pairs)));
    return { text: String(selector), empty: selector.empty(), matches };
  } catch (error) {
    if (error instanceof SelectorError) return { error: error.message };
    throw error;
  }
}

function ourToken(token: string, prefix: string): Verdict {
  try {
    const { key, resourceVersion } = decodeContinue(token, utf8(prefix));
    return { key: Buffer.from(key).toString('utf8'), revision: String(resourceVersion) };
  } catch (error) {
    if (error instanceof TokenError) return { error: error.message };
    throw error;
  }
}

const joined = (parts: readonly string[], most: number): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom(...parts), { maxLength: most, size: 'max' })
    .map((found) => found.join(''));

const long = 'x'.repeat(64);
const words = [
  'a',
  'app',
  'b.c/d',
  'in',
  'notin',
  '1',
  '-5',
  '007',
  '+7',
  'A_b',
  '9223372036854775808',
  long,
  '__proto__',
  'ä',
  '\u{1f600}',
  '/',
  'x/',
  '/x',
  '_',
  '.',
];
const glue = [
  '=',
  '==',
  '!=',
  '!',
  ',',
  '(',
  ')',
  '<',
  '>',
  ' in ',
  ' notin ',
  ' ',
  '\t',
  '\n',
  '\0',
  '\u00a0',
  '\v',
  '"',
  '\\',
  '&',
];
const labelText = fc.oneof(
  joined([...words, ...glue], 9),
  joined(['a', '=', ',', 'in', '(', ')', ' ', '!', 'b', '>1'], 14),
);
const fieldText = joined(
  ['metadata.name', 'a', 'b', '=', '==', '!=', ',', '\\', '\\,', '\\=', '\\\\', ' ', 'ä', '\0', ''],
  9,
);

const set: fc.Arbitrary<Pairs> = fc.array(
  fc.tuple(
    fc.constantFrom('a', 'app', 'b', 'b.c/d', 'in', '__proto__', 'metadata.name'),
    fc.constantFrom('', 'a', 'b', '1', '-5', '007', 'app'),
  ),
  { maxLength: 4 },
);
const sets = fc.array(set, { minLength: 1, maxLength: 3 });

const jsonText = joined(
  [
    '{',
    '}',
    '"v"',
    '"V"',
    ':',
    ',',
    '"meta.k8s.io/v1"',
    '"rv"',
    '1',
    '0',
    '-1',
    '1.0',
    '1e3',
    '9223372036854775808',
    'null',
    '"start"',
    '"START"',
    '"a"',
    '"/a/b"',
    '"../x"',
    '"a//b"',
    '""',
    '"\\u0000"',
    '"\\ud800"',
    '[',
    ']',
    ' ',
    '\n',
    'true',
    '"x"',
    '"\\uFFFD<>"',
  ],
  16,
);
const member = fc.constantFrom(
  '"v":"meta.k8s.io/v1"',
  '"V":"meta.k8s.io/v1"',
  '"v":"v2"',
  '"v":null',
  '"rv":5',
  '"rv":-1',
  '"rv":0',
  '"RV":7',
  '"rv":"1"',
  '"rv":1.5',
  '"start":"a/b\\u0000"',
  '"start":"/a"',
  '"start":"."',
  '"start":"a/../b"',
  '"start":null',
  '"start":"\\u2028"',
  '"Start":"z"',
  '"other":{"a":[1,2]}',
  '"ſtart":"k"',
);
const nearToken = fc
  .oneof(
    jsonText,
    fc.array(member, { maxLength: 6 }).map((members) => `{${members.join(',')}}`),
  )
  .map((json) => Buffer.from(json).toString('base64url'));
const tokenText = fc.oneof(
  { weight: 6, arbitrary: nearToken },
  {
    weight: 1,
    arbitrary: joined(
      ['A', 'Q', '-', '_', '=', '+', '/', '\n', '\r', ' ', 'ey', 'J2', '\u00e4', '\0'],
      12,
    ),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(nearToken, fc.nat(60), fc.constantFrom('=', '\n', 'A', ' ', '+', '-', ''))
      .map(([token, at, more]) => token.slice(0, at) + more + token.slice(at + 1)),
  },
  {
    weight: 1,
    arbitrary: fc
      .uint8Array({ maxLength: 30 })
      .map((bytes) => Buffer.from(bytes).toString('base64url')),
  },
);

describe.skipIf(oracleMissing() || etcdMissing('3.7'))('texts beside upstream’s parsers', () => {
  let etcd: RunningEtcd;
  let oracle: Oracle;
  beforeAll(async () => {
    etcd = await startEtcd('3.7');
    oracle = await Oracle.start(etcd.endpoint);
  });
  afterAll(async () => {
    await oracle.stop();
    await etcd.stop();
  });

  const compareAll = async <T>(
    given: fc.Arbitrary<T>,
    compare: (value: T) => Promise<void>,
  ): Promise<void> => {
    let done = 0;
    const property = fc.asyncProperty(given, async (value) => {
      await compare(value);
      done++;
    });
    await fc.assert(property, { seed, numRuns: cases });
    expect(done).toBe(cases);
  };
  const timeoutMs = timeoutFor(cases);

  it(
    `reads ${String(cases)} label selectors alike${seeded}`,
    async () => {
      await compareAll(fc.tuple(labelText, sets), async ([text, against]) => {
        const ours = ourSelector(() => parseLabelSelector(text), against);
        expect(ours).toEqual(upstreamSelector(await oracle.parseSelector('labels', text, against)));
      });
    },
    timeoutMs,
  );

  it(
    `reads ${String(cases)} field selectors alike${seeded}`,
    async () => {
      await compareAll(fc.tuple(fieldText, sets), async ([text, against]) => {
        const ours = ourSelector(() => parseFieldSelector(text), against);
        expect(ours).toEqual(upstreamSelector(await oracle.parseSelector('fields', text, against)));
      });
    },
    timeoutMs,
  );

  it(
    `reads ${String(cases)} tokens alike${seeded}`,
    async () => {
      const prefix = fc.constantFrom('/registry/pods/', '/registry/pods/web/', '/r/');
      await compareAll(fc.tuple(tokenText, prefix), async ([text, below]) => {
        const { key, revision = '0', error } = await oracle.parseToken(text, below);
        const upstream =
          error === undefined ? { key: decoded(key), revision } : { error: decoded(error) };
        expect(ourToken(text, below)).toEqual(upstream);
      });
    },
    timeoutMs,
  );
});
