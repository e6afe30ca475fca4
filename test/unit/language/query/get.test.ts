import { describe, expect, it } from 'vitest';
import { encodeTokenFields } from '../../../../server/language/tokenFacts';
import { brief, fixed, found, nothing, open, request } from './support';

const pods = { ...nothing, resource: 'pods' };

describe('an event of an audit log on one line', () => {
  const event = (uri: string): string =>
    `{"kind":"Event","verb":"list","requestURI":"${uri}","user":{"username":"a"}}`;

  it('offers the request that it is about', () => {
    const text = `# one\n${event('/api/v1/pods?limit=5\\u0026labelSelector=a%3Db')}  \n###\nlist pods\n`;
    expect(found(text)).toEqual([
      [
        'query',
        '/api/v1/pods?limit=5\\u0026labelSelector=a%3Db',
        'This is an event of an audit log: only its request is written here.',
      ],
    ]);
    const after = fixed(text, 'Write its request');
    expect(after).toBe('# one\nGET /api/v1/pods?limit=5&labelSelector=a%3Db\n###\nlist pods\n');
    expect(found(after)).toEqual([]);
  });

  it.each([
    ['{"kind":"Event"}', '{"kind":"Event"}'],
    [event('x'), event('x').slice(0, 60) + '…'],
    [event('/a\\x'), event('/a\\x').slice(0, 60) + '…'],
    ['x'.repeat(100), `${'x'.repeat(60)}…`],
  ])('is none without one: %j', (text, shown) => {
    expect(found(text).map((each) => each[2])).toEqual([
      `"${shown}" begins no request: write kubectl get, GET or list.`,
    ]);
  });
});

