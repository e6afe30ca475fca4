import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import * as analyse from '../../../../server/language/yaml/analyse';
import * as parse from '../../../../server/language/yaml/parse';
import { COST_OF_DOCUMENT } from '../../../../server/language/yaml/limits';
import { YamlFile } from '../../../../server/language/yaml/yamlFile';
import { analyseYaml, found, marks } from './look';

vi.mock('../../../../server/language/yaml/parse', { spy: true });

afterEach(() => {
  vi.mocked(parse.treesOf).mockClear();
  vi.mocked(parse.parseChunk).mockClear();
});

const parsed = (): string[] =>
  [parse.treesOf, parse.parseChunk].flatMap((each) =>
    vi.mocked(each).mock.calls.map(([text]) => text),
  );

const pod = (name: string, labels: string): string =>
  `apiVersion: v1\nkind: Pod\nmetadata:\n  name: ${name}\n  labels: ${labels}\n`;
const service = 'apiVersion: v1\nkind: Service\nspec: {selector: {app: web}}\n';

describe('a marker within a template', () => {
  const wrong = pod('a', '{app: x y}');

  it.each([
    [`{{- /*\n---\n${wrong}*/ -}}\n${service}`],
    [`{{/*\n{{ x }}\n---\n${wrong}\n...\n*/}}\n${service}`],
    [`{{- include "x"\n---\n-}}\n${service}`],
  ])('begins no document: %j', (text) => {
    expect(marks(text)).toEqual([]);
    expect(analyseYaml(text).sites).toHaveLength(1);
    expect(new YamlFile(text.replace('app: web', 'app: ')).spotAt(text.indexOf('web'))?.kind).toBe(
      'labelValue',
    );
  });

  it.each([
    [`a: {{ half\n---\n${wrong}x: {{ y }}\n`],
    [`a: {{ half\n---\n${wrong}`],
    [`{{ x }}\n---\n${wrong}---\na: {{ y }}`],
  ])('does where none is, though one is half typed: %j', (text) => {
    expect(marks(text)).toEqual([['label-value', 'x y']]);
  });
});

describe('a file', () => {
  it('parses again what changed, and nothing else', () => {
    const documents = ['a', 'b', 'c'].map((name) => `---\n${pod(name, '{app: x y}')}`);
    const file = new YamlFile(documents.join(''));
    const before = file.analysis();
    expect(parsed()).toHaveLength(3);
    const second = documents[0]!.length;
    const at = documents.join('').indexOf('name: b') + 'name: b'.length;
    file.edit([{ span: { start: at, end: at }, text: 'etter' }]);
    const after = file.analysis();
    expect(parsed()).toHaveLength(4);
    expect(parsed()[3]).toBe(documents[1]!.replace('name: b', 'name: better'));
    expect(
      after.findings.map(({ span }) => span.start - (span.start > second + 60 ? 5 : 0)),
    ).not.toEqual([]);
    expect(after.findings.map(({ span }) => span.start)).toEqual(
      before.findings.map(({ span }, i) => span.start + (i === 0 ? 0 : 5)),
    );
    file.update(documents.join(''));
    expect(file.analysis()).toEqual(before);
    expect(file.analysis()).toBe(file.analysis());
  });

  it('parses one document where something is completed', () => {
    const text = `---\n${pod('a', '{app: x}')}---\n${pod('b', '{app: }')}---\n${pod('c', '{app: x}')}`;
    const file = new YamlFile(text);
    expect(file.spotAt(text.indexOf('app: }') + 5)?.kind).toBe('labelValue');
    expect(parsed()).toHaveLength(1);
  });

  it('is the same after any changes as a new one', () => {
    const line = fc.constantFrom(
      '---\n',
      '...\n',
      service,
      pod('a', '{app: web}'),
      pod('b', '\n    app: a b\n    c: yes'),
      '{{ if x }}\n',
      'labelSelector: a=b=c\n',
      '  x\n',
      '\ufeff',
      'run: |\n  kubectl get po -l a==\n',
      '\r\n',
      '*a',
    );
    const edit = fc.tuple(fc.nat(), fc.nat(), line);
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 8 }),
        fc.array(edit, { maxLength: 5 }),
        (lines, edits) => {
          let text = lines.join('');
          const file = new YamlFile(text);
          for (const [from, length, put] of edits) {
            file.analysis();
            const start = from % (text.length + 1);
            const end = Math.min(text.length, start + (length % 20));
            text = text.slice(0, start) + put + text.slice(end);
            file.edit([{ span: { start, end }, text: put }]);
          }
          expect(file.analysis()).toEqual(analyseYaml(text));
        },
      ),
    );
  });

  it('has findings in order, within the text, whatever is cut away', () => {
    const text = [service, pod('a', '{app: a b, c: 5}'), 'labelSelector: "a=\\u0062=c"\n'].join(
      '---\n',
    );
    for (let end = 0; end <= text.length; end++) {
      const part = text.slice(0, end);
      const { findings, sites } = analyseYaml(part);
      let last = 0;
      for (const { span, fixes } of findings) {
        expect(span.start).toBeGreaterThanOrEqual(last);
        expect(span.end).toBeLessThanOrEqual(end);
        for (const each of fixes.flatMap((fix) => fix.edits)) {
          expect(each.span.end).toBeLessThanOrEqual(end);
        }
        last = span.start;
      }
      for (const { span } of sites) expect(span.end).toBeLessThanOrEqual(end);
    }
  });

  it('finds the narrowest selector', () => {
    const text =
      'apiVersion: karpenter.sh/v1\nkind: NodePool\nspec:\n  x: {labelSelector: "a=b"}\n';
    const file = new YamlFile(text);
    expect(file.siteAt(text.indexOf('a=b'))?.form).toBe('text');
    expect(file.siteAt(3)).toBeUndefined();
  });

  it('sees through a BOM, tabs, CRLF, comments and directives', () => {
    const text = `\ufeff%YAML 1.1\n---\t# one\n${pod('a', '{app:\ta b}\t# x')}`;
    expect(marks(text)).toEqual([['label-value', 'a b']]);
    expect(marks(text.replaceAll('\n', '\r\n'))).toEqual([['label-value', 'a b']]);
    expect(marks(pod('a', '{app: a b}').replaceAll('\n', '\r'))).toEqual([['label-value', 'a b']]);
  });

  it('holds hints about Services over all its documents', () => {
    const file = new YamlFile(`${service}---\n${pod('a', '{app: api}')}`);
    expect(file.analysis().findings.map(({ code }) => code)).toEqual(['selects-nothing']);
    file.update(`${service}---\n${pod('a', '{app: web}')}`);
    expect(file.analysis().findings).toEqual([]);
  });
});

