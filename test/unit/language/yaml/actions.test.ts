import { describe, expect, it } from 'vitest';
import { withEdits } from '../../../../server/language/source/edits';
import { YamlFile } from '../../../../server/language/yaml/yamlFile';
import { canonical } from '../../../../server/language/selectors/meaning';
import { analyseYaml } from './look';

const EXPRESSION = 'Write it as an expression';
const LABEL = 'Write it under matchLabels';
const OBJECT = 'Write it as matchLabels and matchExpressions';

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

/** What all selectors ask for, however it is written. */
function asked(text: string): string[] {
  const { sites } = analyseYaml(text);
  return sites.flatMap(({ requirements }) => requirements.map(canonical)).sort();
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
        '    values: ["5"]',
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
      ['matchLabels:', '  a: "1"', '  c: d'],
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
    expect(asked(written)).toEqual(asked(text));
  });

  it.each([
    [
      EXPRESSION,
      ['matchLabels: # why', '  # about it', '  a|: b # because'],
      [
        'matchExpressions: # why',
        '  # about it',
        '  - key: a',
        '    operator: In',
        '    values: [b] # because',
      ],
    ],
    [
      EXPRESSION,
      ['matchLabels:', '  c: d', '  a|: b # because'],
      [
        'matchExpressions:',
        '  - key: a # because',
        '    operator: In',
        '    values: [b]',
        'matchLabels:',
        '  c: d',
      ],
    ],
    [
      EXPRESSION,
      ['matchLabels: {a|: b}'],
      ['matchExpressions: [{key: a, operator: In, values: [b]}]'],
    ],
    [
      EXPRESSION,
      ['matchLabels: {c: d, "a|": "1"}', 'matchExpressions: [{key: e, operator: Exists}]'],
      [
        'matchLabels: {c: d}',
        'matchExpressions: [{key: "a", operator: In, values: ["1"]}, {key: e, operator: Exists}]',
      ],
    ],
    [
      EXPRESSION,
      ['matchLabels: {a|: b}', 'matchExpressions: []'],
      ['matchExpressions: [{key: a, operator: In, values: [b]}]'],
    ],
    [
      LABEL,
      ['matchExpressions: # why', '- {key: a|, operator: In, values: [b]} # because'],
      ['matchLabels: # why', '  a: b # because'],
    ],
    [
      LABEL,
      [
        'matchExpressions:',
        '- {key: a|, operator: In, values: [b]} # because',
        '- {key: c, operator: Exists}',
      ],
      ['matchLabels:', '  a: b # because', 'matchExpressions:', '- {key: c, operator: Exists}'],
    ],
    [LABEL, ['matchExpressions: [{key: a|, operator: In, values: [b]}]'], ['matchLabels: {a: b}']],
  ])('keeps style, line ends and comments: %s %j', (title, before, wanted) => {
    const { after, text } = actionsAt(policy(before));
    expect(after(title)).toBe(policy(wanted));
    expect(asked(after(title))).toEqual(asked(text));
    const broken = actionsAt(policy(before).replaceAll('\n', '\r\n')).after(title);
    expect(broken).toBe(policy(wanted).replaceAll('\n', '\r\n'));
  });

  it('is JSON where that is what stands there', () => {
    const json = (selector: string): string =>
      `{"apiVersion":"networking.k8s.io/v1","kind":"NetworkPolicy","spec":{"podSelector":${selector}}}`;
    const labels = json('{"matchLabels":{"a|":"b","c":"d"}}');
    const after = actionsAt(labels).after(EXPRESSION);
    expect(JSON.parse(after)).toMatchObject({
      spec: {
        podSelector: {
          matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }],
          matchLabels: { c: 'd' },
        },
      },
    });
    const expressions = json('{"matchExpressions":[{"key":"a|","operator":"In","values":["b"]}]}');
    expect(JSON.parse(actionsAt(expressions).after(LABEL))).toMatchObject({
      spec: { podSelector: { matchLabels: { a: 'b' } } },
    });
  });

  it('of a text is an object where nobody knows that a text has to stand there', () => {
    const other = actionsAt('x:\n  labelSelector: a=b,|c notin (x,z),!d # why\n').after(OBJECT);
    expect(other).toBe(
      'x:\n  labelSelector:\n    matchLabels:\n      a: b\n    matchExpressions:\n      - key: c\n        operator: NotIn\n        values: [x, z]\n      - key: d\n        operator: DoesNotExist # why\n',
    );
    expect(actionsAt('- labelSelector: "|a=b"\n').after(OBJECT)).toBe(
      '- labelSelector:\n    matchLabels:\n      a: b\n',
    );
    expect(actionsAt('labelSelector: |a=b\r\nx: 1\r\n').after(OBJECT)).toBe(
      'labelSelector:\r\n  matchLabels:\r\n    a: b\r\nx: 1\r\n',
    );
  });

  it.each([
    ['a field of texts', 'apiVersion: autoscaling/v1\nkind: Scale\nstatus:\n  selector: a=|b\n'],
    [
      'a target of a kustomization',
      'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\npatches:\n- target: \n    labelSelector: a=|b\n',
    ],
    ['no object form', 'labelSelector: a>5|\n'],
    ['fields', 'fieldSelector: a=b|\n'],
    ['flow style around it', '{labelSelector: a=b|}\n'],
    ['a comment before it', 'labelSelector: # why\n  a=b|\n'],
    ['an anchor', 'labelSelector: &x a=b|\n'],
    ['a command', 'run: kubectl get pods -l a=|b\n'],
  ])('is no object for %s', (_why, marked) => {
    expect(actionsAt(marked).titles).not.toContain(OBJECT);
  });

  it.each([
    ['no selector', 'a: b|\n'],
    ['a template', policy(['matchLabels:', '  a|: {{ b }}'])],
    ['a text of a template', 'labelSelector: a={{ b }}|\n'],
    ['an error', policy(['matchExpressions:', '- {key: a|, operator: in, values: [b]}'])],
    ['a label that is none', policy(['matchLabels: {a|: b c}'])],
    ['a number', policy(['matchLabels: {a|: 1}'])],
    ['an alias', `x: &x {a: b}\n${policy(['matchLabels: *x|']).slice(4)}`],
    ['an anchor', policy(['matchLabels: &x {a|: b}'])],
    ['an anchor of the value', policy(['matchLabels: {a|: &x b}'])],
    ['an anchor that would be lost', policy(['matchLabels: {a|: b, &k c: d}'])],
    ['a tag', policy(['matchLabels: {a|: !!str b}'])],
    ['a key that stands there twice', policy(['matchLabels: {a|: b, c: d, a: e}'])],
    [
      'a key that a merge has too',
      `x: &x {a: b}\n${policy(['matchLabels:', '  <<: *x', '  a|: b']).slice(4)}`,
    ],
    ['several values', policy(['matchExpressions: [{key: a|, operator: In, values: [b, c]}]'])],
    ['another operator', policy(['matchExpressions: [{key: a|, operator: NotIn, values: [b]}]'])],
    [
      'a key that the labels have',
      policy(['matchLabels: {a: x}', 'matchExpressions: [{key: a|, operator: In, values: [b]}]']),
    ],
    [
      'a comment that would be lost',
      policy(['matchExpressions:', '- key: a| # why', '  operator: In', '  values: [b]']),
    ],
    [
      'a comment for which there is no place',
      policy(['matchLabels:', '  c: d', '  a|: b # why', 'matchExpressions: []']),
    ],
  ])('does not exist for %s', (_why, marked) => {
    expect(actionsAt(marked).titles).toEqual([]);
  });
});

