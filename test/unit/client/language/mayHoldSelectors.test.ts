import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mayHoldSelectors } from '../../../../client/language/mayHoldSelectors';
import { openDocument } from '../../../../server/language/open';
import { manifestLanguages, serverLanguages } from '../../../../server/protocol/names';
import { yamlFilesOf } from '../../../corpus/moduleFiles';

const folder = join(import.meta.dirname, '../../../manifests');

function starts(text: string, languageId = 'yaml', uri = 'file:///a/b.yaml'): boolean {
  return mayHoldSelectors({ languageId, uri, text: () => text });
}

function finds(text: string, languageId = 'yaml', uri = 'file:///a/b.yaml'): boolean {
  const analysis = openDocument({ uri, languageId, text })?.analysis();
  return analysis !== undefined && analysis.sites.length + analysis.findings.length > 0;
}

const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { labels: { a: 'b c' } } };

describe('the server is started', () => {
  it('for every manifest in which it finds something, by the manifest alone', () => {
    const files = yamlFilesOf(folder);
    const found = files.filter((name) =>
      finds(readFileSync(join(folder, name), 'utf8'), 'yaml', name),
    );
    expect(found.length).toBeGreaterThan(50);
    for (const name of found) {
      expect([name, starts(readFileSync(join(folder, name), 'utf8'), 'yaml', name)]).toEqual([
        name,
        true,
      ]);
    }
  });

  it.each([
    [
      'a kustomization that does not say what it is',
      'commonLabels:\n  a: b c\n',
      'kustomization.yaml',
    ],
    ['oc alone', 'script: oc get pods -l "a in (b"\n', 'ci.yml'],
    ['a key with a text', 'label_selector: "a in (b"\n', 'ci.yml'],
    ['far down', `${'x: 1\n'.repeat(5000)}labelSelector: "a in (b"\n`, 'ci.yml'],
  ])('for %s', (_, text, name) => {
    expect([finds(text, 'yaml', name), starts(text, 'yaml', name)]).toEqual([true, true]);
  });

  it('for a query file however it is written, and whatever it asks for', () => {
    expect(starts('', 'etcdlist', 'a.etcdlist')).toBe(true);
    expect(starts('resource: pods\n', 'yaml', 'file:///a/b.etcdlist.yaml')).toBe(true);
  });

  it.each([undefined, 2])(
    'for a manifest in each language that it holds, indented by %s',
    (indent) => {
      const text = JSON.stringify(pod, null, indent);
      for (const languageId of manifestLanguages) {
        expect([languageId, finds(text, languageId), starts(text, languageId)]).toEqual([
          languageId,
          true,
          true,
        ]);
      }
    },
  );

  it('for nothing else', () => {
    expect(starts('name: x\nselector: y\n')).toBe(false);
    expect(starts('{"kind": "x", "selector": ".a"}', 'json', 'a.json')).toBe(false);
    expect(starts(JSON.stringify(pod), 'markdown')).toBe(false);
  });
});

it('the server holds documents of each language that it looks at', () => {
  for (const languageId of serverLanguages) {
    expect([languageId, openDocument({ uri: 'a', languageId, text: '' }) !== undefined]).toEqual([
      languageId,
      true,
    ]);
  }
});

it('a long line, or many of blanks, takes no time', () => {
  for (const text of [
    `${' '.repeat(1000)}\n`.repeat(2000),
    'labelselector '.repeat(150_000),
    `selector${' '.repeat(2_000_000)}`,
    'label_'.repeat(300_000),
  ]) {
    const begin = performance.now();
    expect(starts(text)).toBe(false);
    expect(performance.now() - begin).toBeLessThan(1000);
  }
});
