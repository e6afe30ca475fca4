import { describe, expect, it } from 'vitest';
import { withEdits } from '../../../../server/language/source/edits';
import { storedFixes } from '../../../../server/language/index/misspelt';
import {
  lensText,
  matchCount,
  requirementHint,
  siteMarkdown,
  storedFinding,
} from '../../../../server/language/index/siteText';
import type { SelectorSite } from '../../../../server/language/model';
import { indexOf, requirement, site, times } from './support';
import { YamlFile } from '../../../../server/language/yaml/yamlFile';

const objects = [
  ...times(12, { labels: { app: 'nginx' }, fields: { 'spec.nodeName': 'node-1' } }),
  ...times(3, { labels: { app: 'api' } }),
  ...times(5, { labels: { tier: 'db' } }),
];
const index = indexOf(objects);
const nginx = site('app=nginx', [requirement('app', '=', ['nginx'])]);

/** Escapes taken back, to read it as a person would. */
const read = (markdown: string): string =>
  markdown.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));

describe('a hint behind a requirement', () => {
  const hint = (text: Parameters<typeof requirement>, from = index) =>
    requirementHint(requirement(...text), nginx, from);

  it('counts what the requirement alone matches', () => {
    expect(hint(['app', '=', ['nginx']])).toBe('12');
    expect(hint(['app', '!=', ['nginx']])).toBe('8');
    expect(hint(['app', 'exists'], indexOf(objects, {}, { namespace: undefined as never }))).toBe(
      '15',
    );
    expect(hint(['tier', 'exists'], indexOf(objects, { total: 500 }))).toBe('about 25 %');
  });

  it('knows fields that the resource has', () => {
    const field = (key: string) => ({
      ...requirement(key, '=', ['node-1']),
      kind: 'field' as const,
    });
    expect(requirementHint(field('spec.nodeName'), nginx, index)).toBe('12');
    expect(requirementHint(field('spec.nope'), nginx, index)).toBeUndefined();
  });
});

describe('a lens', () => {
  it('counts exactly what was read whole, and says where', () => {
    expect(lensText(nginx, index)).toBe('matches 12 of 20 Pods in web');
    expect(lensText(nginx, indexOf(objects, {}, { namespace: undefined as never }))).toBe(
      'matches 12 of 20 Pods in all namespaces',
    );
    expect(
      lensText(nginx, indexOf(objects, {}, { namespace: undefined as never, namespaced: false })),
    ).toBe('matches 12 of 20 Pods');
    expect(
      lensText(site('app', [requirement('app', 'exists')]), indexOf(times(2, objects[0]!))),
    ).toBe('matches all 2 Pods in web');
    expect(lensText(nginx, indexOf(times(1, objects[0]!)))).toBe('matches 1 of 1 Pod in web');
    expect(lensText(nginx, indexOf(times(4, {})))).toBe('matches none of 4 Pods in web');
    expect(lensText(nginx, indexOf([]))).toBe('matches nothing: there are no Pods in web');
  });

  it.each([
    [16, 484, 'about 3 % (16 of a sample of 500 Pods)'],
    [1, 499, 'less than 1 % (1 of a sample of 500 Pods)'],
    [499, 1, 'more than 99 % (499 of a sample of 500 Pods)'],
    [0, 500, 'none of a sample of 500 Pods'],
    [500, 0, 'all of a sample of 500 Pods'],
  ])('estimates from a sample: %i and %i others', (matching, rest, text) => {
    const seen = [...times(matching, { labels: { app: 'nginx' } }), ...times(rest, {})];
    expect(lensText(nginx, indexOf(seen, { total: 4210 }))).toBe(`matches ${text} in web`);
  });

  it('says nothing where nothing is known, or the selector has errors', () => {
    expect(lensText(nginx, undefined)).toBeUndefined();
    expect(lensText({ ...nginx, selects: undefined }, index)).toBeUndefined();
    const unknown = { ...nginx, selects: [{ labels: '', fields: 'spec.nope=x' }] };
    expect(lensText(unknown, index)).toBeUndefined();
  });

  it('says what an empty selector means where it stands', () => {
    const empty = (meaning: SelectorSite['empty']) =>
      lensText(site('', [], { empty: meaning }), index);
    expect(empty('all')).toBe('empty: matches all 20 Pods in web');
    expect(empty('none')).toBe('empty: matches nothing');
    expect(empty('own')).toBe('absent: matches its own namespace');
    expect(empty('refused')).toBeUndefined();
    expect(empty('filled')).toBeUndefined();
    expect(empty('unknown')).toBeUndefined();
  });

  it('counts alternatives together, each object once', () => {
    const both = [
      { labels: 'app', fields: '' },
      { labels: 'app=nginx', fields: '' },
      { labels: '', fields: 'spec.host=node-1' },
    ];
    expect(matchCount({ ...nginx, selects: both }, index)).toBe(15);
    expect(matchCount({ ...nginx, selects: [] }, index)).toBe(0);
  });
});