describe('a selector that may stand in one of two fields', () => {
  const review = (lines: readonly string[]): string =>
    `apiVersion: authorization.k8s.io/v1\nkind: SubjectAccessReview\nspec:\n  resourceAttributes:\n    labelSelector:\n${lines.map((line) => `      ${line}\n`).join('')}  user: a\n`;
  const TEXT = 'Write it as rawSelector';
  const LIST = 'Write it as requirements';

  it.each([
    [
      LIST,
      ['rawSelector: a=|b,c notin (x,w),!d # why'],
      [
        'requirements:',
        '  - key: a',
        '    operator: In',
        '    values: [b]',
        '  - key: c',
        '    operator: NotIn',
        '    values: [w, x]',
        '  - key: d',
        '    operator: DoesNotExist # why',
      ],
    ],
    [
      TEXT,
      [
        'requirements:',
        '- key: a|',
        '  operator: In',
        '  values: [b]',
        '- {key: c, operator: Exists} # why',
      ],
      ["rawSelector: 'a in (b),c' # why"],
    ],
    [TEXT, ['requirements: [{key: a|, operator: Exists}]'], ['rawSelector: a']],
  ])('stands in the other one: %s', (title, before, wanted) => {
    const { after, text } = actionsAt(review(before));
    expect(after(title)).toBe(review(wanted));
    expect(asked(after(title))).toEqual(asked(text));
    const broken = actionsAt(review(before).replaceAll('\n', '\r\n')).after(title);
    expect(broken).toBe(review(wanted).replaceAll('\n', '\r\n'));
  });

  it('stands there in JSON too', () => {
    const json = (selector: string): string =>
      `{"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","spec":{"resourceAttributes":{"labelSelector":{${selector}}}}}`;
    const before = json('"requirements":[{"key":"a|","operator":"Exists"}]');
    expect(actionsAt(before).after(TEXT)).toBe(json('"rawSelector": "a"'));
  });

  it.each([
    ['both are there', ['rawSelector: a=|b', 'requirements: []']],
    ['a comment would be lost', ['requirements:', '- key: a| # why', '  operator: Exists']],
    ['it has no such form', ['rawSelector: a>|5']],
    ['an operator is not known', ['requirements: [{key: a|, operator: Near}]']],
  ])('does not where %s', (_why, lines) => {
    const { titles } = actionsAt(review(lines));
    expect(titles.filter((title) => title === TEXT || title === LIST)).toEqual([]);
  });
});

