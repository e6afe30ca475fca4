import { describe, expect, it } from 'vitest';
import { addGetFlags } from '../../../../server/cli/args/get';
import { Command } from 'commander';
import { LIST_FLAGS } from '../../../../server/language/query/listFlags';
import { brief, found, fixed, nothing, request } from './support';

const pods = { ...nothing, resource: 'pods' };

describe('list', () => {
  it.each([
    ['list pods', {}],
    ['list po', {}],
    ['list pods -n web', { namespace: 'web' }],
    ['list pods -A -n web', {}],
    [
      'list pods -l app=x --field-selector metadata.name=a',
      { labelSelector: 'app=x', fieldSelector: 'metadata.name=a' },
    ],
    ["list pods -l ' app=x'", { labelSelector: ' app=x' }],
    ['list pods --limit=100', { limit: '100' }],
    ['list pods --limit 100 --follow', { limit: '100', paging: 'toEnd' }],
    ['list pods --limit 100 --follow=false', { limit: '100' }],
    ['list pods --limit=+7', { limit: '7' }],
    [
      'list pods --resource-version 5 --resource-version-match Exact',
      { resourceVersion: '5', resourceVersionMatch: 'Exact' },
    ],
    ['list pods --stream=off', { readMode: 'pages' }],
    ['list pods --stream on', { readMode: 'stream' }],
    ['list pods --stream auto --skip-unreadable', { skipUnreadable: true }],
    ['list deploy', { resource: 'deployments.apps' }],
    ['list /registry/pods/web/', { resource: '/registry/pods/web/' }],
    [
      'list /registry/pods/web --limit=5 -l app=x',
      { resource: '/registry/pods/web', limit: '5', labelSelector: 'app=x' },
    ],
    ['list \\\n  pods', {}],
  ])('asks: %s', (text, expected) => {
    expect(found(text)).toEqual([]);
    expect(request(text)).toEqual({ ...pods, ...expected });
  });

  it.each([
    ['list', 'list', 'list needs a resource, such as pods, or a prefix, such as /registry/pods/.'],
    [
      'list pods web-1',
      'web-1',
      'list takes one resource or prefix: "web-1" is one word too many. Say what is selected with -l or --field-selector.',
    ],
    [
      'list pods/web-1',
      'pods/web-1',
      'list reads no single object: write --field-selector metadata.name=web-1, or kubectl get.',
    ],
    [
      'list pods,svc',
      'pods,svc',
      '"pods,svc" names several resources: each list reads one, so write a block for each.',
    ],
    ['list /', '/', 'An empty prefix would read every key: write one, such as /registry/pods/.'],
    ['list /registry/../x', '/registry/../x', 'invalid key: "/registry/../x"'],
    [
      'list /registry/pods/ -n web',
      '-n',
      'A namespace does not go with a prefix: append it to the prefix.',
    ],
    [
      'list pods --chunk-size=5',
      '--chunk-size',
      'list makes the one request that it states: write --limit, and --follow to go on to the end.',
    ],
    [
      'list pods --match Exact',
      '--match',
      'unknown flag: --match; did you mean --resource-version-match?',
    ],
    ...['--label-selector', '--labelSelector', '--label_selector', '--labels', '--label'].map(
      (name) => [
        `list pods ${name} app=x`,
        name,
        `unknown flag: ${name}; did you mean --selector?`,
      ],
    ),
    ...['--fieldSelector', '--fields'].map((name) => [
      `list pods ${name} a=x`,
      name,
      `unknown flag: ${name}; did you mean --field-selector?`,
    ]),
    [
      'list pods --resourceVersion=5',
      '--resourceVersion',
      'unknown flag: --resourceVersion; did you mean --resource-version?',
    ],
    ['list pods --stream=fast', 'fast', '--stream "fast" is none of auto, on, off'],
    [
      'list pods --limit=x',
      'x',
      'strconv.ParseInt: parsing "x": invalid syntax: write a whole number of at most 9223372036854775807, such as 500',
    ],
    [
      "list pods --limit=''",
      '--limit',
      'strconv.ParseInt: parsing "": invalid syntax: write a whole number of at most 9223372036854775807, such as 500',
    ],
    [
      'list /registry/pods/ --field-selector spec.nodeName=x',
      'spec.nodeName',
      '"spec.nodeName" is not a known field selector: only "metadata.name", "metadata.namespace"',
    ],
    [
      'list pods --resource-version 5 --resource-version-match exact',
      'exact',
      'resourceVersionMatch: Unsupported value: "exact": supported values: "Exact", "NotOlderThan", ""',
    ],
  ])('refuses: %s', (text, at, message) => {
    const [first] = found(text);
    expect(first!.slice(1)).toEqual([at, message]);
    expect(request(text)).toBeUndefined();
  });

  it('says what has no effect', () => {
    const text = 'list nodes -n web --follow --limit=-5 -o json --endpoints x';
    expect(found(text).map(([code, at]) => [code, at])).toEqual([
      ['no-effect', '-n'],
      ['no-effect', '--follow'],
      ['no-effect', '-5'],
      ['idle-flag', '-o'],
      ['idle-flag', '--endpoints'],
    ]);
    // What means no limit is none.
    for (const none of ['', ' --limit 0', ' --limit +0']) {
      const follow = `list pods --follow${none}`;
      expect(found(follow).map(([code, at]) => [code, at])).toEqual([['no-effect', '--follow']]);
      expect(request(follow)?.paging).toBe('one');
    }
    expect(request('list pods --follow --limit 1')?.paging).toBe('toEnd');
    expect(brief(found('list pods -n Web_1'))).toEqual([['no-effect', 'Web_1']]);
  });

  it('offers what was meant', () => {
    const text = 'list pods --resource-version 5 --resource-version-match exact';
    expect(fixed(text, 'Change to Exact')).toBe(text.replace(/exact$/, 'Exact'));
  });

  it('knows every flag of etcd-list get, and no others', () => {
    const command = new Command();
    addGetFlags(command);
    const names = command.options
      .filter(({ hidden }) => !hidden)
      .map(({ long, short }) => [long?.slice(2), short?.slice(1) ?? '']);
    const ours = LIST_FLAGS.map(({ name, short }) => [name, short]);
    expect(ours.toSorted()).toEqual(names.toSorted());
  });
});
