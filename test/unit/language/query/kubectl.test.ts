import { describe, expect, it } from 'vitest';
import { brief, faults, fixed, found, nothing, open, request } from './support';

const pods = { ...nothing, resource: 'pods', namespace: 'web', limit: '500', paging: 'toEnd' };

describe('kubectl get', () => {
  it.each([
    ['kubectl get pods -n web', {}],
    ['kubectl get pods --namespace=web', {}],
    ['kubectl get pods --namespace web', {}],
    ['kubectl get pods -n=web', {}],
    ['kubectl get pods -nweb', {}],
    ['kubectl -n web get pods', {}],
    ['kubectl get -n web po', {}],
    ['kubectl get pod -n web', {}],
    ['kubectl get PODS -n web', {}],
    ['kubectl get pods.v1 -n web', {}],
    ['kubectl get pods \\\n  -n web', {}],
    ['kubectl get pods -n web # all of them', {}],
    ['kubectl get \'pods\' -n w"e"b', {}],
    ['kubectl get pods -n web -l app=x', { labelSelector: 'app=x' }],
    ['kubectl get pods -n web -lapp=x', { labelSelector: 'app=x' }],
    ['kubectl get pods -n web -l=app=x', { labelSelector: 'app=x' }],
    ['kubectl get pods -n web --selector=app=x', { labelSelector: 'app=x' }],
    ["kubectl get pods -n web -l ' app in (a, b) '", { labelSelector: 'app in (a, b)' }],
    [
      'kubectl get pods -n web --field-selector spec.nodeName=n1',
      { fieldSelector: 'spec.nodeName=n1' },
    ],
    ['kubectl get pods -n web --chunk-size=100', { limit: '100' }],
    ['kubectl get pods -n web --chunk-size=0', { limit: '0', paging: 'one' }],
    ['kubectl get pods -n web --chunk-size=0x10', { limit: '16' }],
    ['kubectl get pods -n web --chunk-size=1_000', { limit: '1000' }],
    ['kubectl get pods -n web --chunk-size=010', { limit: '8' }],
    ['kubectl get pods -A -n web', { namespace: '' }],
    ['kubectl get pods --all-namespaces', { namespace: '' }],
    ['kubectl get pods -A=false -n web', {}],
    ['kubectl get pods --all-namespaces=true', { namespace: '' }],
    ['kubectl get pods -n web --show-labels --no-headers -v=6', {}],
    ['kubectl get pods -n web --watch=false', {}],
    ['kubectl get deploy -n web', { resource: 'deployments.apps' }],
    [
      'kubectl get hpa.v1.autoscaling -n web',
      { resource: 'horizontalpodautoscalers.v1.autoscaling' },
    ],
    ['kubectl get hpa -n web', { resource: 'horizontalpodautoscalers.autoscaling' }],
    ['kubectl get widgets.example.com -n web', { resource: 'widgets.example.com' }],
    ['kubectl get -n web -- pods', {}],
  ])('asks: %s', (text, expected) => {
    expect(faults(text)).toEqual([]);
    expect(request(text)).toEqual({ ...pods, ...expected });
  });

  it('reads everything at once to sort', () => {
    const text = 'kubectl get pods -n web --sort-by=.metadata.name --chunk-size=5';
    expect(request(text)).toEqual({ ...pods, limit: '0', paging: 'one' });
    expect(brief(faults(text))).toEqual([['no-effect', '--sort-by']]);
  });

  it.each(['kubectl get pod web-1 -n web', 'kubectl get pod/web-1 -n web'])(
    'reads one object by its name: %s',
    (text) => {
      const one = { limit: '0', paging: 'one', named: true, fieldSelector: 'metadata.name=web-1' };
      expect(request(text)).toEqual({ ...pods, ...one });
    },
  );

  it('takes the namespace of the context, and says so', () => {
    expect(request('kubectl get pods')?.namespace).toBe('default');
    expect(request('kubectl get pods', { namespace: 'web' })?.namespace).toBe('web');
    expect(request("kubectl get pods -n ''")?.namespace).toBe('default');
    expect(found('kubectl get pods')).toEqual([
      [
        'assumed-namespace',
        'kubectl',
        'kubectl reads the namespace of its context, which is not known here: default is read.',
      ],
    ]);
    expect(fixed('kubectl get pods # x', 'Read all namespaces')).toBe('kubectl get pods -A # x');
    expect(fixed('kubectl get pods', 'Write -n default')).toBe('kubectl get pods -n default');
    expect(found('kubectl get nodes')).toEqual([]);
    expect(request('kubectl get nodes')?.namespace).toBe('');
  });

  it('warns of a namespace where there are none', () => {
    expect(request('kubectl get nodes -n web')?.namespace).toBe('');
    expect(found('kubectl get nodes -n web')).toEqual([
      ['no-effect', '-n', 'nodes are not namespaced: the namespace has no effect.'],
    ]);
  });

  it.each([
    ['kubectl get', 'kubectl', 'Required resource not specified.'],
    ['kubectl', 'kubectl', 'Of kubectl only kubectl get is run here.'],
    ['kubectl list pods -A', 'list', 'Of kubectl only kubectl get is run here.'],
    [
      'kubectl get pods,svc -A',
      'pods,svc',
      '"pods,svc" names several types: kubectl makes a LIST for each, so write a block for each.',
    ],
    [
      'kubectl get all -A',
      'all',
      '"all" stands for several types, each with a LIST of its own: write a block for each.',
    ],
    [
      'kubectl get pods a b -n web',
      'b',
      'kubectl reads these objects one by one: write a block for each name.',
    ],
    [
      'kubectl get pods/a pods/b -n web',
      'pods/b',
      'kubectl reads these objects one by one: write a block for each name.',
    ],
    [
      'kubectl get pods/a/b -n web',
      'pods/a/b',
      'arguments in resource/name form may not have more than one slash',
    ],
    [
      'kubectl get pods/ -n web',
      'pods/',
      'arguments in resource/name form must have a single resource and name',
    ],
    [
      'kubectl get pods a -l x=y -n web',
      'a',
      'name cannot be provided when a selector is specified',
    ],
    [
      'kubectl get pods/a -l x=y -n web',
      'pods/a',
      'selectors and the all flag cannot be used when passing resource/name arguments',
    ],
    ['kubectl get pods a -A', 'a', 'a resource cannot be retrieved by name across all namespaces'],
    ['kubectl get pods -A --foo', '--foo', 'unknown flag: --foo'],
    ['kubectl get pods -A --foo=bar', '--foo', 'unknown flag: --foo'],
    [
      'kubectl get pods -A --chunksize=5',
      '--chunksize',
      'unknown flag: --chunksize; did you mean --chunk-size?',
    ],
    ['kubectl get pods -A ---x', '---x', 'bad flag syntax: ---x'],
    ['kubectl get pods -Ax', 'x', "unknown shorthand flag: 'x' in -x"],
    ['kubectl get pods -A -l', '-l', "flag needs an argument: 'l' in -l"],
    ['kubectl get pods -A --selector', '--selector', 'flag needs an argument: --selector'],
    [
      'kubectl get pods -A --chunk-size=abc',
      'abc',
      'invalid argument "abc" for "--chunk-size" flag: strconv.ParseInt: parsing "abc": invalid syntax',
    ],
    [
      'kubectl get pods -A --chunk-size=9223372036854775808',
      '9223372036854775808',
      'invalid argument "9223372036854775808" for "--chunk-size" flag: strconv.ParseInt: parsing "9223372036854775808": value out of range',
    ],
    [
      'kubectl get pods -A=yes',
      'yes',
      'invalid argument "yes" for "-A, --all-namespaces" flag: strconv.ParseBool: parsing "yes": invalid syntax',
    ],
    [
      'kubectl get pods -A -w',
      '-w',
      'A watch is not run here: leave it out to run its initial list.',
    ],
    ['kubectl get -A -f x.yaml pods', '-f', 'Files are not read here: name a resource.'],
    [
      'kubectl get pods a -n web --subresource status',
      '--subresource',
      'A subresource is not stored by itself: leave it out to read the object.',
    ],
    [
      'kubectl get pods -A -l tier in (web)',
      '(',
      'A shell takes ( for itself: put the selector into single quotes.',
    ],
    ["kubectl get pods -A -l 'a", "'a", "The quote ' is not closed on its line."],
    [
      'kubectl get pods -A -l app=$APP',
      '$',
      'A shell puts something else in the place of $, which is not done here: put it into single quotes.',
    ],
    ['kubectl get pods -n a/b', 'a/b', `invalid namespace "a/b": [may not contain '/']`],
    ['kubectl get pods a%b -n web', 'a%b', `invalid resource name "a%b": [may not contain '%']`],
  ])('refuses: %s', (text, at, message) => {
    const all = faults(text);
    expect(all[0]!.slice(1)).toEqual([at, message]);
    expect(all[0]![0]).toMatch(/^(?:query|request)$/);
    expect(all).toHaveLength(1);
    expect(request(text)).toBeUndefined();
  });

  it.each([
    ['kubectl get pods -A -l app=x | wc -l', '|', 'kubectl get pods -A -l app=x'],
    ['kubectl get pods -A --no-headers 2>/dev/null', '>', 'kubectl get pods -A --no-headers'],
    ['kubectl get pods -A > out.txt', '>', 'kubectl get pods -A'],
    ['kubectl get pods -A && kubectl get svc', '&', 'kubectl get pods -A'],
    ['kubectl get pods -A -l app=x; kubectl get svc', ';', 'kubectl get pods -A -l app=x'],
    ['list pods -l app=a|grep x', '|', 'list pods -l app=a'],
  ])('leaves to the shell what follows the command: %s', (text, at, kept) => {
    const message = `Only the command before ${at} is read here: leave out what follows.`;
    expect(faults(text)).toEqual([['query', at, message]]);
    expect(request(text)).toBeUndefined();
    expect(fixed(text, 'Leave it out')).toBe(kept);
    expect(request(kept)).toBeDefined();
  });

  it('advises quotes where a word holds what a shell takes for itself', () => {
    const word = 'A shell takes & for itself: put the word into single quotes.';
    expect(faults('kubectl get --raw /api/v1/pods?limit=5&pretty=1')).toEqual([
      ['query', '&', word],
    ]);
    expect(fixed('kubectl get pods -A -l app>5', 'Put it into quotes')).toBe(
      "kubectl get pods -A -l 'app>5'",
    );
  });

  it('says which flags have no effect', () => {
    const text =
      'kubectl --context prod get pods -A -o wide --kubeconfig=x -l a -l b --chunk-size=-1';
    expect(faults(text).map(([code, at]) => [code, at])).toEqual([
      ['idle-flag', '--context'],
      ['idle-flag', '-o'],
      ['idle-flag', '--kubeconfig'],
      ['no-effect', '-l'],
      ['no-effect', '--chunk-size'],
    ]);
    expect(request(text)).toMatchObject({ labelSelector: 'b', limit: '-1', paging: 'one' });
  });

  it('offers what was meant', () => {
    expect(fixed('kubectl get pods -A --selctor=x', 'Change to --selector')).toBe(
      'kubectl get pods -A --selector=x',
    );
    expect(fixed('kubectl get pods -l tier in (web,api) -A', 'Put it into quotes')).toBe(
      "kubectl get pods -l 'tier in (web,api)' -A",
    );
    expect(fixed('kubectl list pods -A', 'Change to get')).toBe('kubectl get pods -A');
    expect(fixed('kubectl get podz -A', 'Change to pods')).toBe('kubectl get pods -A');
    expect(fixed(`kubectl get pods -A -l 'a in b'`, 'Put the values in parentheses')).toBe(
      `kubectl get pods -A -l 'a in (b)'`,
    );
  });

  it.each([
    ['kubectl get pods\u00a0-n web', '\u00a0', 'Write a plain blank', 'kubectl get pods -n web'],
    ['kubectl get pods \u2013n web', '\u2013', 'Write plain hyphens', 'kubectl get pods -n web'],
    [
      'kubectl get pods \u2014selector a',
      '\u2014',
      'Write plain hyphens',
      'kubectl get pods --selector a',
    ],
    [
      'kubectl get pods \u2013namespace web',
      '\u2013',
      'Write plain hyphens',
      'kubectl get pods --namespace web',
    ],
  ])('knows what was pasted out of a document: %j', (text, at, title, meant) => {
    const all = faults(text).filter(([code]) => code === 'query');
    expect(brief(all)).toEqual([['query', at]]);
    expect(fixed(text, title)).toBe(meant);
  });

  it('takes odd blanks in quotes for what they are', () => {
    expect(faults("kubectl get pods -n web --sort-by '\u00a0'").map(([code]) => code)).toEqual([
      'no-effect',
    ]);
  });

  it('makes a raw request as GET does', () => {
    const text = "kubectl get --raw '/api/v1/namespaces/web/pods?limit=5&labelSelector=a%3Db'";
    expect(found(text)).toEqual([]);
    expect(open(text).queries()[0]?.form).toBe('kubectl');
    expect(request(text)).toEqual({ ...pods, limit: '5', paging: 'one', labelSelector: 'a=b' });
    expect(brief(found("kubectl get --raw '/api/v1/pods?labelSelector=a%3D%3D%3Db'"))).toEqual([
      ['label-selector', '%3D'],
    ]);
  });

  it.each([
    [
      'kubectl get --raw /api/v1/pods pods',
      'pods',
      'arguments may not be passed when --raw is specified',
    ],
    ['kubectl get --raw /api/v1/pods -o json', '-o', '--raw and --output are mutually exclusive'],
    [
      'kubectl get --raw /api/v1/pods -l a=b',
      '-l',
      '--raw may not be specified with other flags that filter the server request or alter the output',
    ],
  ])('refuses beside --raw: %s', (text, at, message) => {
    const errors = found(text).filter(([code]) => code === 'query');
    expect(errors).toEqual([['query', at, message]]);
  });
});

