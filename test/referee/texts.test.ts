import fc from 'fast-check';
import { beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { utf8 } from '../../server/common/bytes';
import { parseFieldSelector, parseLabelSelector } from '../../server/kube/selectors';
import { SelectorError } from '../../server/kube/selectors/types';
import { decodeContinue, TokenError } from '../../server/store/continueToken';
import { mustBeShare, mustHaveMet, tell } from './enough';
import { Oracle, oracleMissing, type Pairs, type Parsed } from './oracle';
import { refereeSettings, timeoutFor } from './settings';
import { Tally } from './tally';
import { fieldKinds, fieldSets, fieldText } from './texts/fields';
import type { Given } from './texts/given';
import { labelKinds, labelSets, labelText } from './texts/labels';
import { tokenKinds, tokenText } from './texts/tokens';

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

/** Whether a set has just the number that `<` or `>` names. */
function isAtBound({ text, operators }: Given, against: readonly Pairs[]): boolean {
  if (operators.length !== 1 || !/[<>]/.test(operators[0]!)) return false;
  const [requirement] = parseLabelSelector(text).requirements;
  return against.some((pairs) => {
    const given = new Map(pairs).get(requirement!.key);
    return given !== undefined && Number(given) === Number(requirement!.values[0]);
  });
}

/** What upstream's verdict on a selector is an example of. */
function kindsOf(given: Given, against: readonly Pairs[], verdict: Verdict): string[] {
  const { text, empty = false, matches = [] } = verdict;
  if (text === undefined) return ['refused'];
  if (empty) return ['selects all'];
  const kinds = ['valid', ...given.traits];
  const [operator, ...more] = given.operators;
  if (operator === undefined || more.length > 0) return kinds;
  if (matches.includes(true)) kinds.push(`${operator} matching`);
  if (matches.includes(false)) kinds.push(`${operator} not matching`);
  if (isAtBound(given, against)) kinds.push(`${operator} at its bound`);
  return kinds;
}

describe.skipIf(oracleMissing())('texts beside upstream’s parsers', () => {
  let oracle: Oracle;
  beforeAll(async () => {
    oracle = await Oracle.start();
    return () => oracle.stop();
  });

  /** Compares so many; `compare` resolves to the kinds that the two agreed on. */
  async function compareAll<T>(
    given: fc.Arbitrary<T>,
    kinds: readonly string[],
    compare: (value: T) => Promise<readonly string[]>,
  ): Promise<Tally> {
    const tally = new Tally();
    let differs = false;
    const property = fc.asyncProperty(given, async (value) => {
      const found = await compare(value).catch((error: unknown) => {
        differs = true;
        throw error;
      });
      // What is compared while a difference is made smaller is no part of the run.
      if (!differs) tally.count(...found);
    });
    await fc.assert(property, { seed, numRuns: cases });
    console.log(`referee: ${String(tally.total)} texts compared\n${tally.text()}`);
    expect(tally.total).toBe(cases);
    mustHaveMet(tally, kinds);
    mustBeShare(tally.of('valid'), tally.total, 1 / 3, 'valid texts that ask for something');
    return tally;
  }

  const selectors = (
    op: 'labels' | 'fields',
    [given, against]: readonly [Given, readonly Pairs[]],
    parse: (text: string) => Selector,
  ): Promise<string[]> =>
    oracle.parseSelector(op, given.text, against).then((parsed) => {
      const upstream = upstreamSelector(parsed);
      expect(ourSelector(() => parse(given.text), against)).toEqual(upstream);
      return kindsOf(given, against, upstream);
    });
  const timeoutMs = timeoutFor(cases);
  const title = (what: string): string => `reads ${String(cases)} ${what} alike${seeded}`;

  it(title('label selectors'), { timeout: timeoutMs }, async (context: TestContext) => {
    const tally = await compareAll(fc.tuple(labelText, labelSets), labelKinds, (given) =>
      selectors('labels', given, parseLabelSelector),
    );
    tell(context, 'label selectors', tally.total);
  });

  it(title('field selectors'), { timeout: timeoutMs }, async (context: TestContext) => {
    const tally = await compareAll(fc.tuple(fieldText, fieldSets), fieldKinds, (given) =>
      selectors('fields', given, parseFieldSelector),
    );
    tell(context, 'field selectors', tally.total);
  });

  it(title('tokens'), { timeout: timeoutMs }, async (context: TestContext) => {
    const prefix = fc.constantFrom('/registry/pods/', '/registry/pods/web/', '/r/');
    const given = fc.tuple(tokenText, prefix);
    const tally = await compareAll(given, tokenKinds, async ([{ text, traits }, below]) => {
      const { key, revision = '0', error } = await oracle.parseToken(text, below);
      const upstream =
        error === undefined ? { key: decoded(key), revision } : { error: decoded(error) };
      expect(ourToken(text, below)).toEqual(upstream);
      return error === undefined ? ['valid', ...traits] : ['refused'];
    });
    tell(context, 'tokens', tally.total);
  });
});
