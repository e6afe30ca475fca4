import { describe, expect, it } from 'vitest';
import { defaultGates } from '../../../server/cache/versions/gates';
import type { KubernetesVersion } from '../../../server/cache/versions/version';
import { askedBy, DEFAULT_GATES, UNKNOWN_SERVER } from '../../../server/explain/asked';
import { explain } from '../../../server/explain/explain';
import { likelyPath } from '../../../server/explain/model';
import { encodeContinue } from '../../../server/store/continueToken';
import { utf8 } from '../../../server/common/bytes';
import { nothing } from '../language/query/support';
import { ending, explained, knownServer, path, words } from './support';

const token = (rv: bigint) => encodeContinue(utf8('/pods/web/a\0'), utf8('/pods/'), rv);
const noProgress = ['does not support RequestWatchProgress'];
const noStream = ['does not have the RangeStream'];
const notReady = ['not ready'];
const late = ['within 3 s'];

describe('a list goes', () => {
  it.each([
    // A consistent read, and what becomes of it where the cache cannot serve it.
    ['list pods -l a=b --limit=5', [], 'C1 C4 C4? C5? C4 C4? C6 => watchCache'],
    ['list pods -l a=b --limit=5', noProgress, 'C1 C4 C4! S1 P1 => etcdPages'],
    ['list pods -l a=b', noProgress, 'C1 C4 C4! S1 S3? => etcdStream'],
    ['list pods -l a=b', [...noProgress, ...noStream], 'C1 C4 C4! S1 S3! P7 => etcdPages'],
    ['list pods --limit=5', late, 'C1 C4 C4? C5? C4 C4! C4 S1 S3? => etcdStream'],
    // While the cache is not ready.
    ['list pods --limit=5', notReady, 'C1 C4 C4? C5! C5 S1 S3? => etcdStream'],
    ['list pods -l a=b --limit=5', notReady, 'C1 C4 C4? C5! C5 => refused'],
    ['list pods', notReady, 'C1 C4 C4? C5! C5 => refused'],
    // Versions.
    ['list pods --resource-version=0 --limit=5', [], 'C1 C3 C5? C2 => watchCache'],
    ['list pods --resource-version=7', [], 'C1 C3 C5? C4? C6 => watchCache'],
    ['list pods --resource-version=7', late, 'C1 C3 C5? C4! => refused'],
    [
      'list pods --limit=5 --resource-version=7 --resource-version-match=NotOlderThan',
      late,
      'C1 C3 C5? C4! => refused',
    ],
    ['list pods --resource-version=7 --limit=5', [], 'C1 C3 C3? C3? C5? C6 => watchCache'],
    [
      'list pods -l a=b --resource-version=7 --limit=5',
      ['is older than the states'],
      'C1 C3 C3? C3! O3 S1 P1 => etcdPages',
    ],
    [
      'list pods --resource-version=7 --resource-version-match=Exact',
      ['has not seen revision 7', ...noProgress],
      'C1 C3 C3! C4! O3 S1 S3? => etcdStream',
    ],
    [
      'list pods --resource-version=7 --resource-version-match=Exact',
      ['has not seen revision 7', ...late],
      'C1 C3 C3! C4? C5? C4! => refused',
    ],
    // Tokens.
    [`list pods --limit=5 --continue=${token(7n)}`, [], 'C1 C3 C3? C3? C5? C6 => watchCache'],
    [`list pods --limit=5 --continue=${token(-1n)}`, [], 'C1 C3 C4? C5? C4 C4? C6 => watchCache'],
    // Without a cache.
    ['list events -l a=b --limit=5', [], 'C1 S1 P1 => etcdPages'],
    ['list events.events.k8s.io', [], 'C1 S1 S3? => etcdStream'],
    ['list /registry/pods/', [], 'K1 S1 S3? => etcdStream'],
    // Single objects.
    [
      'list pods -n web --field-selector metadata.name=a',
      [],
      'N1 C1 C4 C4? C5? C4 C4? N2 => watchCache',
    ],
    ['list pods --field-selector metadata.name=a', [], 'C1 C4 C4? C5? C4 C4? C6 => watchCache'],
    [
      'list pods -n web --field-selector metadata.name=a --resource-version=7 --resource-version-match=Exact',
      [],
      'N1 C1 C3 C3 O3 N2 => etcdKey',
    ],
    ['kubectl get pods a -n web', [], 'N2 C1 C5 => etcdKey'],
    ['GET /api/v1/namespaces/web/pods/a?resourceVersion=0', [], 'N2 C1 C5? C5 => watchCache'],
    ['GET /api/v1/namespaces/web/pods/a?resourceVersion=0', notReady, 'N2 C1 C5! C5 => etcdKey'],
    ['GET /api/v1/namespaces/web/pods/a?resourceVersion=7', [], 'N2 C1 C5? C5 C4? => watchCache'],
    ['GET /api/v1/namespaces/web/pods/a?resourceVersion=7', late, 'N2 C1 C5? C5 C4! => refused'],
    ['GET /api/v1/namespaces/web/pods/a?resourceVersion=7', notReady, 'N2 C1 C5! C5 O4 => etcdKey'],
    ['GET /api/v1/namespaces/web/events/a?resourceVersion=7', [], 'N2 C1 O4 => etcdKey'],
  ])('of %s (otherwise: %j) by %s', (query, unlikely, expected) => {
    expect(path(explained(query).trail, unlikely).join(' ')).toBe(expected);
  });

  it('of a get, by its name and resourceVersion alone', () => {
    const asked = {
      ...askedBy({ ...nothing, resource: 'pods', namespace: 'web', named: true }),
      fieldSelector: 'metadata.name=a',
    };
    const way = (extra: Partial<typeof asked>) =>
      likelyPath(explain({ ...asked, ...extra }, UNKNOWN_SERVER).trail).end;
    expect(way({ resourceVersionMatch: 'Exact' }).way).toBe('etcdKey');
    expect(way({ labelSelector: '===', limit: 5n }).way).toBe('etcdKey');
    // Read by the cache before anything else, by etcd's store only once it has its answer.
    const text =
      'resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax';
    expect(way({ resourceVersion: 'abc' }).refusal).toEqual({ status: 500, message: text });
    expect(way({ resourceVersion: 'abc', resource: 'events' }).refusal).toEqual({
      status: 400,
      message: `invalid resource version: ${text}`,
    });
    // Read before the cache is asked whether it is ready, by those that would wait for it.
    const unready = (version: KubernetesVersion) => {
      const facts = { ...UNKNOWN_SERVER, version, gates: defaultGates(version) };
      const found = ending(explain({ ...asked, resourceVersion: 'abc' }, facts).trail, notReady);
      return found.refusal?.status;
    };
    expect([unready('1.30'), unready('1.31')]).toEqual([500, 400]);
    expect(way({ resourceVersion: '00' }).way).toBe('watchCache');
    expect(
      ending(explain({ ...asked, resourceVersion: '7' }, UNKNOWN_SERVER).trail, late),
    ).toMatchObject({
      refusal: {
        status: 504,
        message: "Timeout: Too large resource version: 7, current: (the cache's revision)",
      },
    });
  });

  it('to one key where one custom resource is named, with a namespace or without', () => {
    const key = (query: string) => likelyPath(explained(query).trail).end.text;
    const [group, widget] = ['/apis/example.org/v1', 'widgets/x'];
    const prefix = '/registry/example.org/widgets';
    expect(key(`GET ${group}/${widget}`)).toBe(`From etcd: one key, ${prefix}/x.`);
    const inWeb = key(`GET ${group}/namespaces/web/${widget}`);
    expect(inWeb).toBe(`From etcd: one key, ${prefix}/web/x.`);
  });

  it('to one namespace where the fields demand it', () => {
    const found = explained('list pods --field-selector metadata.namespace=web --limit=5');
    expect(words(found)).toContain('the list over all of them becomes one of web.');
  });

  it('to the cache of a resource that is said to have one, and to etcd where it has none', () => {
    const events = explained('list events', { watchCache: true });
    expect(likelyPath(events.trail).end.way).toBe('watchCache');
    const pods = explained('list pods -l a=b --limit=5', { watchCache: false });
    expect(path(pods.trail)).toEqual(['C1', 'S1', 'P1', '=> etcdPages']);
  });
});

