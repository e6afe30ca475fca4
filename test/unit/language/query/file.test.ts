import { describe, expect, it } from 'vitest';
import { found, fixed, open } from './support';

const text = `\ufeff# what this is about

### All pods
# @name all
kubectl get pods -n web -l 'app=nginx' # now

###
# @name page
GET /api/v1/pods
    ?limit=5

### Nothing yet

###
list nodes --continue {{page.continue}}
`;

describe('a query file', () => {
  it('has a query for each block that holds a request', () => {
    expect(
      open(text)
        .queries()
        .map(({ name, title, form, line }) => [name, title, form, line]),
    ).toEqual([
      ['all', 'All pods', 'kubectl', 4],
      ['page', undefined, 'get', 8],
      [undefined, undefined, 'list', 14],
    ]);
    const spans = open(text)
      .queries()
      .map(({ span, anchor }) => [
        text.slice(span.start, span.end).split('\n')[0],
        text.slice(anchor.start, anchor.end),
      ]);
    expect(spans).toEqual([
      ['### All pods', 'kubectl'],
      ['###', 'GET'],
      ['###', 'list'],
    ]);
  });

  it('has a symbol for each block', () => {
    expect(
      open(text)
        .symbols()
        .map(({ name, detail }) => [name, detail]),
    ).toEqual([
      ['all', "kubectl get pods -n web -l 'app=nginx' # now"],
      ['page', 'GET /api/v1/pods'],
      ['Nothing yet', ''],
      ['list nodes --continue {{page.continue}}', ''],
    ]);
  });

  it('folds by blocks', () => {
    const folds = open(text)
      .folds()
      .map(({ start, end }) => text.slice(start, end));
    expect(folds.map((fold) => fold.split('\n').length)).toEqual([3, 4, 1, 2]);
    expect(folds[1]).toBe('###\n# @name page\nGET /api/v1/pods\n    ?limit=5');
  });

  it('has colours', () => {
    const marks = open(text).semanticTokens();
    expect(marks.map(({ span, type }) => `${type} ${text.slice(span.start, span.end)}`)).toEqual([
      'comment # what this is about',
      'comment ### All pods',
      'comment # ',
      'keyword @name',
      'variable all',
      'keyword kubectl',
      'keyword get',
      'type pods',
      'parameter -n',
      'string web',
      'parameter -l',
      'property app',
      'operator =',
      'string nginx',
      'comment # now',
      'comment ###',
      'comment # ',
      'keyword @name',
      'variable page',
      'keyword GET',
      'type pods',
      'operator ?',
      'parameter limit',
      'operator =',
      'number 5',
      'comment ### Nothing yet',
      'comment ###',
      'keyword list',
      'type nodes',
      'parameter --continue',
      'variable {{page.continue}}',
    ]);
  });

  it('has colours in YAML', () => {
    const yaml = 'resource: pods\nlabelSelector: "a in (b)"\nlimit: 5\nname: x\n';
    const marks = open(yaml, {}, true).semanticTokens();
    expect(marks.map(({ span, type }) => `${type} ${yaml.slice(span.start, span.end)}`)).toEqual([
      'parameter resource',
      'type pods',
      'parameter labelSelector',
      'property a',
      'operator in',
      'string b',
      'parameter limit',
      'number 5',
      'parameter name',
      'variable x',
    ]);
  });

  it('has the selectors of each query', () => {
    const query = `kubectl get po -n web -l 'a=b,c in (d)' --field-selector spec.nodeName!=n`;
    const { sites } = open(query).analysis();
    expect(sites).toHaveLength(1);
    const [site] = sites;
    expect(site).toMatchObject({
      form: 'text',
      from: { resource: 'pods', namespace: 'web' },
      selects: [{ labels: 'a=b,c in (d)', fields: 'spec.nodeName!=n' }],
      empty: 'all',
    });
    const shown = site!.requirements.map(({ span, kind, key, operator, values }) => [
      query.slice(span.start, span.end),
      ...[kind, key, operator, ...values],
    ]);
    expect(shown).toEqual([
      ['a=b', 'label', 'a', '=', 'b'],
      ['c in (d)', 'label', 'c', 'in', 'd'],
      ['spec.nodeName!=n', 'field', 'spec.nodeName', '!=', 'n'],
    ]);
    expect(open(query).siteAt(query.indexOf('c in'))).toEqual(site);
  });

  it('tells at a place of a selector what is selected, and elsewhere nothing', () => {
    const query = `list pods -l a=b\n###\nGET /api/v1/nodes?labelSelector=c%3Dd\n`;
    const file = open(query);
    expect(file.siteAt(query.indexOf('a=b'))?.from.resource).toBe('pods');
    expect(file.siteAt(query.indexOf('%3D'))?.from.resource).toBe('nodes');
    expect(file.siteAt(query.indexOf('pods'))).toBeUndefined();
    expect(file.siteAt(query.length)).toBeUndefined();
  });

  it('has no selection while a query has errors', () => {
    const [site] = open('list pods -l a=b,c=d=e').analysis().sites;
    expect(site?.selects).toBeUndefined();
    expect(site?.requirements.map(({ key }) => key)).toEqual(['a', 'c']);
  });

  it('knows whose keys a prefix holds', () => {
    const from = (query: string) => open(query).analysis().sites[0]?.from;
    expect(from('list /registry/pods/')).toEqual({ resource: 'pods', namespace: undefined });
    expect(from('list /registry/pods/web')).toEqual({ resource: 'pods', namespace: 'web' });
    expect(from('list /registry/services/specs/web/a')).toEqual({
      resource: 'services',
      namespace: 'web',
    });
    expect(from('list /registry/minions/')).toEqual({ resource: 'nodes', namespace: undefined });
    expect(from('list /registry/example.com/widgets/a/')).toEqual({
      resource: 'widgets.example.com',
      namespace: undefined,
    });
    expect(from('list /kubernetes.io/pods/web/')).toEqual({ resource: 'pods', namespace: 'web' });
    expect(from('list /other/pods/web/')).toEqual({ resource: undefined, namespace: undefined });
    const own = open('list /other/pods/web/', { root: 'other' }).analysis().sites[0]?.from;
    expect(own).toEqual({ resource: 'pods', namespace: 'web' });
  });

  it.each([
    ['list pods\nlist nodes', 'list nodes', 'A block holds one request: put ### between two.'],
    ['foo bar', 'foo', '"foo" begins no request: write kubectl get, GET or list.'],
    ['POST /api/v1/pods', 'POST', '"POST" begins no request: write kubectl get, GET or list.'],
    ['oc get pods', 'oc', '"oc" begins no request: write kubectl get, GET or list.'],
  ])('says what is no query: %j', (query, at, message) => {
    expect(found(query)).toEqual([['query', at, message]]);
    expect(open(query).queries()[0]?.request).toBeUndefined();
  });

  it('offers what was meant', () => {
    expect(fixed('list pods\nlist nodes', 'Put ### before it')).toBe(
      'list pods\n###\n\nlist nodes',
    );
    expect(fixed('oc get pods -A', 'Change to kubectl')).toBe('kubectl get pods -A');
    expect(fixed('kubctl get pods -A', 'Change to kubectl')).toBe('kubectl get pods -A');
    expect(fixed('$ kubectl get pods -A', 'Remove the prompt')).toBe('kubectl get pods -A');
    expect(fixed('POST /api/v1/pods', 'Change to GET')).toBe('GET /api/v1/pods');
  });

  it('has the same queries whatever ends its lines', () => {
    for (const ending of ['\r\n', '\r']) {
      const other = text.replaceAll('\n', ending);
      const requests = (query: string) =>
        open(query)
          .queries()
          .map(({ request }) => request);
      expect(requests(other)).toEqual(requests(text));
      expect(
        open(other)
          .queries()
          .map(({ line }) => line),
      ).toEqual([4, 8, 14]);
    }
  });
});
