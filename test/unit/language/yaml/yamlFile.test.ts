import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import * as analyse from '../../../../server/language/yaml/analyse';
import * as parse from '../../../../server/language/yaml/parse';
import { YamlFile } from '../../../../server/language/yaml/yamlFile';
import { analyseYaml, found, marks } from './look';

vi.mock('../../../../server/language/yaml/parse', { spy: true });

afterEach(() => {
  vi.mocked(parse.parseChunk).mockClear();
});

const parsed = (): string[] => vi.mocked(parse.parseChunk).mock.calls.map(([text]) => text);

const pod = (name: string, labels: string): string =>
  `apiVersion: v1\nkind: Pod\nmetadata:\n  name: ${name}\n  labels: ${labels}\n`;
const service = 'apiVersion: v1\nkind: Service\nspec: {selector: {app: web}}\n';

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
    expect(
      found(three, { limits: { file: 140 } }).map(([code, covered]) => [code, covered]),
    ).toEqual([
      ['label-value', 'a b'],
      ['label-value', 'a b'],
      ['not-checked', '---'],
    ]);
    const more = 'There is more to be found here than is told.';
    expect(marks(three, { limits: { findingsOfFile: 2 } })).toEqual([
      ['not-checked', '---'],
      ['label-value', 'a b'],
      ['label-value', 'a b'],
    ]);
    expect(notChecked(three, { limits: { findingsOfFile: 2 } })).toEqual([more]);
    expect(notChecked(three, { limits: { findingsOfFile: 3 } })).toEqual([]);
    const many = pod('a', `{${Array.from({ length: 50 }, (_, i) => `a${i}: b c`).join(', ')}}`);
    expect(found(many)).toHaveLength(50);
    expect(found(many, { limits: { findingsOfDocument: 7 } })).toHaveLength(8);
    expect(notChecked(many, { limits: { findingsOfDocument: 7 } })).toEqual([more]);
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
      'Aliases make too much of this document; not all of it was looked at.',
    ]);
    expect(performance.now() - start).toBeLessThan(8_000);
    const merges = `apiVersion: v1\nkind: Pod\na0: &a0 {k: v}\n${Array.from({ length: 40 }, (_, i) => `a${i + 1}: &a${i + 1} {<<: [*a${i}, *a${i}, *a${i}]}\n`).join('')}metadata: {labels: *a40}\n`;
    expect(() => found(merges)).not.toThrow();
    expect(found('apiVersion: v1\nkind: Pod\nmetadata: &m {labels: *m, <<: *m}\n')).toEqual([]);
  });

  it('of a selector is refused', () => {
    const long = `labelSelector: ${'a,'.repeat(500_000)}b\n`;
    expect(notChecked(long)).toEqual(['This selector is too long to be looked at.']);
    const script = `run: kubectl get pods ${'x'.repeat(1_000_000)} -l a==\n`;
    expect(found(script)).toEqual([]);
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
    expect(findings.length).toBeLessThanOrEqual(5_001);
  });
});
