import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  parseFieldSelector,
  parseLabelSelector,
  SelectorError,
} from '../../../server/kube/selectors';
import { FORMS, type Form } from '../../vectors/language/forms';
import { fieldsIn, labelsIn } from '../../vectors/language/look';
import { Unwritten } from '../../vectors/language/pieces';

/** What selectors are made of, and what gets in the way of quotes, escapes and folded lines. */
const common = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('a', 'b1', 'app', 'x.io/y', 'web', '5', '-x', 'x-') },
  { weight: 8, arbitrary: fc.constantFrom('=', '==', '!=', ',', ', ', ' ', '  ', '!') },
  {
    weight: 2,
    arbitrary: fc.constantFrom("'", '"', '\\', '\\,', '%3D', '%', '+', '&', '#', ' #', ': ', ';'),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom('\n', '\t', '\r', '\0', 'é', '日', '\u{1f600}', '\u00a0', '\u2028'),
  },
  { weight: 1, arbitrary: fc.constantFrom('$', '`', '*', '?', '~', '|', '[', '}', '@', 'on', '-') },
);
const labelPiece = fc.oneof(
  { weight: 2, arbitrary: common },
  {
    weight: 1,
    arbitrary: fc.constantFrom(' in (', ' notin (', 'in', 'a,b)', ')', '(', '>', '<', '>5', '<9'),
  },
);
const text = (piece: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));

interface Outcome {
  readonly error: string | undefined;
  readonly canonical: string;
}

function outcome(parse: () => { toString(): string }): Outcome {
  try {
    return { error: undefined, canonical: parse().toString() };
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    return { error: error.message, canonical: '' };
  }
}

/** How often each form held a text. Throws with the form and the text where they differ. */
class Tally {
  readonly written = new Map<string, number>();

  compare(
    selector: string,
    right: Outcome,
    see: (form: Form) => ReturnType<typeof labelsIn> | ReturnType<typeof fieldsIn>,
  ): void {
    for (const form of FORMS) {
      const seen = see(form);
      if (seen instanceof Unwritten) continue;
      this.written.set(form.name, (this.written.get(form.name) ?? 0) + 1);
      const { error, canonical } = seen;
      const found = { error, canonical: error === undefined ? canonical : '' };
      expect(found, `${form.name}: ${JSON.stringify(selector)}`).toEqual(right);
    }
  }

  expectEnough(count: number): void {
    for (const { name } of FORMS)
      expect([name, this.written.get(name) ?? 0]).toEqual([name, atLeast(count)]);
  }
}

function atLeast(count: number): unknown {
  return expect.toSatisfy((found: number) => found >= count) as unknown;
}

const RUNS = 150;
/** A plain scalar holds the fewest texts. */
const LEAST = 5;

describe('a selector has the same errors, at the same characters, in whatever form it is written', () => {
  it('of labels', () => {
    const tally = new Tally();
    fc.assert(
      fc.property(text(labelPiece), (selector) => {
        const right = outcome(() => parseLabelSelector(selector));
        tally.compare(selector, right, (form) => labelsIn(form, selector));
      }),
      { numRuns: RUNS },
    );
    tally.expectEnough(LEAST);
  });

  it('of fields', () => {
    const tally = new Tally();
    fc.assert(
      fc.property(text(common), (selector) => {
        const right = outcome(() => parseFieldSelector(selector));
        tally.compare(selector, right, (form) => fieldsIn(form, selector));
      }),
      { numRuns: RUNS },
    );
    tally.expectEnough(LEAST);
  });
});
