import { describe, expect, it } from 'vitest';
import { withEdits } from '../../../../server/language/source/edits';
import { YamlFile } from '../../../../server/language/yaml/yamlFile';
import { analyseYaml, selects } from './look';

const EXPRESSION = 'Write it as an expression';
const LABEL = 'Write it under matchLabels';
const TEXT = 'Write the selector as one text';
const OBJECT = 'Write the selector as matchLabels and matchExpressions';

function actionsAt(marked: string): {
  titles: string[];
  after: (title: string) => string;
  text: string;
} {
  const offset = marked.indexOf('|');
  const text = marked.slice(0, offset) + marked.slice(offset + 1);
  const fixes = new YamlFile(text).actionsAt(offset);
  const after = (title: string): string => {
    const fix = fixes.find((each) => each.title === title);
    expect(fix, title).toBeDefined();
    return withEdits(text, fix!.edits);
  };
  return { titles: fixes.map(({ title }) => title), after, text };
}

const HEAD = '---\napiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nspec:\n  podSelector:\n';
const policy = (lines: readonly string[]): string =>
  `${HEAD}${lines.map((line) => `    ${line}\n`).join('')}  ingress: []\n`;

describe('another way to write a selector', () => {
  it.each([
    [
      EXPRESSION,
      ['matchLabels:', '  a|: b'],
      ['matchExpressions:', '  - key: a', '    operator: In', '    values: [b]'],
    ],
    [
      EXPRESSION,
      ['matchLabels:', '  a: b', '  c: "5|"'],
      [
        'matchExpressions:',
        '  - key: c',
        '    operator: In',
        "    values: ['5']",
        'matchLabels:',
        '  a: b',
      ],
    ],
    [
      EXPRESSION,
      ['matchLabels:', '  a: |b', '  c: d', 'matchExpressions:', '- {key: e, operator: Exists}'],
      [
        'matchLabels:',
        '  c: d',
        'matchExpressions:',
        '- key: a',
        '  operator: In',
        '  values: [b]',
        '- {key: e, operator: Exists}',
      ],
    ],
    [
      EXPRESSION,
      ['matchLabels:', '  a: |b', 'matchExpressions:', '- {key: e, operator: Exists}'],
      [
        'matchExpressions:',
        '- key: a',
        '  operator: In',
        '  values: [b]',
        '- {key: e, operator: Exists}',
      ],
    ],
    [
      LABEL,
      ['matchExpressions:', '- key: a|', '  operator: In', '  values:', '  - b'],
      ['matchLabels:', '  a: b'],
    ],
    [
      LABEL,
      [
        'matchExpressions:',
        '- {key: |a, operator: In, values: [b]}',
        '- {key: c, operator: Exists}',
      ],
      ['matchLabels:', '  a: b', 'matchExpressions:', '- {key: c, operator: Exists}'],
    ],
    [
      LABEL,
      ['matchLabels:', '  c: d', 'matchExpressions:', '- {key: a, operator: |In, values: ["1"]}'],
      ['matchLabels:', "  a: '1'", '  c: d'],
    ],
    [
      LABEL,
      [
        'matchLabels:',
        '  c: d',
        'matchExpressions:',
        '- {key: a, operator: |In, values: [b]}',
        '- {key: e, operator: Exists}',
      ],
      ['matchLabels:', '  a: b', '  c: d', 'matchExpressions:', '- {key: e, operator: Exists}'],
    ],
  ])('%s: %j', (title, before, wanted) => {
    const { after, text } = actionsAt(policy(before));
    const written = after(title);
    expect(written).toBe(policy(wanted));
    expect(analyseYaml(written).findings).toEqual([]);
    const asked = (of: string): string[] =>
      selects(of).flatMap((each) => each.replace(/ in \((\w+)\)/g, '=$1').split(','));
    expect(asked(written).sort()).toEqual(asked(text).sort());
  });

  it('is one text, and back', () => {
    const object = policy([
      'matchLabels:',
      '  a|: b',
      'matchExpressions:',
      '- {key: c, operator: NotIn, values: [x, z]}',
    ]);
    const text = actionsAt(object).after(TEXT);
    expect(text).toBe(`${HEAD.trimEnd()} 'a=b,c notin (x,z)'\n  ingress: []\n`);
    const other = actionsAt('x:\n  labelSelector: a=b,|c notin (x,z),!d # why\n').after(OBJECT);
    expect(other).toBe(
      'x:\n  labelSelector:\n    matchLabels:\n      a: b\n    matchExpressions:\n      - key: c\n        operator: NotIn\n        values: [x, z]\n      - key: d\n        operator: DoesNotExist # why\n',
    );
    expect(actionsAt('- labelSelector: "|a=b"\n').after(OBJECT)).toBe(
      '- labelSelector:\n    matchLabels:\n      a: b\n',
    );
  });

  it.each([
    ['no selector', 'a: b|\n'],
    ['no object form', 'labelSelector: a>5|\n'],
    ['fields', 'fieldSelector: a=b|\n'],
    ['flow style around it', '{labelSelector: a=b|}\n'],
    ['a command', 'run: kubectl get pods -l a=|b\n'],
    ['a template', policy(['matchLabels:', '  a|: {{ b }}'])],
    ['an error', policy(['matchExpressions:', '- {key: a|, operator: in, values: [b]}'])],
    ['an alias', `x: &x {a: b}\n${policy(['matchLabels: *x|']).slice(4)}`],
  ])('does not exist for %s', (_why, marked) => {
    expect(actionsAt(marked).titles.filter((title) => title !== TEXT)).toEqual([]);
  });

  it('is offered for what it can express', () => {
    expect(
      actionsAt(policy(['matchExpressions:', '- {key: a|, operator: In, values: [b, c]}'])).titles,
    ).toEqual([TEXT]);
    expect(
      actionsAt(
        policy([
          'matchLabels:',
          '  a: x',
          'matchExpressions:',
          '- {key: a|, operator: In, values: [b]}',
        ]),
      ).titles,
    ).toEqual([TEXT]);
    expect(actionsAt(policy(['matchLabels: # why', '  a|: b'])).titles).toEqual([EXPRESSION]);
  });
});
