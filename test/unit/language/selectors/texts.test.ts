import { describe, expect, it } from 'vitest';
import { parseLabelSelector, SelectorError } from '../../../../server/kube/selectors';
import { checkFieldText } from '../../../../server/language/selectors/fieldText';
import { checkLabelText } from '../../../../server/language/selectors/labelText';
import { labelWords } from '../../../../server/language/selectors/words';
import { withEdits } from '../../../../server/language/source/edits';
import { plainlyMapped } from '../../../../server/language/source/mappedText';

const code = (text: string): string => `\`${text}\``;

describe('a label selector in a document', () => {
  it('tells upstream’s error at its place, with a fix that mends it', () => {
    const before = 'labels: ';
    const written = `${before}app="nginx"`;
    const { findings } = checkLabelText(plainlyMapped('app="nginx"', before.length));
    expect(findings).toHaveLength(1);
    const [found] = findings;
    expect(written.slice(found!.span.start, found!.span.end)).toBe('"nginx"');
    expect(() => parseLabelSelector('app="nginx"')).toThrow(found!.message);
    const fix = found!.fixes.find(({ preferred }) => preferred);
    expect(withEdits(written, fix!.edits)).toBe('labels: app=nginx');
  });

  it.each([
    ['app in (a', 'a'],
    ['app in (a \n', 'a'],
    ['a, ', ','],
    ['a>\t,b', '>'],
    ['app in (\u{1f600}', '\u{1f600}'],
    ['app in \0(a)', 'n'],
    ['app in (\0', '('],
  ])('shows an error at the end of %j on the last character of a token', (text, shown) => {
    const [found] = checkLabelText(plainlyMapped(text, 10)).findings;
    const { start, end } = found!.span;
    expect(text.slice(start - 10, end - 10)).toBe(shown);
    expect(text.slice(end - 10)).toMatch(/^[ \t\n]*(?:\0.*|,b)?$/);
  });

  it('tells contradictions and repetitions, and removes what is repeated', () => {
    const text = 'a=1,b,a=1,b=2,!b';
    const { findings } = checkLabelText(plainlyMapped(text, 0));
    expect(findings.map((each) => [each.code, text.slice(each.span.start, each.span.end)])).toEqual(
      [
        ['contradiction', '!b'],
        ['duplicate-requirement', 'a=1'],
      ],
    );
    expect(withEdits(text, findings[1]!.fixes[0]!.edits)).toBe('a=1,b,b=2,!b');
  });

  it('writes a plain scalar of YAML anew, so that it stays one', () => {
    const document = 'labelSelector: not app\n';
    const { findings } = checkLabelText(plainlyMapped('not app', 15, 'yaml'));
    expect(withEdits(document, findings[0]!.fixes[0]!.edits)).toBe("labelSelector: '!app'\n");
  });
});

describe('a field selector in a document', () => {
  const names = ['metadata.name', 'metadata.namespace', 'spec.nodeName'];
  const fields = {
    names,
    transform: (field: string, value: string): [string, string] => {
      if (names.includes(field)) return [field, value];
      const end = field.length;
      throw new SelectorError(`field label not supported: ${field}`, { start: 0, end });
    },
  };

  const CONTRADICTS = 'contradiction';
  it.each([
    [
      'metadata.name=a,metadata.name=b',
      CONTRADICTS,
      'metadata.name=b',
      'the field would have to have different values at once',
    ],
    [
      'metadata.name=a,metadata.name!=a',
      CONTRADICTS,
      'metadata.name!=a',
      'every value that is asked for is excluded as well',
    ],
    ['a!=x,b=1,a==x', CONTRADICTS, 'a==x', 'every value that is asked for is excluded as well'],
  ])('is held against itself: %s', (text, code, at, why) => {
    const { findings } = checkFieldText(plainlyMapped(text, 0));
    const key = at.replace(/[=!].*/, '');
    expect(
      findings.map(({ span, ...each }) => [
        each.code,
        text.slice(span.start, span.end),
        each.message,
      ]),
    ).toEqual([[code, at, `This selector matches nothing: for "${key}" ${why}.`]]);
  });

  it('says a requirement that stands there twice, and removes it', () => {
    const text = 'status.phase=Running,a!=b,status.phase==Running';
    const [found, ...more] = checkFieldText(plainlyMapped(text, 0)).findings;
    expect(more).toEqual([]);
    expect(found).toMatchObject({ code: 'duplicate-requirement', span: { start: 26 } });
    expect(withEdits(text, found!.fixes[0]!.edits)).toBe('status.phase=Running,a!=b');
    expect(checkFieldText(plainlyMapped('a!=x,a!=y,b=,c=1', 0)).findings).toEqual([]);
  });

  it('tells a field that cannot be selected by, and the nearest one', () => {
    const [found] = checkFieldText(plainlyMapped('spec.nodename=a', 4), fields).findings;
    expect(found).toMatchObject({
      code: 'unsupported-field',
      message: 'field label not supported: spec.nodename',
      span: { start: 4, end: 17 },
    });
    expect(found?.fixes[0]).toMatchObject({ title: 'Change to spec.nodeName', preferred: true });
  });

  it.each([
    ['a:b', 'a=b'],
    ['a===b', 'a=b'],
  ])('mends %s to %s', (text, wanted) => {
    const [found] = checkFieldText(plainlyMapped(text, 0)).findings;
    expect(found?.code).toBe('field-selector');
    expect(withEdits(text, found!.fixes[0]!.edits)).toBe(wanted);
  });

  it('says nothing of a good one', () => {
    expect(
      checkFieldText(plainlyMapped('spec.nodeName=a,metadata.name!=b', 0), fields).findings,
    ).toEqual([]);
  });
});

describe('words', () => {
  it.each([
    ['a=x', 'label `a` is `x`'],
    ['a=', 'label `a` is the empty text'],
    ['a!=x', 'label `a` is anything but `x`; objects without the label match too'],
    ['a in (x,y,z)', 'label `a` is `x`, `y` or `z`'],
    ['a in (x)', 'label `a` is `x`'],
    ['a notin (x,y)', 'label `a` is neither `x` nor `y`; objects without the label match too'],
    ['a', 'label `a` is there, whatever its value'],
    ['!a', 'label `a` is not there'],
  ])('%s: %s', (text, words) => {
    expect(labelWords(parseLabelSelector(text).requirements[0]!, code)).toBe(words);
  });
});