describe('GET', () => {
  it.each([
    ['GET /api/v1/pods', {}],
    ['GET /api/v1/pods/', {}],
    ['GET https://host:6443/api/v1/pods', {}],
    ['GET /api/v1/pods HTTP/1.1\nAccept: application/json', {}],
    ['/api/v1/pods', {}],
    ['https://host/api/v1/pods?limit=5', { limit: '5' }],
    [
      '"requestURI":"/api/v1/pods?limit=5\\u0026labelSelector=a%3Db",',
      { limit: '5', labelSelector: 'a=b' },
    ],
    ['requestURI: /api/v1/pods?limit=5', { limit: '5' }],
    ['GET /api/v1/namespaces/web/pods', { namespace: 'web' }],
    ['GET /apis/apps/v1/deployments', { resource: 'deployments.apps' }],
    ['GET /api/v1/namespaces', { resource: 'namespaces' }],
    ['GET /api/v1/nodes', { resource: 'nodes' }],
    [
      'GET /apis/autoscaling/v1/horizontalpodautoscalers',
      { resource: 'horizontalpodautoscalers.v1.autoscaling' },
    ],
    ['GET /apis/events.k8s.io/v1/events', { resource: 'events.events.k8s.io' }],
    ['GET /apis/example.com/v1/widgets', { resource: 'widgets.v1.example.com' }],
    ['GET /apis/example.com/stable/widgets', { resource: 'widgets.example.com' }],
    ['GET /api/v1/pods?limit=5&pretty=true&timeoutSeconds=3&allowWatchBookmarks=1', { limit: '5' }],
    ['GET /api/v1/pods?limit=%2B5', { limit: '5' }],
    ['GET /api/v1/pods?watch=0&limit=5', { limit: '5' }],
    ['GET /api/v1/pods?watch=FALSE', {}],
    [
      'GET /api/v1/pods\n    ?labelSelector=app%3Dnginx%2Ctier+in+(web)\n    &limit=100',
      { labelSelector: 'app=nginx,tier in (web)', limit: '100' },
    ],
    [
      'GET /api/v1/pods?resourceVersion=5&resourceVersionMatch=Exact',
      { resourceVersion: '5', resourceVersionMatch: 'Exact' },
    ],
    ['GET /api/v1/pods?resourceVersion=0', { resourceVersion: '0' }],
    ['GET /api/v1/pods?continue=&labelSelector=', {}],
  ])('asks: %s', (text, expected) => {
    const all = found(text).filter(([, , message]) => !message!.startsWith('Headers'));
    expect(all).toEqual([]);
    expect(request(text)).toEqual({ ...pods, ...expected });
    expect(open(text).queries()[0]?.form).toBe('get');
  });

  it('reads one object by its path, which takes the version alone', () => {
    const text = 'GET /api/v1/namespaces/web/pods/web-1?limit=5&labelSelector=a&resourceVersion=0';
    const one = { named: true, namespace: 'web', limit: '0', resourceVersion: '0' };
    expect(request(text)).toEqual({ ...pods, ...one, fieldSelector: 'metadata.name=web-1' });
    expect(found(text)).toEqual([
      ['no-effect', 'limit', 'limit has no effect: the path names one object.'],
      ['no-effect', 'labelSelector', 'labelSelector has no effect: the path names one object.'],
    ]);
    expect(request('GET /api/v1/namespaces/web')).toMatchObject({
      resource: 'namespaces',
      fieldSelector: 'metadata.name=web',
    });
  });

  it.each([
    ['GET /api/v1/pods\n    # all of them\n    ?limit=5\n# more\n    &labelSelector=a\n# end'],
    ['GET /api/v1/pods?limit=5\n# more\n\t&labelSelector=a\n# header\nAccept: x\n'],
  ])('goes on behind comments: %j', (text) => {
    expect(request(text)).toEqual({ ...pods, limit: '5', labelSelector: 'a' });
    expect(found(text).filter(([code]) => code !== 'no-effect')).toEqual([]);
  });

  it('does not go on behind a comment and something else', () => {
    const text = 'GET /api/v1/pods\n# one\nlist pods\n  &limit=5';
    expect(brief(found(text))).toEqual([['query', 'list pods']]);
  });

  it.each(['abc', '{{x.continue}}'])('takes no notice of the token of a watch: %s', (token) => {
    const text = `GET /api/v1/pods?watch=true&resourceVersion=5&continue=${token}`;
    expect(request(text)).toEqual({ ...pods, watch: true, resourceVersion: '5' });
    expect(found(text)).toContainEqual([
      'no-effect',
      token,
      'A watch takes no notice of a continue token.',
    ]);
    const refused = `GET /api/v1/pods?watch=true&continue=${token}`;
    expect(
      found(refused)
        .map((each) => each[2])
        .sort(),
    ).toEqual([
      'This is a watch: its initial list is what is run here.',
      'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided',
    ]);
  });

  it('runs the initial list of a watch, and says so', () => {
    const text = 'GET /api/v1/pods?watch=1&resourceVersion=5';
    expect(request(text)).toEqual({ ...pods, watch: true, resourceVersion: '5' });
    expect(found(text)).toEqual([
      ['no-effect', '1', 'This is a watch: its initial list is what is run here.'],
    ]);
    expect(request('GET /api/v1/watch/namespaces/web/pods')).toMatchObject({
      watch: true,
      namespace: 'web',
    });
    expect(request('GET /api/v1/pods?watch')).toMatchObject({ watch: true });
  });

  it.each([
    ['GET /healthz', 'query', '/healthz'],
    ['GET /healthz/etcd', 'query', '/healthz/etcd'],
    ['GET /api/v1', 'query', '/api/v1'],
    ['GET /apis/apps/v1/', 'query', '/apis/apps/v1/'],
    ['GET', 'query', 'GET'],
    ['GET /api/v1//pods', 'request', '/api/v1//pods'],
    ['GET /api/v2', 'request', '/api/v2'],
    ['GET /foo', 'request', '/foo'],
  ])('says where a path names no resource: %s', (text, code, at) => {
    expect(brief(found(text))).toEqual([[code, at]]);
    expect(request(text)).toBeUndefined();
  });

  it.each([
    [
      'GET /api/v1/pod',
      'request',
      'pod',
      'The API server answers 404: there is no resource "pod" in the core group.',
    ],
    [
      'GET /apis/apps/v1/pods',
      'request',
      'pods',
      'The API server answers 404: there is no resource "pods" in the group apps.',
    ],
    [
      'GET /apis/policy/v1/x',
      'request',
      'x',
      'The API server answers 404: there is no resource "x" in the group policy.',
    ],
    [
      'GET /api/v1/namespaces/web/nodes',
      'request',
      'web',
      'The API server answers 404: nodes are not namespaced.',
    ],
    [
      'GET /api/v1/pods/x',
      'request',
      'x',
      'The API server answers 404: the path of one of pods names its namespace too.',
    ],
    [
      'GET /api/v1/namespaces/web/pods/x/log',
      'query',
      'log',
      'A subresource is not stored by itself: end the path with the name to read the object.',
    ],
    ['GET /api/v1/po%zz', 'request', '%zz', 'invalid URL escape "%zz"'],
    [
      'GET /api/v1/pods?limit=abc',
      'request',
      'abc',
      'strconv.ParseInt: parsing "abc": invalid syntax: write a whole number of at most 9223372036854775807, such as 500',
    ],
    [
      'GET /api/v1/pods?limit=1_0',
      'request',
      '1_0',
      'strconv.ParseInt: parsing "1_0": invalid syntax: write a whole number of at most 9223372036854775807, such as 500',
    ],
    [
      'GET /api/v1/pods?limit=9223372036854775808',
      'request',
      '9223372036854775808',
      'strconv.ParseInt: parsing "9223372036854775808": value out of range: write a whole number of at most 9223372036854775807, such as 500',
    ],
    [
      'GET /api/v1/pods?limit',
      'request',
      'limit',
      'strconv.ParseInt: parsing "": invalid syntax: write a whole number of at most 9223372036854775807, such as 500',
    ],
    [
      'GET /api/v1/pods?limit=+5',
      'request',
      '+5',
      'strconv.ParseInt: parsing " 5": invalid syntax: write a whole number of at most 9223372036854775807, such as 500',
    ],
    [
      'GET /api/v1/pods?timeoutSeconds=1s',
      'request',
      '1s',
      'strconv.ParseInt: parsing "1s": invalid syntax: write a whole number of at most 9223372036854775807, such as 500',
    ],
    [
      'GET /api/v1/pods?shardSelector=x',
      'query',
      'shardSelector',
      'Sharded lists are not run here.',
    ],
    [
      'GET /api/v1/pods?sendInitialEvents=true',
      'request',
      'true',
      'sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list',
    ],
    [
      'GET /api/v1/pods?fieldSelector=spec.x%3D1',
      'unsupported-field',
      'spec.x',
      'field label not supported: spec.x',
    ],
    [
      'GET /api/v1/pods?resourceVersion=abc',
      'request',
      'abc',
      'invalid resource version: resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
    ],
    [
      'GET /api/v1/pods?resourceVersionMatch=Exact',
      'request',
      'Exact',
      'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
    ],
    [
      'GET /api/v1/pods?resourceVersion=0&resourceVersionMatch=Exact',
      'request',
      'Exact',
      'resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
    ],
    [
      'GET /api/v1/pods?continue=abc',
      'request',
      'abc',
      'invalid continue token: continue key is not valid: ',
    ],
    [
      'GET /api/v1/pods ? limit=5',
      'query',
      '? limit=5',
      'A blank ends the address: write it as %20.',
    ],
    [
      '"requestURI":"/api/v1/pods?limit=5","verb":"list"',
      'query',
      ',"verb":"list"',
      'The address ends with its quote: leave out what follows.',
    ],
    [
      'GET /api/v1/componentstatuses',
      'query',
      'componentstatuses',
      'No etcd holds componentstatuses: the API server, or one behind it, answers by itself.',
    ],
    [
      'GET /apis/metrics.k8s.io/v1beta1/namespaces/web/pods',
      'query',
      'pods',
      'No etcd holds pods.metrics.k8s.io: ',
    ],
  ])('refuses: %s', (text, code, at, message) => {
    const all = found(text);
    expect(all.map(([first]) => first)).toEqual([code]);
    expect(all[0]![1]).toBe(at);
    expect(all[0]![2]!.startsWith(message)).toBe(true);
    expect(request(text)).toBeUndefined();
  });

  it('blames initial events for the match that they ask for', () => {
    expect(found('GET /api/v1/pods?watch=1&sendInitialEvents=true')).toContainEqual([
      'request',
      'true',
      'resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
    ]);
  });

  it('takes an address out of its audit event', () => {
    const text = '"requestURI":"/api/v1/pods?limit=5","verb":"list"';
    expect(fixed(text, 'Leave it out')).toBe('"requestURI":"/api/v1/pods?limit=5"');
  });

  it('refuses a version beside a token', () => {
    const token = encodeTokenFields('meta.k8s.io/v1', 5n, 'web/a\0');
    const text = `GET /api/v1/pods?continue=${token}&resourceVersion=5`;
    expect(found(text)).toEqual([
      ['request', '5', 'specifying resource version is not allowed when using continue'],
    ]);
    const sound = `GET /api/v1/pods?continue=${token}&resourceVersion=0`;
    expect(request(sound)).toMatchObject({ continue: { kind: 'token', token } });
  });

  it('says what the API server passes over', () => {
    const text =
      'GET /api/v1/pods?labelSelector=%zz&limit=5&limit=6&a;b=1&lablSelector=x&limit=-1&=y';
    expect(found(text)).toEqual([
      ['no-effect', '%zz', 'The API server passes over this parameter: invalid URL escape "%zz"'],
      ['no-effect', 'limit', 'The API server takes the first limit alone.'],
      [
        'no-effect',
        ';',
        'The API server passes over this parameter: invalid semicolon separator in query',
      ],
      [
        'no-effect',
        'lablSelector',
        'A LIST knows no parameter "lablSelector": it has no effect. Did you mean labelSelector?',
      ],
      ['no-effect', 'limit', 'The API server takes the first limit alone.'],
      ['no-effect', '&', 'A LIST knows no parameter "": it has no effect.'],
    ]);
    expect(request(text)).toEqual({ ...pods, limit: '5' });
    expect(found('GET /api/v1/pods?limit=-5')).toEqual([
      ['no-effect', '-5', 'The API server takes a negative limit as none.'],
    ]);
    const many = `GET /api/v1/pods?${'a&'.repeat(10_001)}limit=5`;
    expect(request(many)).toEqual(pods);
    expect(found(many)).toHaveLength(1);
  });

  it('warns of a version that is served no more', () => {
    const text = 'GET /apis/batch/v1beta1/cronjobs';
    expect(brief(found(text))).toEqual([['unknown-resource', 'cronjobs']]);
    expect(request(text)?.resource).toBe('cronjobs.batch');
  });

  it('offers what was meant', () => {
    expect(fixed('GET /api/v1/pod', 'Change to pods')).toBe('GET /api/v1/pods');
    expect(fixed('GET /api/v1/pods?labelselector=a', 'Change to labelSelector')).toBe(
      'GET /api/v1/pods?labelSelector=a',
    );
    expect(fixed('GET /api/v1/pods?labelSelector=a in (b)', 'Write %20')).toBe(
      'GET /api/v1/pods?labelSelector=a%20in%20(b)',
    );
    expect(
      fixed('GET /api/v1/pods?labelSelector=a%20in%20b', 'Put the values in parentheses'),
    ).toBe('GET /api/v1/pods?labelSelector=a%20in%20%28b%29');
  });
});