describe('what is worth nothing', () => {
  it.each([
    ['no selector and no label', 'a: 1\nb: {c: d}\n'],
    ['a binary file', `label\0\x01${'\x02selector'.repeat(10)}`],
  ])('is not parsed: %s', (_what, text) => {
    expect(found(text)).toEqual([]);
    expect(parsed()).toEqual([]);
  });

  it.each(['CustomResourceDefinition', 'ConfigMap', 'Secret'])(
    'is not parsed below the metadata of a %s',
    (kind) => {
      const head = `apiVersion: v1\nkind: ${kind}\nmetadata:\n  labels: {a: b c}\n`;
      expect(marks(`${head}spec:\n  labelSelector: a=b=c\n`)).toEqual([['label-value', 'b c']]);
      expect(parsed()).toEqual([head]);
      const turned = `spec:\n  x: 1\n${head}`;
      expect(marks(turned)).toEqual([['label-value', 'b c']]);
      expect(analyse.headOf(`kind: ${kind}\nspec: 1\n`)).toBe(`kind: ${kind}\nspec: 1\n`);
    },
  );
});

describe('what is too much', () => {
  const notChecked = (text: string, options = {}): string[] =>
    found(text, options).flatMap(([code, , message]) => (code === 'not-checked' ? [message] : []));

  it('of a document, of a file, or of findings is said or left', () => {
    const text = `# x\n${pod('a', `{app: ${'x'.repeat(100)}}`)}`;
    expect(found(text, { limits: { document: 150 } })).toEqual([
      ['not-checked', '# x', 'This document is too large to be looked at.'],
    ]);
    const three = Array.from({ length: 3 }, () => `---\n${pod('a', '{app: a b}')}`).join('');
    const cost = three.length / 3 + COST_OF_DOCUMENT;
    expect(
      found(three, { limits: { file: 2 * cost } }).map(([code, covered]) => [code, covered]),
    ).toEqual([
      ['label-value', 'a b'],
      ['label-value', 'a b'],
      ['not-checked', '---'],
    ]);
    expect(notChecked(three, { limits: { file: 3 * cost - 1 } })).toEqual([
      'From here on this file is not looked at: it is too large, or has too many documents.',
    ]);
    expect(notChecked(three, { limits: { file: 3 * cost } })).toEqual([]);
  });

  it('may make the Pods that a Service selects', () => {
    const other = `---\n${pod('b', '{app: db}')}`;
    const large = `---\n${pod('c', `{app: web, x: ${'x'.repeat(60)}}`)}`;
    const text = `${service}${other}${large}`;
    const codes = (limits: object): string[] => found(text, { limits }).map(([code]) => code);
    expect(codes({})).toEqual([]);
    expect(codes({ document: 120 })).toEqual(['not-checked']);
    expect(codes({ file: text.length + 2 * COST_OF_DOCUMENT })).toEqual(['not-checked']);
    const broken = `${service}${other}---\nx: "\n${pod('c', '{app: web}')}`;
    expect(found(broken).map(([code]) => code)).toEqual([]);
    expect(found(service + other).map(([code]) => code)).toEqual(['selects-nothing']);
  });

  it('of findings is counted', () => {
    const three = Array.from({ length: 3 }, () => `---\n${pod('a', '{app: a b}')}`).join('');
    const few = analyseYaml(three, { limits: { findingsOfFile: 2 } });
    expect(few.findings).toHaveLength(2);
    expect(few.untold).toEqual({ 'label-value': 1 });
    expect(analyseYaml(three, { limits: { findingsOfFile: 3 } }).untold).toEqual({});
    const many = pod('a', `{${Array.from({ length: 50 }, (_, i) => `a${i}: b c`).join(', ')}}`);
    const cut = analyseYaml(many, { limits: { findingsOfDocument: 7 } });
    expect(cut.findings).toHaveLength(7);
    expect(cut.untold).toEqual({ 'label-value': 43 });
    expect(analyseYaml(many).untold).toEqual({});
  });

  it('of findings leaves room for more severe ones behind them', () => {
    const empty = '{podSelector: {}}, '.repeat(5);
    const text = `apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nspec: {podSelector: {matchLabels: {a: b}}, ingress: [{from: [${empty}{podSelector: {matchLabels: {a: b c}}}]}]}\n`;
    const plain = analyseYaml(text, { limits: { findingsOfDocument: 1 } });
    expect(plain.findings.map(({ code }) => code)).toContain('label-value');
  });

  it('of selectors is counted', () => {
    const two = `labelSelector: a=b\n---\nlabelSelector: c=d\n`;
    const { sites, selectors } = analyseYaml(two, { limits: { sitesOfFile: 1 } });
    expect(sites).toHaveLength(1);
    expect(selectors).toBe(2);
  });

  it('of documents that were looked at before costs the same', () => {
    const text = Array.from({ length: 5 }, (_, i) => `---\n${pod(`a${i}`, '{app: a b}')}`).join('');
    const options = { limits: { file: 1_000 } };
    const file = new YamlFile(text, options);
    const before = file.analysis();
    expect(before.findings.at(-1)?.code).toBe('not-checked');
    file.update(`${text} `);
    file.analysis();
    file.update(text);
    expect(file.analysis()).toEqual(before);
  });

  it('in one document leaves the others alone', () => {
    const large = `---\n${pod('a', `{app: ${'x'.repeat(300)}}`)}`;
    const small = `---\n${pod('b', '{app: a b}')}`;
    const limits = { document: 150, file: 2 * COST_OF_DOCUMENT + 150 };
    expect(marks(large + small, { limits }).map(([code]) => code)).toEqual([
      'not-checked',
      'label-value',
    ]);
  });

  it('of control characters is said, in the words of the library', () => {
    expect(found(`${pod('a', '{app: b}')}x: "\0"\n`)).toEqual([
      [
        'not-checked',
        '\0',
        'This document is not looked at, since no one can read it: yaml: control characters are not allowed',
      ],
    ]);
  });

  it('of Services and Pods is said', () => {
    const part = (i: number): string =>
      [pod(`a${i}`, "{x: '1'}"), pod(`b${i}`, "{y: '1'}")].join('---\n') +
      `---\napiVersion: v1\nkind: Service\nspec: {selector: {x: '1', y: '1'}}\n---\n`;
    const file = (count: number) => Array.from({ length: count }, (_, i) => part(i)).join('');
    expect(notChecked(file(20))).toEqual([]);
    const many = found(file(1_200));
    expect(many.filter(([code]) => code === 'not-checked')).toEqual([
      [
        'not-checked',
        'selector',
        'From here on Services are not held against the Pods of this file: there are too many.',
      ],
    ]);
  });

  it.each([
    ['flow lists', (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`],
    ['open flow lists', (depth: number) => '['.repeat(depth)],
    ['flow maps', (depth: number) => `${'{a: '.repeat(depth)}${'}'.repeat(depth)}`],
    ['block lists', (depth: number) => `${'- '.repeat(depth)}a\n`],
    [
      'block maps',
      (depth: number) =>
        Array.from({ length: Math.min(depth, 1_500) }, (_, i) => `${' '.repeat(i)}a:\n`).join(''),
    ],
  ])('of %s in one another is refused', (_what, nested) => {
    const text = `apiVersion: v1\nkind: Pod\nmetadata: {labels: {a: b}}\nspec:\n ${nested(20_000)}`;
    const start = performance.now();
    const messages = notChecked(text);
    expect(performance.now() - start).toBeLessThan(8_000);
    expect(
      messages.every((message) => message === 'This document is nested too deep to be looked at.'),
    ).toBe(true);
    expect(() => new YamlFile(text).spotAt(60)).not.toThrow();
  });

  it('of aliases is refused', () => {
    const levels = Array.from(
      { length: 12 },
      (_, i) => `l${i + 1}: &l${i + 1} [${`*l${i},`.repeat(9)}]\n`,
    );
    const bomb = `l0: &l0 {podSelector: {matchLabels: {a: b}}}\n${levels.join('')}`;
    const text = `apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\n${bomb}spec: {ingress: [{from: *l12}]}\n`;
    expect(found(text)).toEqual([]);
    const item = '{from: [*p,*p,*p,*p,*p,*p,*p,*p,*p,*p]}';
    const wide = `apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\np: &p {podSelector: {matchLabels: {a: b c}}}\ni: &i ${item}\nspec: {ingress: [${'*i,'.repeat(20_000)}]}\n`;
    const start = performance.now();
    expect(notChecked(wide)).toEqual([
      'Aliases make too much of this document, more than 50,000 values: not all of it was looked at.',
    ]);
    expect(performance.now() - start).toBeLessThan(8_000);
    const merges = `apiVersion: v1\nkind: Pod\na0: &a0 {k: v}\n${Array.from({ length: 40 }, (_, i) => `a${i + 1}: &a${i + 1} {<<: [*a${i}, *a${i}, *a${i}]}\n`).join('')}metadata: {labels: *a40}\n`;
    expect(() => found(merges)).not.toThrow();
    expect(
      notChecked('apiVersion: v1\nkind: Pod\nmetadata: &m {labels: *m, <<: *m}\n'),
    ).toHaveLength(1);
  });

  it('of aliases leads to no false error behind it', () => {
    const selector = 'matchLabels: {app: web}';
    const template = (merged: string) =>
      `apiVersion: apps/v1\nkind: Deployment\n${merged}spec: {selector: {${selector}}, template: {metadata: {labels: *t}}}\n`;
    expect(found(template('t: &t {app: web}\n'))).toEqual([]);
    const deep = Array.from({ length: 12 }, (_, i) => `m${i + 1}: &m${i + 1} {<<: *m${i}}\n`);
    const text = template(`m0: &m0 {app: web}\n${deep.join('')}t: &t {<<: *m12}\n`);
    expect(found(text).map(([code]) => code)).toEqual(['not-checked']);
    const long = template(`w: &w [${'x,'.repeat(60_000)}]\nt: &t {app: web}\n`).replace(
      'spec: {',
      'spec: {replicas: 1, ',
    );
    expect(found(long)).toEqual([]);
  });

  it('of a selector is refused', () => {
    const long = `labelSelector: ${'a,'.repeat(500_000)}b\n`;
    expect(notChecked(long)).toEqual(['This selector is too long to be looked at.']);
    const script = `run: kubectl get pods ${'x'.repeat(1_000_000)} -l a==\n`;
    expect(notChecked(script)).toEqual([
      'This script is too long for its commands to be looked at.',
    ]);
    const templated = `run: {{ a }} kubectl get pods ${'x'.repeat(200_000)}\n`;
    expect(notChecked(templated)).toHaveLength(1);
    const nested = `run: kubectl get po -l a=b=c; ${'$(x '.repeat(40)}\n`;
    expect(notChecked(nested)).toEqual([
      'This script is nested too deep: not all of its commands were looked at.',
    ]);
    expect(marks(nested).map(([code]) => code)).toContain('label-selector');
  });

  it.each([
    ['documents', '---\na: {labels: b}\n', 10_000],
    ['a single line', 'apiVersion: v1, kind: Pod, labels: {a: b}, ', 25_000],
    ['quotes', '"labels', 75_000],
    ['colons', 'labels: ', 75_000],
    ['anchors', '&labels ', 75_000],
    ['aliases', '*labels ', 75_000],
    ['tags', '!labels ', 75_000],
    ['dashes', '- labels\n', 50_000],
    ['question marks', '? labels\n', 12_500],
    ['block scalars', 'labels: |\n', 50_000],
    ['surrogates', 'labels: \ud800\n', 50_000],
    ['apiVersions', '- apiVersion: labels/', 50_000],
    ['templates', 'labels: {{ a\n', 50_000],
    ['selectors', 'labelSelector: a=b\n', 12_500],
    ['Services', `---\n${service}`, 5_000],
  ])('of %s takes bounded time', (_what, part, times) => {
    const start = performance.now();
    const text = `${pod('a', '{a: b}')}${part.repeat(times)}`;
    const { findings } = analyseYaml(text);
    expect(performance.now() - start).toBeLessThan(15_000);
    expect(findings.length).toBeLessThanOrEqual(5_000);
  });
});