const IN = 'Write it with in';
const EQUAL = 'Write it with =';
const BLANKS = 'Remove the blanks';
const QUOTES = 'Put it into quotes for the shell';

describe('another way to write the text of a selector', () => {
  it.each([
    [IN, 'labelSelector: a=|b # why\n', "labelSelector: 'a in (b)' # why\n"],
    [IN, 'labelSelector: "a=|b,c"\n', 'labelSelector: "a in (b),c"\n'],
    [EQUAL, "labelSelector: 'a in (|b)'\n", "labelSelector: 'a=b'\n"],
    [EQUAL, 'labelSelector: a=|=b\n', "labelSelector: 'a=b'\n"],
    ['Write it with notin', 'labelSelector: "a!=|b"\n', 'labelSelector: "a notin (b)"\n'],
    ['Write it with !=', 'labelSelector: "a notin (|b)"\n', 'labelSelector: "a!=b"\n'],
    [
      BLANKS,
      'labelSelector: "a = b|, c in ( x , y ), ! d , e > 5"\n',
      'labelSelector: "a=b,c in (x,y),!d,e>5"\n',
    ],
    [BLANKS, 'labelSelector: >-\n  a = b|,\n  c\nx: 1\n', 'labelSelector: >-\n  a=b,c\nx: 1\n'],
    [IN, 'run: kubectl get pods -l a=|b\n', "run: kubectl get pods -l 'a in (b)'\n"],
    [IN, 'run: "kubectl get pods -l a=|b"\n', `run: "kubectl get pods -l 'a in (b)'"\n`],
    [IN, "run: 'kubectl get pods -l a=|b'\n", "run: 'kubectl get pods -l ''a in (b)'''\n"],
    [IN, 'run: [kubectl get pods -l a=|b]\n', "run: [kubectl get pods -l 'a in (b)']\n"],
    [
      IN,
      'run: >\n  kubectl get pods -l "a=|b"\n  -A\n',
      'run: >\n  kubectl get pods -l "a in (b)"\n  -A\n',
    ],
    [IN, 'args: [kubectl, get, pods, -l, a=|b]\n', "args: [kubectl, get, pods, -l, 'a in (b)']\n"],
    [QUOTES, 'run: kubectl get pods -l a=|b -A\n', "run: kubectl get pods -l 'a=b' -A\n"],
    [
      QUOTES,
      'run: kubectl get pods --selector=a!=|b\n',
      "run: kubectl get pods --selector='a!=b'\n",
    ],
    [
      QUOTES,
      'run: kubectl get pods --field-selector a=|b\n',
      "run: kubectl get pods --field-selector 'a=b'\n",
    ],
  ])('%s: %j', (title, before, wanted) => {
    const { after, text } = actionsAt(before);
    expect(after(title)).toBe(wanted);
    expect(asked(after(title))).toEqual(asked(text));
  });

  it.each([
    ['several values', 'labelSelector: a in (|b,c)\n', [EQUAL]],
    ['an error', 'labelSelector: a==|=b\n', [EQUAL, IN, BLANKS]],
    ['no blanks', 'labelSelector: a in (|b,c)\n', [BLANKS]],
    ['quotes', "run: kubectl get pods -l 'a=|b'\n", [QUOTES]],
    ['a variable', 'run: kubectl get pods -l a=$B|\n', [IN, QUOTES]],
    ['no shell', 'args: [kubectl, get, pods, -l, a=|b]\n', [QUOTES]],
  ])('is not offered for %s', (_why, marked, titles) => {
    const offered = actionsAt(marked).titles;
    expect(titles.filter((title) => offered.includes(title))).toEqual([]);
  });
});