describe('what is known', () => {
  it('is a step and no condition', () => {
    const found = explained('list pods -l a=b', knownServer);
    expect(path(found.trail)).toEqual([
      'C1',
      'C4',
      'C4',
      'C5?',
      'C4',
      'C4?',
      'C6',
      '=> watchCache',
    ]);
    expect(words(found)).toContain('(a:1 is 3.6.16).');
    const progress = { answer: false, because: 'a:1 is 3.5.12' };
    const old = explained('list pods -l a=b', { ...knownServer, progress });
    expect(path(old.trail)).toEqual(['C1', 'C4', 'C4', 'S1', 'S3', '=> etcdStream']);
  });
});

describe('gates', () => {
  const gate = (name: keyof typeof DEFAULT_GATES) => ({
    gates: { ...DEFAULT_GATES, [name]: !DEFAULT_GATES[name] },
  });

  it('decide about snapshots, with their names', () => {
    const off = gate('ListFromCacheSnapshot');
    const exact = explained('list pods -l a=b --resource-version=7 --limit=5', off);
    expect(path(exact.trail).join(' ')).toBe('C1 C3 C3 O3 S1 P1 => etcdPages');
    expect(words(exact)).toContain('The gate ListFromCacheSnapshot is off');
    const continued = explained(`list pods -l a=b --limit=5 --continue=${token(-1n)}`, off);
    expect(path(continued.trail).join(' ')).toBe('C1 C3 C3 S1 P1 => etcdPages');
    expect(words(continued)).toContain('the latest, which goes to etcd.');
  });

  it('decide about streams', () => {
    const off = gate('EtcdRangeStream');
    const found = explained('list events', off);
    expect(path(found.trail).join(' ')).toBe('C1 S1 P7 => etcdPages');
    expect(words(found)).toContain('the gate EtcdRangeStream is off.');
  });

  it('decide what becomes of a consistent read that is late', () => {
    const on = gate('ConsistentListFromCacheSkipTimeoutFallback');
    const { refusal } = ending(explained('list pods', on).trail, late);
    expect(refusal?.status).toBe(429);
    expect(refusal?.message).toMatch(/^Timeout: Too large resource version: \(etcd's revision\), /);
  });
});

describe('a refusal has upstream’s text', () => {
  const refused = (change: Partial<typeof nothing>) => {
    const asked = { ...askedBy({ ...nothing, resource: 'pods', limit: '0', ...change }) };
    const { trail, alternatives } = explain(asked, UNKNOWN_SERVER);
    expect(alternatives).toEqual([]);
    const { steps, end } = likelyPath(trail);
    expect(end.way).toBe('refused');
    return [steps.at(-1)?.rule, end.refusal?.status, end.refusal?.message];
  };

  it.each([
    [
      { labelSelector: 'a===b' },
      'O5',
      400,
      /^unable to parse requirement: found '=', expected: identifier$|^found '='/,
    ],
    [
      { resourceVersionMatch: 'Exact' as const },
      'O5',
      422,
      /^ListOptions\.meta\.k8s\.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided$/,
    ],
    [
      {
        resourceVersionMatch: 'Exact' as const,
        continue: { kind: 'token' as const, token: token(7n) },
      },
      'O5',
      422,
      /^ListOptions\.meta\.k8s\.io "" is invalid: \[resourceVersionMatch: Forbidden: [^,]*, resourceVersionMatch: Forbidden: [^,]*\]$/,
    ],
    [{ fieldSelector: 'a=b' }, 'F1', 400, /^field label not supported: a$/],
    [{ resourceVersion: 'x' }, 'O1', 400, /^invalid resource version: /],
    [
      { continue: { kind: 'token' as const, token: '!' } },
      'O1',
      400,
      /^invalid continue token: continue key is not valid: /,
    ],
    [
      { resourceVersion: '7', continue: { kind: 'token' as const, token: token(7n) } },
      'O1',
      400,
      /^specifying resource version is not allowed when using continue$/,
    ],
  ])('%j', (change, rule, status, message) => {
    expect(refused(change)).toEqual([rule, status, expect.stringMatching(message)]);
  });
});

describe('the requests after the first', () => {
  it('carry tokens, and no version', () => {
    const { following } = explained('kubectl get pods -A');
    expect(following && path(following).join(' ')).toBe('C1 C3 C3? C3? C5? C6 => watchCache');
    expect(JSON.stringify(following)).toContain('the revision of the first request');
  });

  it.each([
    'list pods --limit=5',
    'kubectl get pods a -n web',
    'kubectl get pods -A --chunk-size=0',
  ])('are none of %s', (query) => {
    expect(explained(query).following).toBeUndefined();
  });

  it('are none where the limit is ignored', () => {
    const query = 'list pods --limit=5 --follow --resource-version=0';
    expect(explained(query).following).toBeUndefined();
  });
});

describe('alternatives', () => {
  const ways = (query: string, facts = {}) =>
    explained(query, facts).alternatives.map(({ name, trail }) => [
      name,
      likelyPath(trail).end.way,
    ]);

  it('are other requests, with the way of each', () => {
    expect(ways('list pods -l a=b --limit=5')).toEqual([
      ['withoutLimit', 'watchCache'],
      ['resourceVersion0', 'watchCache'],
      ['streamed', 'watchCache'],
      ['oneKey', 'watchCache'],
    ]);
    expect(ways('list events -n web -l a=b --limit=5')).toEqual([
      ['withoutLimit', 'etcdStream'],
      ['resourceVersion0', 'etcdPages'],
      ['streamed', 'etcdStream'],
      ['oneKey', 'etcdKey'],
    ]);
    expect(ways('list /registry/pods/')).toEqual([]);
    expect(ways('kubectl get pods a -n web')).toEqual([['resourceVersion0', 'watchCache']]);
  });

  it('say what they mean to the client', () => {
    const meaning = (query: string, name: string) =>
      explained(query).alternatives.find((each) => each.name === name)?.meaning;
    expect(meaning('list pods --limit=5', 'resourceVersion0')).toContain('limit of 5 is ignored');
    expect(meaning('list events -l a=b --limit=5', 'streamed')).toContain('leaving out the limit');
    expect(meaning('list events --limit=5', 'oneKey')).toContain('and its namespace');
    expect(meaning('list nodes --limit=5', 'oneKey')).not.toContain('namespace');
  });
});
