import { describe, expect, it } from 'vitest';
import { spot as spotIn } from './support';

const spot = (text: string) => spotIn(text);

describe('what may be typed', () => {
  it('where a request begins', () => {
    const starts = { kind: 'choice', choices: ['kubectl get', 'GET', 'list'] };
    expect(spot('|')).toMatchObject({ ...starts, replaced: '' });
    expect(spot('kub|')).toMatchObject({ ...starts, replaced: 'kub', typed: 'kub' });
    expect(spot('G|ET /api')).toMatchObject({ ...starts, replaced: 'GET', typed: 'G' });
    expect(spot('list pods\n###\n\n|\n')).toMatchObject({ ...starts, replaced: '' });
    expect(spot('# a comment|')).toBeUndefined();
    expect(spot('list pods\n\n|')).toBeUndefined();
    expect(spot('kubectl |')).toMatchObject({ kind: 'choice', choices: ['get'] });
    expect(spot('kubectl g|')).toMatchObject({ kind: 'choice', choices: ['get'], replaced: 'g' });
  });

  it.each([
    ['kubectl get |', '', ''],
    ['kubectl get po|', 'po', 'po'],
    ['kubectl get po|ds -n web', 'pods', 'po'],
    ['kubectl get -n web |', '', ''],
    ['list |', '', ''],
    ['list de|', 'de', 'de'],
  ])('as a resource: %s', (text, replaced, typed) => {
    expect(spot(text)).toMatchObject({ kind: 'resource', replaced, typed, writing: 'shell' });
  });

  it.each([
    ['kubectl get pods -|', '-'],
    ['kubectl -|', '-'],
    ['kubectl --name|', '--name'],
    ['kubectl get pods --sel|', '--sel'],
    ['kubectl get pods |', ''],
    ['list pods -l a=b |', ''],
  ])('as a flag: %s', (text, replaced) => {
    const at = spot(text);
    expect(at).toMatchObject({ kind: 'flag', replaced, writing: 'shell' });
    expect(at?.choices).toEqual(expect.arrayContaining(['--selector', '-l', '--namespace']));
  });

  it('as a flag that is not given yet', () => {
    expect(spot('kubectl get pods -n web --|')?.given).toContain('--namespace');
    expect(spot('list pods --|')?.choices).toContain('--resource-version-match');
    expect(spot('kubectl get pods --|')?.choices).not.toContain('--limit');
  });

  it.each([
    ['kubectl get pods -n |', '', 'shell'],
    ['kubectl get pods -n | -l a=b', '', 'shell'],
    ['kubectl get pods -n we|b', 'web', 'shell'],
    ["kubectl get pods --namespace='we|b'", 'web', 'shellSingle'],
    ['kubectl get pods -nwe|', 'we', 'shell'],
    ['GET /api/v1/namespaces/|/pods', '', 'percent'],
    ['GET /api/v1/namespaces/we|b/pods?limit=5', 'web', 'percent'],
  ])('as a namespace: %s', (text, replaced, writing) => {
    expect(spot(text)).toMatchObject({ kind: 'namespace', replaced, writing });
  });

  it.each([
    ['kubectl get pods -n web -l |', 'labelKey', '', 'shell'],
    ['kubectl get pods -n web -l ap|', 'labelKey', 'ap', 'shell'],
    ["kubectl get pods -n web -l '|", 'labelKey', '', 'shellSingle'],
    ["kubectl get pods -n web -l '|'", 'labelKey', '', 'shellSingle'],
    ["kubectl get pods -n web -l 'a=b,ti|er=c'", 'labelKey', 'tier', 'shellSingle'],
    ['kubectl get pods -n web -l "a=b, |"', 'labelKey', '', 'shellDouble'],
    ['kubectl get pods -n web -l "!ap|p"', 'labelKey', 'app', 'shellDouble'],
    ["kubectl get pods -n web -l 'app |'", 'labelOperator', '', 'shellSingle'],
    ["kubectl get pods -n web -l 'app i|'", 'labelOperator', 'i', 'shellSingle'],
    ['kubectl get pods -n web -lapp=|', 'labelValue', '', 'shell'],
    ['kubectl get pods -n web --selector=app=ng|inx', 'labelValue', 'nginx', 'shell'],
    ["kubectl get pods -n web -l 'app in (a, b|)'", 'labelValue', 'b', 'shellSingle'],
    ["kubectl get pods -n web -l 'app in (|'", 'labelValue', '', 'shellSingle'],
    ["kubectl get pods -n web -l 'app notin (a,|)'", 'labelValue', '', 'shellSingle'],
    ['GET /api/v1/namespaces/web/pods?labelSelector=|', 'labelKey', '', 'percent'],
    [
      'GET /api/v1/namespaces/web/pods?labelSelector=app%3Dng|&limit=5',
      'labelValue',
      'ng',
      'percent',
    ],
    [
      'GET /api/v1/namespaces/web/pods\n    ?labelSelector=|\n    &limit=5',
      'labelKey',
      '',
      'percent',
    ],
    ['GET /api/v1/namespaces/web/pods?labelSelector=app%20|', 'labelOperator', '', 'percent'],
    [
      "kubectl get --raw '/api/v1/namespaces/web/pods?labelSelector=app%3D|'",
      'labelValue',
      '',
      'percent',
    ],
    ['list pods -n web -l app=|', 'labelValue', '', 'shell'],
    ["list pods -n web -l app='ng|x'", 'labelValue', 'ngx', 'shellSingle'],
    ["list pods -n web --selector='|'", 'labelKey', '', 'shellSingle'],
    ['list /registry/pods/web/ -l app=|', 'labelValue', '', 'shell'],
  ])('in a label selector: %s', (text, kind, replaced, writing) => {
    expect(spot(text)).toMatchObject({
      kind,
      replaced,
      writing,
      from: { resource: 'pods', namespace: 'web' },
    });
  });

  it('with the key, and with what is given already', () => {
    expect(spot("list pods -l 'app in (a,|,c)'")).toMatchObject({ key: 'app', given: ['a', 'c'] });
    expect(spot("list pods -l 'a=b,|,c'")).toMatchObject({ given: ['a', 'c'] });
    expect(spot("list pods -l 'app|'")).toMatchObject({ given: [], typed: 'app' });
    expect(spot("list pods -l 'a=b|c,d'")).toMatchObject({ key: 'a', typed: 'b', replaced: 'bc' });
    expect(spot("list pods -l 'a=b |'")).toBeUndefined();
  });

  it.each([
    ['kubectl get pods -A --field-selector=|', 'fieldName', ''],
    ['kubectl get pods -A --field-selector=spec.n|', 'fieldName', 'spec.n'],
    ['kubectl get pods -A --field-selector=a=b,me|ta=c', 'fieldName', 'meta'],
    ['GET /api/v1/pods?fieldSelector=spec.|%3Dx', 'fieldName', 'spec.'],
  ])('as a field: %s', (text, kind, replaced) => {
    const at = spot(text);
    expect(at).toMatchObject({ kind, replaced });
    expect(at?.choices).toEqual(expect.arrayContaining(['spec.nodeName', 'status.phase']));
  });

  it('as the value of a field', () => {
    expect(spot('list pods --field-selector=spec.nodeName=no|')).toMatchObject({
      kind: 'fieldValue',
      key: 'spec.nodeName',
      replaced: 'no',
    });
    expect(spot('list pods --field-selector=spec.nodeName!|=x')).toMatchObject({
      kind: 'fieldOperator',
      replaced: '!=',
    });
  });

  it.each([
    ['list pods --resource-version-match |', '', ['Exact', 'NotOlderThan']],
    ['list pods --resource-version-match=Ex|', 'Ex', ['Exact', 'NotOlderThan']],
    ['GET /api/v1/pods?resourceVersionMatch=|', '', ['Exact', 'NotOlderThan']],
    ['GET /api/v1/pods?watch=|', '', ['true', 'false']],
    ['list pods --stream=|', '', ['auto', 'on', 'off']],
  ])('as one of a few words: %s', (text, replaced, choices) => {
    expect(spot(text)).toMatchObject({ kind: 'choice', replaced, choices });
  });

  it('as the token of a query before', () => {
    const before = '# @name a\nlist pods --limit=5\n###\n# @name b\n';
    const after = '\n###\n# @name c\nlist pods --limit=5\n';
    for (const [text, replaced] of [
      ['list pods --continue |', ''],
      ['list pods --continue={{|', '{{'],
      ['GET /api/v1/pods?continue={{a.|', '{{a.'],
    ]) {
      expect(spot(before + text! + after)).toMatchObject({
        kind: 'choice',
        replaced,
        choices: ['{{a.continue}}'],
      });
    }
  });

  it('as a parameter', () => {
    const at = spot('GET /api/v1/pods?limit=5&lab|');
    expect(at).toMatchObject({ kind: 'flag', replaced: 'lab', given: ['limit'], writing: 'plain' });
    expect(at?.choices).toContain('labelSelector');
    expect(spot('GET /api/v1/pods?|')).toMatchObject({ kind: 'flag', replaced: '' });
    expect(spot('GET /api/v1/pods\n    ?limit=5\n    &|')).toMatchObject({
      kind: 'flag',
      replaced: '',
    });
  });

  it('as a path', () => {
    expect(spot('GET |')).toMatchObject({ kind: 'choice', replaced: '' });
    expect(spot('GET /api/v1/p|')?.choices).toEqual(
      expect.arrayContaining(['/api/v1/pods', '/apis/apps/v1/deployments']),
    );
    expect(spot('GET /api/v1/namespaces/web/p|?limit=5')).toMatchObject({
      replaced: '/api/v1/namespaces/web/p',
      choices: expect.arrayContaining(['/api/v1/namespaces/web/pods', '/api/v1/nodes']) as string[],
    });
    expect(spot('GET /api/v1/namespaces/web/|')?.choices).toContain('/api/v1/namespaces/web/pods');
  });

  it.each([
    ['kubectl get pods -l a=b # x|'],
    ['kubectl get pods --chunk-size=|'],
    ['kubectl get pods name|'],
    ["kubectl get pods -l $'a|'"],
    ["kubectl get po'd|s'"],
    ["kubectl get pods -l ap'p|'"],
    ["list \0''|"],
    ['GET /api/v1/pods?limit=|'],
    ['GET /api/v1/pods\n\n  |'],
  ])('nothing: %s', (text) => {
    expect(spot(text)).toBeUndefined();
  });
});

