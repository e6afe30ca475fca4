import { describe, expect, it } from 'vitest';
import {
  fixed as fixedIn,
  found as foundIn,
  nothing,
  open,
  request as requestIn,
  spot as spotIn,
} from './support';

const found = (text: string) => foundIn(text, {}, true);
const request = (text: string) => requestIn(text, {}, true);
const fixed = (text: string, title: string) => fixedIn(text, title, true);
const spot = (text: string) => spotIn(text, {}, true);
const pods = { ...nothing, resource: 'pods' };

describe('a query in YAML', () => {
  it.each([
    ['resource: pods', {}],
    ['resource: "po"\nnamespace: web\n', { namespace: 'web' }],
    ['{resource: pods, limit: 5}', { limit: '5' }],
    ['resource: pods\nlimit: 9223372036854775807', { limit: '9223372036854775807' }],
    [
      "resource: pods\nlabelSelector: 'app=x,tier in (a, b)'",
      { labelSelector: 'app=x,tier in (a, b)' },
    ],
    ['resource: pods\nlabelSelector: >-\n  app=x,\n  tier=y', { labelSelector: 'app=x, tier=y' }],
    ['resource: pods\nlabelSelector: ""\nfieldSelector:\n', {}],
    ['resource: pods\nlimit: 5\nfollow: true', { limit: '5', paging: 'toEnd' }],
    ['prefix: /registry/pods/', { resource: '/registry/pods/' }],
    [
      'resource: pods\nresourceVersion: "5"\nresourceVersionMatch: Exact',
      { resourceVersion: '5', resourceVersionMatch: 'Exact' },
    ],
    ['resource: &r pods\nnamespace: *r', { namespace: 'pods' }],
    ['\ufeff# c\r\nresource: pods\r\nlimit: 5\r\n', { limit: '5' }],
    ['%YAML 1.2\n---\nresource: pods\n...\n', {}],
  ])('asks: %j', (text, expected) => {
    expect(found(text)).toEqual([]);
    expect(request(text)).toEqual({ ...pods, ...expected });
    expect(open(text, {}, true).queries()[0]?.form).toBe('yaml');
  });

  it('is one a document, with names and lines', () => {
    const text =
      '# all\nname: a\nresource: pods\nlimit: 5\n---\n\n---\nresource: pods\nlimit: 5\ncontinue: "{{a.continue}}"\n';
    const queries = open(text, {}, true).queries();
    expect(found(text)).toEqual([]);
    expect(queries.map(({ name, line }) => [name, line])).toEqual([
      ['a', 1],
      [undefined, 7],
    ]);
    expect(queries[1]?.request?.continue).toEqual({ kind: 'query', name: 'a', index: 0 });
    expect(
      open(text, {}, true)
        .symbols()
        .map(({ name }) => name),
    ).toEqual(['a', 'pods']);
    const folds = open(text, {}, true).folds();
    expect(folds.map(({ start, end }) => text.slice(start, end))).toEqual([
      'name: a\nresource: pods\nlimit: 5',
      'resource: pods\nlimit: 5\ncontinue: "{{a.continue}}"',
    ]);
  });

  it.each([
    [
      'limit: 5',
      'query',
      'limit',
      'A query needs a resource, such as pods, or a prefix, such as /registry/pods/.',
    ],
    [
      'resource: pods\nprefix: /a/',
      'query',
      'prefix',
      'A query has a resource or a prefix, not both.',
    ],
    ['resource: pods\nresource: nodes', 'query', 'resource', 'resource stands here twice.'],
    ['resource: pods\nlimit: "5"', 'query', '"5"', 'limit takes a whole number, without quotes.'],
    ['resource: pods\nlimit: 1.5', 'query', '1.5', 'limit takes a whole number, without quotes.'],
    ['resource: pods\nwatch: 1', 'query', '1', 'watch takes true or false, without quotes.'],
    [
      'resource: pods\nresourceVersion: 5',
      'not-a-string',
      '5',
      'resourceVersion takes a text, and YAML reads 5 as something else.',
    ],
    [
      'resource: pods\nnamespace: true',
      'not-a-string',
      'true',
      'namespace takes a text, and YAML reads true as something else.',
    ],
    [
      'resource: pods\nlabelSelector: {app: x}',
      'query',
      '{app: x}',
      'labelSelector takes one text, number or truth value.',
    ],
    [
      'resource: pods\ncontinue: {{a.continue}}',
      'query',
      '{{a.continue}}',
      'YAML takes {{ for a mapping: put it into quotes.',
    ],
    [
      '- resource: pods',
      'query',
      '-',
      'A query is a mapping with members such as resource and labelSelector.',
    ],
    [
      'prefix: registry/pods',
      'query',
      'registry/pods',
      'A prefix of keys begins with a slash, such as /registry/pods/.',
    ],
    [
      'resource: pods\nlimit: 99999999999999999999',
      'request',
      '99999999999999999999',
      'strconv.ParseInt: parsing "99999999999999999999": value out of range: write a whole number of at most 9223372036854775807, such as 500',
    ],
    [
      'resource: pods\nsendInitialEvents: true',
      'request',
      'true',
      'sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list',
    ],
  ])('is refused: %j', (text, code, at, message) => {
    const [first] = found(text);
    expect(first).toEqual([code, at, message]);
    expect(request(text)).toBeUndefined();
  });

  it.each([
    ['resource: *nope', "yaml: unknown anchor 'nope' referenced"],
    ['prefix: *nope', "yaml: unknown anchor 'nope' referenced"],
    ['resource: [pods]', 'resource takes one text, number or truth value.'],
    ['resource: pods\n<<: *nope', "yaml: unknown anchor 'nope' referenced"],
    ['resource: pods\n<<: 5', 'yaml: map merge requires map or sequence of maps as the value'],
    [
      'resource: pods\n<<: [{limit: 5}, x]',
      'yaml: map merge requires map or sequence of maps as the value',
    ],
  ])('tells what is wrong with it once: %j', (text, message) => {
    expect(found(text).map(([code, , said]) => [code, said])).toEqual([['query', message]]);
    expect(request(text)).toBeUndefined();
  });

  it('takes what is merged into it, after what it holds itself', () => {
    const text = 'limit: &n 5\n<<: [{resource: pods, limit: 7}, {namespace: web, resource: nodes}]';
    expect(found(text)).toEqual([]);
    expect(request(text)).toEqual({ ...nothing, resource: 'pods', namespace: 'web', limit: '5' });
  });

  it('says where YAML is broken', () => {
    const text = 'resource: pods\nlabelSelector: "app=x';
    expect(found(text)).toMatchObject([
      ['query', expect.any(String), expect.stringContaining('quote')],
    ]);
    expect(request(text)).toBeUndefined();
  });

  it('says what has no effect', () => {
    const text = 'resource: nodes\nnamespace: web\nlabelselector: a\nlimit: -1\nfollow: true';
    expect(found(text).map(([code, at]) => [code, at])).toEqual([
      ['no-effect', 'namespace'],
      ['no-effect', 'labelselector'],
      ['no-effect', '-1'],
      ['no-effect', 'follow'],
    ]);
    expect(found('resource: pods\nfollow: true').map(([code, at]) => [code, at])).toEqual([
      ['no-effect', 'follow'],
    ]);
  });

  describe('may have typed in it', () => {
    const NAMES = ['name', 'resource', 'prefix', 'namespace', 'labelSelector', 'fieldSelector'];

    it.each([
      ['in a file with nothing in it', '|', '', ': '],
      ['below what is there', 'resource: pods\n|\n', '', ': '],
      ['between others', 'resource: pods\n|\nlimit: 5\n', '', ': '],
      ['in a document with nothing in it', 'resource: pods\n---\n|\n', '', ': '],
      ['as the first word', 'res|', 'res', ': '],
      ['without its colon', 'resource: pods\nlab|\n', 'lab', ': '],
      ['before its colon', 'resource: pods\nlab|s: a\n', 'labs', undefined],
      ['in another', 'limit: 5\nna|mespace: a\n', 'namespace', undefined],
      ['in one that is indented', '  resource: pods\n  |\n', '', ': '],
      ['in quotes', '{"resource": "pods", "lab|": "a"}', 'lab', undefined],
      ['in braces', '{resource: pods, lab|}', 'lab', ': '],
    ])('the name of a member %s', (_, text, replaced, behind) => {
      const at = spot(text);
      expect(at).toMatchObject({ kind: 'choice', replaced, writing: 'plain', isInSchema: true });
      expect(at?.behind).toBe(behind);
      expect(at?.choices).toEqual(expect.arrayContaining(NAMES));
    });

    it('no member that is there, but the one that is typed', () => {
      expect(spot('resource: pods\nlimit: 5\n|')?.given).toEqual(['resource', 'limit']);
      expect(spot('resource: pods\nlim|it: 5\n')?.given).toEqual(['resource']);
    });

    it.each([
      ['in a value', 'resource: pods\nname: a|b\n'],
      ['in a comment', '# a|b\nresource: pods\n'],
      ['in another column', 'resource: pods\n  |\n'],
      ['in a list', '- a|b\n'],
      ['in a folded text', 'labelSelector: >\n  app\n  |\nresource: pods\n'],
      ['in what is no word', '"a b|": c\n'],
    ])('no member %s', (_, text) => {
      expect(spot(text)?.choices ?? []).not.toContain('resource');
    });

    it('a word of a few, as the schema has them, and without quotes', () => {
      const match = spot('resource: pods\nresourceVersionMatch: |');
      expect(match).toMatchObject({ choices: ['Exact', 'NotOlderThan'], isInSchema: true });
      const follow = spot('resource: pods\nfollow: |');
      expect(follow).toMatchObject({
        choices: ['true', 'false'],
        isInSchema: true,
        writing: 'plain',
      });
    });

    it('what etcd has and no schema', () => {
      for (const text of ['resource: |', 'resource: pods\nlabelSelector: |']) {
        expect(spot(text)?.isInSchema).toBeUndefined();
      }
    });
  });

  it('offers what was meant', () => {
    expect(fixed('resource: pods\nresourceVersion: 5', 'Put it into quotes')).toBe(
      "resource: pods\nresourceVersion: '5'",
    );
    expect(fixed('resource: pods\ncontinue: {{a.continue}}', 'Put it into quotes')).toBe(
      "resource: pods\ncontinue: '{{a.continue}}'",
    );
    expect(fixed('resource: pods\nlabelselector: a', 'Change to labelSelector')).toBe(
      'resource: pods\nlabelSelector: a',
    );
    expect(fixed('resource: podz', 'Change to pods')).toBe('resource: pods');
  });
});