describe('a hover', () => {
  it('says each requirement in words with its count, and what they match together', () => {
    const selector = site('app!=nginx,tier notin (db,web),!gone', [
      requirement('app', '!=', ['nginx']),
      requirement('tier', 'notin', ['db', 'web']),
      requirement('gone', '!'),
      { ...requirement('spec.host', '=', ['node-1']), kind: 'field' },
    ]);
    expect(read(siteMarkdown(selector, index))).toBe(
      [
        'Selects Pods by:',
        '',
        '- label **app** is anything but **nginx**; objects without the label match too: 8 of 20 Pods, 5 of them without the label',
        '- label **tier** is neither **db** nor **web**; objects without the label match too: 15 of 20 Pods, 15 of them without the label',
        '- label **gone** is not there: 20 of 20 Pods',
        '- field **spec.host** is **node-1**: 12 of 20 Pods',
        '',
        'It matches 3 of 20 Pods in web.',
        '',
        'Counted over all 20 Pods.',
      ].join('\n'),
    );
  });

  it('says how a sample was taken', () => {
    const from = { total: 4210, places: 9, unreadable: 2 };
    expect(read(siteMarkdown(nginx, indexOf(objects, from)))).toMatch(
      /From a sample: 20 of 4,210 Pods, read from 9 places in the order of their keys; 2 could not be read\.$/,
    );
    expect(read(siteMarkdown(nginx, indexOf(objects, { total: 4210 })))).toMatch(
      /From a sample: 20 of 4,210 Pods, the first in the order of their keys\.$/,
    );
  });

  it('needs nothing that is stored', () => {
    const { from, ...rest } = nginx;
    expect(read(siteMarkdown({ ...rest, from }, undefined))).toBe(
      'Selects Pods by:\n\n- label **app** is **nginx**',
    );
    const nobody = { ...rest, from: { resource: undefined, namespace: undefined } };
    expect(read(siteMarkdown(nobody, undefined))).toContain('Selects objects by:');
  });

  it.each([
    ['all', 'Selects Pods. It is empty, which here selects all Pods.'],
    ['none', 'Selects Pods. It is empty, which here selects nothing.'],
    ['own', 'Selects Pods. It is absent, which here selects the namespace that it is in.'],
    ['refused', 'Selects Pods. It is empty, which the API server refuses here.'],
    ['filled', 'Selects Pods. It is empty, and the API server fills it in here.'],
  ] as const)('says what an empty selector means: %s', (meaning, text) => {
    expect(read(siteMarkdown(site('', [], { empty: meaning }), index))).toBe(text);
  });

  it('says of a selector with errors that they are left out, not that it is empty', () => {
    const siteIn = (text: string) => new YamlFile(text).analysis().sites[0]!;
    const policy = 'apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nspec:\n  podSelector: ';
    const broken = siteIn(`${policy}{matchExpressions: [{key: a, operator: IN}]}\n`);
    expect(lensText(broken, index)).toBeUndefined();
    expect(read(siteMarkdown(broken, index))).toBe(
      'Selects Pods. What stands in it has errors, or is filled in by a template.',
    );
    const half = siteIn(
      `${policy}{matchLabels: {b: c}, matchExpressions: [{key: a, operator: IN}]}\n`,
    );
    expect(lensText(half, index)).toBeUndefined();
    expect(read(siteMarkdown(half, undefined))).toContain(
      'What has errors, or is filled in by a template, is left out here.',
    );
  });

  it('says of an empty selector without errors what that means, whatever it is', () => {
    const textOf = (text: string) =>
      read(siteMarkdown(new YamlFile(text).analysis().sites[0]!, undefined));
    const monitor = 'apiVersion: monitoring.coreos.com/v1\nkind: Prometheus\nspec:\n  ';
    expect(textOf(`${monitor}serviceMonitorNamespaceSelector: null\n`)).toContain('It is absent');
    const controller = 'apiVersion: v1\nkind: ReplicationController\nspec:\n  selector:\n';
    expect(textOf(controller)).toContain('the API server fills it in here');
  });

  it('lets nothing of the document or of etcd act', () => {
    const evil = '[x](command:y) <img src=z> `a` **b**\n# c \u202e https://d.e';
    const stored = indexOf(
      [{ labels: { [`${evil}!`]: evil } }],
      {},
      {
        noun: { one: evil, many: evil },
        namespace: evil,
      },
    );
    const selector = site('a', [requirement(evil, '=', [evil])]);
    const markdown = siteMarkdown(selector, stored);
    const bare = markdown
      .replaceAll('**', '')
      .replaceAll(/^ *- /gm, '')
      .replaceAll(/&#\d+;/g, '');
    expect(bare).not.toMatch(/[[\]<>`*#!_~@\\\u202e]|:\/|\(c/);
    expect(markdown.split('\n').length).toBeLessThan(12);
  });

  it('shows at most fifty requirements', () => {
    const many = Array.from({ length: 1000 }, (_, i) => requirement(`k${i}`, 'exists'));
    const lines = siteMarkdown(site('k', many), undefined).split('\n');
    expect(lines).toHaveLength(53);
    expect(lines.at(-1)).toBe('- and 950 more');
  });
});

describe('what is not stored', () => {
  const text = 'apq=nginx,app in (ngimx,api),tier=db';
  const at = (word: string) => {
    const start = text.indexOf(word);
    return { span: { start, end: start + word.length }, writing: 'plain' as const };
  };
  const selector = site(text, [
    requirement('apq', '=', ['nginx'], { keyPart: at('apq'), valueParts: [at('nginx')] }),
    requirement('app', 'in', ['ngimx', 'api'], {
      keyPart: at('app'),
      valueParts: [at('ngimx'), at('api')],
    }),
    requirement('tier', '=', ['db'], { keyPart: at('tier'), valueParts: [at('db')] }),
  ]);

  it('gets the nearest stored key or value in its place, with how many have it', () => {
    const fixes = storedFixes(selector, index);
    expect(fixes.map(({ title, preferred }) => [title, preferred])).toEqual([
      ['Change to app, which 15 Pods carry', true],
      ['Change to nginx, which 12 Pods have', true],
    ]);
    expect(fixes.map(({ edits }) => withEdits(text, edits))).toEqual([
      'app=nginx,app in (ngimx,api),tier=db',
      'apq=nginx,app in (nginx,api),tier=db',
    ]);
  });

  it('says shares where only a sample is known, and one object in the singular', () => {
    expect(storedFixes(selector, indexOf(objects, { total: 900 }))[0]?.title).toBe(
      'Change to app, which about 75 % of a sample of 20 Pods carry',
    );
    expect(storedFixes(selector, indexOf([{ labels: { app: 'x' } }]))[0]?.title).toBe(
      'Change to app, which 1 Pod carries',
    );
  });

  it('gets no fix where the document cannot be edited', () => {
    const coarse = site(text, [requirement('apq', '=', ['nginx'])]);
    expect(storedFixes(coarse, index)).toEqual([]);
    expect(read(siteMarkdown(coarse, index))).toContain(
      '    - Nothing read carries **apq**; near it: **app** (15 of 20 Pods)',
    );
  });

  it('is looked for in values of fields too, under the name that is stored', () => {
    const place = at('nginx');
    const host = {
      ...requirement('spec.host', '=', ['node-2'], { valueParts: [place] }),
      kind: 'field' as const,
    };
    expect(storedFixes(site('', [host]), index).map(({ title }) => title)).toEqual([
      'Change to node-1, which 12 Pods have',
    ]);
  });

  it('is a hint when every object is known and none matches', () => {
    expect(storedFinding(nginx, index, matchCount(nginx, index))).toBeUndefined();
    const none = site('apq=nginx', selector.requirements.slice(0, 1));
    expect(storedFinding(none, index, matchCount(none, index))).toEqual({
      code: 'selects-nothing',
      message: 'This selector matches none of 20 Pods in web.',
      span: none.anchor,
      fixes: [],
    });
    expect(storedFixes(none, index)).toMatchObject([
      { title: 'Change to app, which 15 Pods carry' },
    ]);
    expect(storedFinding(none, indexOf(objects, { total: 21 }), 0)).toBeUndefined();
    expect(storedFinding(none, index, undefined)).toBeUndefined();
    expect(storedFinding(site('', [], { empty: 'none' }), index, 0)).toBeUndefined();
  });
});