describe('what may be typed in YAML', () => {
  const yaml = (text: string) => spotIn(text, {}, true);

  it.each([
    ['resource: |', 'resource', '', 'yaml'],
    ['resource: po|', 'resource', 'po', 'yaml'],
    ['resource: pods\nnamespace: |', 'namespace', '', 'yaml'],
    ["resource: pods\nnamespace: 'we|b'\n", 'namespace', 'web', 'yamlSingle'],
    ['resource: pods\nlabelSelector: |', 'labelKey', '', 'word'],
    ['resource: pods\nlabelSelector: app=ng|\nlimit: 5', 'labelValue', 'ng', 'word'],
    ['resource: pods\nlabelSelector: "app=|"', 'labelValue', '', 'yamlDouble'],
    ['resource: pods\nfieldSelector: spec.|', 'fieldName', 'spec.', 'word'],
    ['resource: pods\nresourceVersionMatch: |', 'choice', '', 'yaml'],
    ['resource: pods\nwatch: |', 'choice', '', 'plain'],
    ['resource: pods\nlab|', 'choice', 'lab', 'plain'],
  ])('%j', (text, kind, replaced, writing) => {
    expect(yaml(text)).toMatchObject({ kind, replaced, writing });
  });

  it('the token of a query before', () => {
    const text = 'name: a\nresource: pods\nlimit: 5\n---\nresource: pods\ncontinue: "|"\n';
    expect(yaml(text)).toMatchObject({ choices: ['{{a.continue}}'], writing: 'yamlDouble' });
  });
});