describe('resources', () => {
  const widgets = {
    group: 'example.com',
    plural: 'widgets',
    otherNames: ['widget', 'wd'],
    namespaced: false,
    selectablePaths: ['.spec.color'],
  };

  it('that are not built in are looked up when the list runs', () => {
    expect(faults('kubectl get podz -A')).toEqual([
      [
        'unknown-resource',
        'podz',
        '"podz" is no built-in resource: the nearest is pods. Custom resources are looked up when the list runs.',
      ],
    ]);
    expect(request('kubectl get podz -A')?.resource).toBe('podz');
  });

  it('that are known are near names of others, which another etcd may have', () => {
    const options = { customResources: [widgets] };
    expect(faults('kubectl get widgetz -A', options)).toEqual([
      [
        'unknown-resource',
        'widgetz',
        '"widgetz" is no built-in resource: the nearest is widgets.example.com. Custom resources are looked up when the list runs.',
      ],
    ]);
    const other = request('kubectl get gadgets.example.com', options);
    expect(other?.resource).toBe('gadgets.example.com');
  });

  it('that are known go by all their names, with their scope and fields', () => {
    const options = { customResources: [widgets] };
    const expected = { resource: 'widgets.example.com', namespace: '' };
    for (const name of ['wd', 'widget', 'widgets', 'widgets.example.com']) {
      expect(request(`kubectl get ${name}`, options)).toMatchObject(expected);
    }
    expect(request('kubectl get widgets.v1.example.com', options)?.resource).toBe(
      'widgets.v1.example.com',
    );
    expect(faults('kubectl get wd --field-selector spec.size=1', options)).toEqual([
      ['unsupported-field', 'spec.size', 'field label not supported: spec.size'],
    ]);
    expect(faults('kubectl get wd --field-selector spec.color=red', options)).toEqual([]);
  });
});

describe('what is taken away within a word of a shell', () => {
  it.each([
    ['kubectl get pods -A -l “app=x”', 'Remove the quotes', 'kubectl get pods -A -l app=x'],
    [
      'kubectl get pods -A -l app=*',
      'Ask for the key alone, with any value',
      'kubectl get pods -A -l app',
    ],
    ['kubectl get pods -A -l a,a', 'Remove it', 'kubectl get pods -A -l a'],
    ['kubectl get pods -A -l a,,b', 'Remove the comma', 'kubectl get pods -A -l a,b'],
  ])('leaves nothing behind: %j', (text, title, wanted) => {
    expect(fixed(text, title)).toBe(wanted);
  });
});
