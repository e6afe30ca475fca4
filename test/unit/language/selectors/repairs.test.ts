import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseLabelSelectorDetailed } from '../../../../server/kube/selectors';
import { repairsOf } from '../../../../server/language/selectors/repairs';
import { withEdits } from '../../../../server/language/source/edits';

/** The text after the first repair that is offered. */
function repaired(text: string): string | undefined {
  const [first] = repairsOf(text, parseLabelSelectorDetailed(text));
  return first === undefined ? undefined : withEdits(text, first.edits);
}

it('an apostrophe within a word is no quote', () => {
  const text = "app='d'or',d'or";
  const titles = repairsOf(text, parseLabelSelectorDetailed(text)).map(({ edits }) =>
    withEdits(text, edits),
  );
  expect(titles).toContain("app=d'or,d'or");
  expect(repaired("app=d'or")).toBeUndefined();
});

describe('what people write in place of a selector', () => {
  it.each([
    ['app="nginx"', 'app=nginx'],
    ["app in ('a', 'b')", 'app in (a, b)'],
    ['app=\u201cnginx\u201d', 'app=nginx'],
    ['app\u00a0in (a)', 'app in (a)'],
    ['app IN (a,b)', 'app in (a,b)'],
    ['app NotIn (a)', 'app notin (a)'],
    ['app not in (a,b)', 'app notin (a,b)'],
    ['app in a', 'app in (a)'],
    ['app in a, b', 'app in (a, b)'],
    ['app in a,tier=b', 'app in (a),tier=b'],
    ['app in [a,b]', 'app in (a,b)'],
    ['app in (a,b', 'app in (a,b)'],
    ['app=(a,b)', 'app in (a,b)'],
    ['app == (a,b)', 'app in (a,b)'],
    ['app!=(a,b)', 'app notin (a,b)'],
    ['app: nginx', 'app=nginx'],
    ['app===nginx', 'app=nginx'],
    ['app<>nginx', 'app!=nginx'],
    ['!app=nginx', 'app!=nginx'],
    ['not app', '!app'],
    ['app=a && tier=b', 'app=a,tier=b'],
    ['app=a and tier=b', 'app=a,tier=b'],
    ['app=a;tier=b', 'app=a,tier=b'],
    ['app=a tier=b', 'app=a ,tier=b'],
    ['app=a,', 'app=a'],
    [',app=a', 'app=a'],
    ['app=a,,tier=b', 'app=a,tier=b'],
    ['size>=5', 'size>4'],
    ['size <= -1', 'size <0'],
    ['App.Example.com/Name=x', 'app.example.com/Name=x'],
    ['app=*', 'app'],
  ])('%s becomes %s', (text, wanted) => {
    expect(parseLabelSelectorDetailed(wanted).error).toBeNull();
    expect(repaired(text)).toBe(wanted);
  });

  it.each(['app=nginx', '', 'app in (a,b),!c'])('leaves %j, which is a selector', (text) => {
    expect(repaired(text)).toBeUndefined();
  });

  it.each(['=', '((((', 'a=b=c=d', '\0', 'app=' + 'x'.repeat(64)])(
    'offers nothing that does not help for %j',
    (text) => {
      const before = parseLabelSelectorDetailed(text).error;
      const after = repaired(text);
      if (after === undefined) return;
      const still = parseLabelSelectorDetailed(after).error;
      const grown = after.length - text.length;
      expect(still === null || still.span.start - grown > before!.span.start).toBe(true);
    },
  );

  it('never throws, and its edits lie in order within the text', () => {
    const piece = fc.constantFrom(
      ...['app', 'tier', ' ', ',', '=', '==', '!=', '!', 'in', 'IN', 'not', 'notin', '(', ')', '"'],
      ...['a', '>=5', '<', '&&', ';', ':', 'Ex.com/', '*', '[', ']', '\u00a0', '\0', '\ud800'],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        for (const { edits } of repairsOf(text, parseLabelSelectorDetailed(text))) {
          let at = 0;
          for (const { span } of edits) {
            expect(span.start).toBeGreaterThanOrEqual(at);
            expect(span.end).toBeGreaterThanOrEqual(span.start);
            at = span.end;
          }
          expect(at).toBeLessThanOrEqual(text.length);
        }
      }),
    );
  });
});
