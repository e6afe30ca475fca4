import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import manifest from '../../../../package.json';
import { checkSettings, defaultSettings, summary } from '../../../../client/settings/validate';

const read = (values: Record<string, unknown>) => checkSettings((name) => values[name]);

describe('checkSettings', () => {
  it('takes absent settings as their defaults, without a word', () => {
    expect(read({})).toEqual({ settings: defaultSettings, problems: [] });
  });

  it('takes what the manifest has as defaults', () => {
    const properties: Record<string, { default: unknown }> =
      manifest.contributes.configuration.properties;
    const { settings, problems } = checkSettings((name) => properties[`etcdList.${name}`]?.default);
    expect(problems).toEqual([]);
    expect(settings).toEqual(defaultSettings);
  });

  it('takes the gate of streams from either setting, the list of gates first', () => {
    const streams = (values: Record<string, unknown>) => read(values).settings.rangeStream;
    expect(streams({ rangeStream: false })).toBe(false);
    expect(streams({ rangeStream: false, featureGates: { EtcdRangeStream: true } })).toBe(true);
    expect(streams({ featureGates: { EtcdRangeStream: false } })).toBe(false);
    expect(streams({ rangeStream: false, featureGates: { WatchList: true } })).toBe(false);
  });

  it('takes a whole connection as written', () => {
    const connection = {
      name: 'prod',
      endpoints: ['https://a:2379', 'b:2379'],
      root: '/kubernetes.io',
      tls: {
        ca: 'ca.pem',
        cert: 'c.pem',
        key: '${env:KEY}',
        serverName: 'etcd',
        skipVerify: false,
      },
      user: 'reader',
      serializable: true,
    };
    expect(read({ connections: [connection] })).toEqual({
      settings: { ...defaultSettings, connections: [connection] },
      problems: [],
    });
  });

  it.each([
    [
      { byteBudgetMiB: 'lots' },
      'etcdList.byteBudgetMiB must be a whole number from 1 to 2047; 512',
    ],
    [{ deadlineSeconds: 0 }, 'etcdList.deadlineSeconds must be a whole number from 1 to 3600; 60'],
    [{ demoPods: 1.5 }, 'etcdList.demoPods must be'],
    [{ demoPods: 1e9 }, 'etcdList.demoPods must be'],
    [{ 'completion.enabled': 'no' }, 'etcdList.completion.enabled must be true or false; true'],
    [{ 'completion.sampleObjects': 9 }, 'sampleObjects must be a whole number from 10 to 10000'],
    [{ 'completion.exactUpTo': -1 }, 'exactUpTo must be a whole number from 0 to 100000; 5000'],
    [{ 'completion.maxAgeSeconds': 1 }, 'maxAgeSeconds must be a whole number from 5 to 86400; 60'],
    [{ 'completion.maxKeys': 999 }, 'maxKeys must be a whole number from 1000 to 1000000; 200000'],
    [{ rangeStream: 'yes' }, 'etcdList.rangeStream must be true or false'],
    [{ kubernetesVersion: '1.29' }, 'etcdList.kubernetesVersion must be one of 1.30, 1.31,'],
    [
      { featureGates: { EtcdRangeStreams: true } },
      'EtcdRangeStreams is left out: lists hang on no',
    ],
    [{ featureGates: { WatchList: 'on' } }, 'WatchList is left out: write true or false'],
    [{ featureGates: [] }, 'etcdList.featureGates must be an object; it is read as empty'],
    [{ hoverLanguages: 'yaml' }, 'etcdList.hoverLanguages must be a list of language ids'],
    [{ 'trace.server': 'loud' }, 'etcdList.trace.server must be "off"'],
    [{ connections: { prod: 'a:1' } }, 'etcdList.connections must be a list'],
    [{ connections: ['a:1'] }, 'connections[0] is left out: it must be an object'],
    [{ connections: [{ endpoints: ['a'] }] }, '"name" must be'],
    [{ connections: [{ name: 'a', endpoints: 'a:1' }] }, '"endpoints" must be a list'],
    [{ connections: [{ name: 'a', endpoints: [' '] }] }, '"endpoints" must be a list'],
    [{ connections: [{ name: 'a', endpoints: ['a'], tls: 'x' }] }, '"tls" must be an object'],
    [{ connections: [{ name: 'a', endpoints: ['a'], tls: { ca: 1 } }] }, '"tls.ca" must be a text'],
    [{ connections: [{ name: 'a', endpoints: ['a'], user: 1 }] }, '"user" must be a text'],
    [{ connections: [{ name: 'a', endpoints: ['a'], usr: 'x' }] }, '"usr" is not known'],
    [
      { connections: [{ name: 'a', endpoints: ['a'], password: 'hunter2' }] },
      'passwords do not belong in settings',
    ],
  ])('puts a default in place of %o and says so', (values, sentence) => {
    const { settings, problems } = read(values);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(sentence);
    expect(problems[0]).not.toContain('hunter2');
    expect(settings).toEqual(defaultSettings);
  });

  it.each([' yaml ', '', '__proto__', 'a'.repeat(101), 'a*', '**', 'ya\nml', 'yaml,json'])(
    'leaves %j out of the languages of hovers and says so, and keeps the others',
    (id) => {
      const others = ['*', 'c++', 'objective-c', 'jade_2.x', 'a'.repeat(100), 'C#'];
      const { settings, problems } = read({ hoverLanguages: [...others, id] });
      expect(settings.hoverLanguages).toEqual(others);
      expect(problems).toHaveLength(1);
      expect(problems[0]).toMatch(
        /^etcdList\.hoverLanguages\[6\] is left out: "[^\p{Cc}]{0,101}" is no language id; [^\p{Cc}]+\.$/u,
      );
    },
  );

  it('keeps the good connections beside a bad one, and the first of a name', () => {
    const good = { name: 'a', endpoints: ['a:1'] };
    const { settings, problems } = read({
      connections: [3, good, { ...good, endpoints: ['b:1'] }],
    });
    expect(settings.connections).toEqual([good]);
    expect(problems).toHaveLength(2);
    expect(summary(problems)).toContain('(1 more');
  });

  it('never throws, and what it answers can be sent', () => {
    const nonsense = fc.dictionary(
      fc.constantFrom(...Object.keys(defaultSettings)),
      fc.anything({ withNullPrototype: true, maxDepth: 3 }),
    );
    fc.assert(
      fc.property(nonsense, (values) => {
        const { settings } = read(values);
        expect(JSON.parse(JSON.stringify(settings))).toEqual(settings);
        return checkSettings((name) => settings[name]).problems.length === 0;
      }),
    );
  });

  it.each([
    [{ connections: [{ name: 'a\nb', endpoints: ['a'] }] }, 'without control characters'],
    [{ connections: [{ name: 'a\u202eb', endpoints: ['a'] }] }, 'without control characters'],
    [{ connections: [{ name: 'a'.repeat(201), endpoints: ['a'] }] }, 'at most 200 characters'],
    [{ connections: [{ name: 'a', endpoints: Array(101).fill('a') }] }, 'a list of 1 to 100 texts'],
    [{ connections: [{ name: 'a', endpoints: ['http://me:hunter2@a'] }] }, 'before an @; take'],
    [{ connections: [{ name: 'a', endpoints: ['a'], ['x\n'.repeat(99)]: 1 }] }, 'is not known'],
    [
      { connections: [JSON.parse('{"name":"a","endpoints":["a"],"__proto__":1}')] },
      '"__proto__" is',
    ],
    [{ byteBudgetMiB: NaN }, 'a whole number from 1 to 2047; 512 is used'],
    [{ byteBudgetMiB: null }, 'a whole number from 1 to 2047; 512 is used'],
    [{ deadlineSeconds: -1 }, 'a whole number from 1 to 3600; 60 is used'],
    [{ deadlineSeconds: Infinity }, 'a whole number from 1 to 3600; 60 is used'],
    [{ demoPods: Number.MAX_VALUE }, 'a whole number from 1 to 200000; 20000 is used'],
  ])('refuses %o in one line', (values: Record<string, unknown>, sentence) => {
    const { settings, problems } = read(values);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(sentence);
    expect(problems[0]).toMatch(/^[^\p{Cc}\p{Cf}]{1,300}\.$/u);
    expect(problems[0]).not.toContain('hunter2');
    expect(settings).toEqual(defaultSettings);
  });

  const json = fc.jsonValue({ maxDepth: 2 });
  const typeOf = (value: unknown) =>
    value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

  it('says one sentence of each setting that has another type', () => {
    const kinds: Record<string, string> = {
      connections: 'array',
      rangeStream: 'boolean',
      kubernetesVersion: 'string',
      featureGates: 'object',
      hoverLanguages: 'array',
      byteBudgetMiB: 'number',
      deadlineSeconds: 'number',
      demoPods: 'number',
      'completion.enabled': 'boolean',
      'completion.sampleObjects': 'number',
      'completion.exactUpTo': 'number',
      'completion.maxAgeSeconds': 'number',
      'completion.maxKeys': 'number',
      'diagnostics.severity': 'object',
      'metrics.port': 'number',
      'watchCache.memoryLimitMiB': 'number',
      'trace.server': 'string',
    };
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(kinds)), json, (name, value) => {
        fc.pre(typeOf(value) !== kinds[name]);
        const { settings, problems } = read({ [name]: value });
        expect(settings).toEqual(defaultSettings);
        expect(problems).toHaveLength(1);
        expect(problems[0]).toMatch(new RegExp(`^The setting etcdList\\.${name} must be .+\\.$`));
      }),
    );
  });

  it('says one sentence of each field of a connection that has another type', () => {
    const kinds: Record<string, string> = {
      name: 'string',
      endpoints: 'array',
      root: 'string',
      user: 'string',
      serializable: 'boolean',
      tls: 'object',
    };
    const tlsKinds: Record<string, string> = {
      ca: 'string',
      cert: 'string',
      key: 'string',
      serverName: 'string',
      skipVerify: 'boolean',
    };
    const one = { name: 'a', endpoints: ['a:1'] };
    const isOnlyProblem = (connection: object, field: string) => {
      const { settings, problems } = read({ connections: [connection] });
      expect(settings.connections).toEqual([]);
      expect(problems).toHaveLength(1);
      expect(problems[0]).toMatch(/^etcdList\.connections\[0\] is left out: [^\p{Cc}]+\.$/u);
      expect(problems[0]).toContain(`"${field}"`);
    };
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(kinds)), json, (field, value) => {
        fc.pre(typeOf(value) !== kinds[field]);
        isOnlyProblem({ ...one, [field]: value }, field);
      }),
    );
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(tlsKinds)), json, (field, value) => {
        fc.pre(typeOf(value) !== tlsKinds[field]);
        isOnlyProblem({ ...one, tls: { [field]: value } }, `tls.${field}`);
      }),
    );
  });

  it('reads ten thousand connections, of which half share their names', () => {
    const connections = Array.from({ length: 10_000 }, (_, i) => ({
      name: `c${i % 5000}`,
      endpoints: [`h${i}:1`],
    }));
    const { settings, problems } = read({ connections });
    expect(settings.connections).toHaveLength(5000);
    expect(problems).toHaveLength(5000);
    expect(summary(problems).length).toBeLessThan(200);
  });
});
