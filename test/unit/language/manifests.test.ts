import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDocument } from '../../../server/language/open';
import { BUILT_IN_TABLE, CUSTOM_TABLE } from '../../../server/language/yaml/kinds';
import { annotated } from '../../manifests/annotate';
import { smallestManifest } from '../../manifests/places';
import { yamlFilesOf } from '../../corpus/moduleFiles';

const folder = join(import.meta.dirname, '../../manifests');
const files = yamlFilesOf(folder);

function analysed(name: string) {
  const text = readFileSync(join(folder, name), 'utf8');
  const analysis = openDocument({ uri: name, languageId: '', text })!.analysis();
  return { text, analysis };
}

describe('a manifest has what stands beside it', () => {
  it.each(files)('%s', (name) => {
    const { text, analysis } = analysed(name);
    const expected = readFileSync(join(folder, name.replace(/\.yaml$/, '.found.txt')), 'utf8');
    expect(annotated(text, analysis)).toBe(expected);
  });
});

interface Row {
  readonly name: string;
  readonly told: string;
  readonly trap: string;
}

const rows = readFileSync(join(folder, 'README.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ['))
  .map((line): Row => {
    const [file = '', kind, form, trap, findings, selectors] = line.split(/ *(?<!\\)\| */).slice(1);
    const name = /^\[(.*)\]\(\1\)$/.exec(file)?.[1] ?? file;
    return { name, told: `${findings} ${selectors}`, trap: `${kind} ${form} ${trap}` };
  });

describe('of the kinds that have selectors', () => {
  const texts = files.map((name) => readFileSync(join(folder, name), 'utf8'));
  const kinds = [...BUILT_IN_TABLE, ...CUSTOM_TABLE];

  it.each(kinds)('$group $kind has a manifest', ({ group, kind }) => {
    const version = group === 'core' ? 'v1' : group.includes('/') ? group : `${group}/`;
    const isOne = (text: string) =>
      text.includes(`apiVersion: ${version}`) &&
      (kind === '*' || new RegExp(`kind: ${kind}$`, 'm').test(text));
    expect(texts.some(isOne)).toBe(true);
  });

  it.each(kinds)('$group $kind is looked at in every place', (each) => {
    for (const row of each.rows) {
      const text = smallestManifest(each, row);
      const { findings, sites } = openDocument({ uri: 'a.yaml', languageId: '', text })!.analysis();
      expect(findings.length + sites.length, text).toBeGreaterThan(0);
    }
  });
});

describe('the table of manifests', () => {
  it('names each of them, of which there are more than 60', () => {
    expect(rows.map(({ name }) => name).sort()).toEqual(files);
    expect(files.length).toBeGreaterThan(60);
  });

  it('has no kind, form and trap twice', () => {
    const traps = rows.map(({ trap }) => trap);
    expect(traps.filter((trap, i) => traps.indexOf(trap) !== i)).toEqual([]);
  });

  it.each(rows)('says what is found in $name', ({ name, told }) => {
    const { findings, sites } = analysed(name).analysis;
    const codes = [...new Set(findings.map(({ code }) => code))].join(', ');
    expect(told).toBe(`${codes || '-'} ${sites.length || '-'}`);
  });

  it('knows no expectation without its manifest', () => {
    const expected = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.found.txt'))
      .map((name) => name.replaceAll('\\', '/').replace(/\.found\.txt$/, '.yaml'));
    expect(expected.sort()).toEqual(files);
  });
});
