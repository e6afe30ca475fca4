import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import explainedReports from '../../corpus/explained.json';
import { judge, type Explained } from '../../corpus/explained';
import { goOver } from '../../corpus/goOver';
import { yamlFilesOf } from '../../corpus/moduleFiles';
import leftOut from '../../corpus/leftOut.json';
import { pinnedModules } from '../../corpus/modules.mjs';
import { isLeftOut, missingPlaces } from '../../corpus/schemas';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'corpus-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const WRONG = 'apiVersion: v1\nkind: Pod\nmetadata:\n  labels: {a: b c}\n';

function put(name: string, text: string): void {
  mkdirSync(join(folder, name, '..'), { recursive: true });
  writeFileSync(join(folder, name), text);
}

describe('the files of a module', () => {
  it('are all of YAML, and links lead nowhere', () => {
    for (const name of ['b.yaml', 'a/z.YML', 'a/vendor/c.yml', 'd.json', 'yaml']) put(name, '');
    symlinkSync(join(folder, 'b.yaml'), join(folder, 'link.yaml'));
    symlinkSync(folder, join(folder, 'round'));
    expect(yamlFilesOf(folder)).toEqual(['a/vendor/c.yml', 'a/z.YML', 'b.yaml']);
  });

  it('are counted and looked at', () => {
    put('a/one.yaml', `# nothing\n---\n${WRONG}---\n# nothing\n---\nlabelSelector: a=b\n`);
    put('two.yml', 'fieldSelector: a=b,c\n');
    const { files, documents, selectors, reports } = goOver(folder);
    expect({ files, documents, selectors }).toEqual({ files: 2, documents: 3, selectors: 2 });
    expect(reports.map(({ file, code, start }) => [file, code, start.line])).toEqual([
      ['a/one.yaml', 'label-value', 6],
      ['two.yml', 'field-selector', 1],
    ]);
  });
});

describe('a report', () => {
  const explanation = (part: Partial<Explained> = {}): Explained => {
    const whole = { module: 'm', path: 'a.yaml', line: 4, code: 'label-value', why: 'so' };
    return { ...whole, ...part };
  };
  const judged = (explained: readonly Explained[], modules = ['m']) => {
    put('a.yaml', WRONG);
    const reports = goOver(folder).reports.map((report) => ({ module: 'm', report }));
    const { true: known, unexplained, missing } = judge(reports, explained, modules);
    return [known.length, unexplained.length, missing.length];
  };

  it('is explained by its module, path, line and code alone', () => {
    expect(judged([explanation()])).toEqual([1, 0, 0]);
    expect(judged([])).toEqual([0, 1, 0]);
    for (const other of [{ module: 'n' }, { path: 'b.yaml' }, { line: 3 }, { code: 'label-key' }]) {
      expect(judged([explanation(other)], ['m', 'n'])).toEqual([0, 1, 1]);
    }
  });

  it('is missed where it is explained twice, and not in a module that is absent', () => {
    expect(judged([explanation(), explanation()])).toEqual([1, 0, 1]);
    expect(judged([explanation(), explanation({ module: 'n' })])).toEqual([1, 0, 0]);
  });
});

describe('what is explained', () => {
  it('is about modules that are pinned', () => {
    const modules = pinnedModules().map(({ path }) => path);
    expect(modules).toHaveLength(6);
    for (const { module } of explainedReports) expect(modules).toContain(module);
  });
});

describe('definitions of kinds', () => {
  const selector = '{properties: {matchLabels: {type: object}, matchExpressions: {type: array}}}';
  const definition = (kind: string, properties: string): string =>
    `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  group: karpenter.sh\n  names:\n    kind: ${kind}\n  versions: [{schema: {openAPIV3Schema: {properties: ${properties}}}}]\n`;

  it('have selectors that the table of kinds lacks', () => {
    const nested = `{spec: {properties: {terms: {items: ${selector}}, list: {items: {properties: {a: ${selector}}}}}}}`;
    put('a.yaml', `${definition('NodePool', nested)}---\n${definition('Widget', nested)}`);
    put('b.yaml', definition('NodePool', '{}'));
    const path = (name: string) => ({ group: 'karpenter.sh', kind: 'NodePool', path: name });
    expect(missingPlaces([folder])).toEqual({
      kinds: 1,
      missing: [path('spec.list[].a'), path('spec.terms[]')],
    });
  });

  it('are read only where the table has the kind, and no template makes them', () => {
    put('a.yaml', definition('NodePool', `{spec: ${selector}, x: '{{ y }}'}`));
    put('b.yaml', definition('Widget', `{spec: ${selector}}`));
    expect(missingPlaces([folder])).toEqual({ kinds: 0, missing: [] });
  });

  it('have selectors left out below a path', () => {
    const [first] = leftOut;
    const place = { group: 'kyverno.io', kind: 'Policy', path: 'status.autogen.rules[].match' };
    expect(isLeftOut(place, first!)).toBe(true);
    for (const other of [{ group: 'x' }, { kind: 'x' }, { path: 'status.autogenerated' }]) {
      expect(isLeftOut({ ...place, ...other }, first!)).toBe(false);
    }
  });
});
