import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemoEtcd, type DemoEtcd } from '../../server/demo/demoEtcd';
import { seedCluster, type SeedSummary } from '../../server/demo/seed';
import { encodeEnvelope } from '../../server/kube/encode';
import type { ListQuery } from '../../server/protocol/model';
import { encodeContinue } from '../../server/store/continueToken';
import {
  buildServer,
  connectTo,
  query,
  refusalOf,
  startClient,
  type BuiltServer,
  type Client,
} from './client';

let server: BuiltServer;
let etcd: DemoEtcd;
let client: Client;
let seeded: SeedSummary;
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

beforeAll(async () => {
  server = await buildServer();
  etcd = await startDemoEtcd();
  seeded = await seedCluster(etcd.store, { pods: 200 });
  client = await startClient(server.main);
});

afterAll(async () => {
  await client.stop();
  await etcd.stop();
  server.remove();
});

const check = (extra: Partial<ListQuery>) => client.request('etcdList/check', query(extra));

describe('check without a connection', () => {
  it.each([
    [{}, []],
    [{ labelSelector: 'app in (a' }, [['labelSelector', 'error']]],
    [{ fieldSelector: 'spec.foo=1' }, [['fieldSelector', 'error']]],
    [{ fieldSelector: 'spec.foo=1', resource: 'widgets.example.com' }, [['resource', 'warning']]],
    [{ resource: 'podz' }, [['resource', 'warning']]],
    [{ resource: '' }, [['resource', 'error']]],
    [{ resource: 'nodes', namespace: 'web' }, [['namespace', 'warning']]],
    [{ namespace: 'a/..' }, [['namespace', 'error']]],
    [{ namespace: 'UPPER' }, [['namespace', 'warning']]],
    [{ limit: '-1' }, [['limit', 'warning']]],
    [{ limit: '1e3' }, [['limit', 'error']]],
    [{ limit: '9223372036854775808' }, [['limit', 'error']]],
    [{ resourceVersion: 'x' }, [['resourceVersion', 'error']]],
    [{ resourceVersionMatch: 'Exact' }, [['resourceVersionMatch', 'error']]],
    [{ resourceVersion: '0', resourceVersionMatch: 'Exact' }, [['resourceVersionMatch', 'error']]],
    [{ continueToken: 'abc' }, [['continueToken', 'error']]],
    [
      { continueToken: encodeContinue(bytes('/p/a\0'), bytes('/p/'), 5n), resourceVersion: '7' },
      [['resourceVersion', 'error']],
    ],
  ] as const)('of %j says %j', async (extra, expected) => {
    const { problems } = await check(extra);
    expect(problems.map(({ field, severity }) => [field, severity])).toEqual(expected);
  });

  it("blames the characters, in upstream's words", async () => {
    const { problems } = await check({ labelSelector: 'app=web, tier in (a', limit: '5' });
    const [problem] = problems;
    expect(problem?.message).toContain('unable to parse requirement');
    expect([problem?.start, problem?.end]).toEqual([19, 19]);
    const counted = await check({ labelSelector: 'a,b!=c', fieldSelector: 'metadata.name=x' });
    expect(counted).toMatchObject({ labelRequirements: 2, fieldRequirements: 1 });
  });

  it('knows a read of everything, in one reply or as a stream', async () => {
    const unlimited = async (extra: Partial<ListQuery>) => (await check(extra)).unlimited;
    expect(await unlimited({})).toBe(true);
    expect(await unlimited({ readMode: 'stream' })).toBe(true);
    expect(await unlimited({ readMode: 'pages' })).toBe(true);
    expect(await unlimited({ readMode: 'pages', limit: '0' })).toBe(true);
    expect(await unlimited({ readMode: 'pages', limit: '5' })).toBe(false);
    const single = { fieldSelector: 'metadata.name=a', namespace: 'web' };
    expect(await unlimited({ readMode: 'pages', ...single })).toBe(false);
  });
});

describe('commands', () => {
  const commands = (extra: Partial<ListQuery>) => client.request('etcdList/commands', query(extra));

  it('are the same request elsewhere', async () => {
    const asked = { namespace: 'web', labelSelector: 'app=nginx,tier in (a)', limit: '100' };
    expect(await commands(asked)).toEqual({
      // With a chunk size, kubectl would go on to the end.
      kubectl:
        "kubectl get --raw '/api/v1/namespaces/web/pods?labelSelector=app%3Dnginx%2Ctier%20in%20%28a%29&limit=100'",
      apiPath:
        '/api/v1/namespaces/web/pods?labelSelector=app%3Dnginx%2Ctier%20in%20%28a%29&limit=100',
      etcdctl: 'etcdctl get --prefix /registry/pods/web/ --limit=100',
      etcdList: "etcd-list get pods -n web -l 'app=nginx,tier in (a)' --limit=100",
    });
  });

  it('without a limit are kubectl as people know it', async () => {
    const { kubectl } = await commands({ namespace: 'web', labelSelector: 'app=nginx' });
    expect(kubectl).toBe('kubectl get pods -n web -l app=nginx --chunk-size=0');
  });

  it('carry version and token', async () => {
    const continueToken = encodeContinue(
      bytes('/registry/deployments/a/b\0'),
      bytes('/registry/deployments/'),
      42n,
    );
    const made = await commands({ resource: 'deploy', continueToken, limit: '10' });
    const path = `/apis/apps/v1/deployments?limit=10&continue=${continueToken}`;
    expect(made.kubectl).toBe(`kubectl get --raw '${path}'`);
    expect(made.apiPath).toBe(path);
    expect(made.etcdctl).toBe(
      'etcdctl get /registry/deployments/a/b /registry/deployments0 --limit=11 --rev=42' +
        '   # an argument cannot hold the NUL of the start key: the key before it comes too',
    );
    expect(made.etcdList).toContain(`--continue=${continueToken}`);
  });

  it('cannot break out of their line', async () => {
    const made = await commands({ labelSelector: '', namespace: "x'; rm -rf /\n#" });
    expect(made.kubectl).toContain("-n $'x\\x27; rm -rf /\\x0a#'");
    for (const text of Object.values(made)) expect(text).not.toMatch(/\n/);
  });
});

describe('with a connection', () => {
  beforeAll(async () => {
    await connectTo(client, etcd.endpoint);
  });

  it('finds what is stored', async () => {
    const entries = await client.request('etcdList/resources', null);
    const named = (name: string) => entries.find((entry) => entry.name === name);
    expect(named('pods')?.stored).toBe(true);
    expect(named('services')?.stored).toBe(true);
    expect(named('leases.coordination.k8s.io')?.stored).toBe(false);
    const widgets = { name: 'widgets.example.com', namespaced: true, stored: true };
    expect(named('widgets.example.com')).toEqual({ ...widgets, kind: '' });
    const namespaces = await client.request('etcdList/namespaces', null);
    expect(namespaces).toEqual([...seeded.namespaces].sort());
    const unknown = await check({ resource: 'podz' });
    // It may be a short name of a custom resource, whose definition nobody has read.
    expect(unknown.problems[0]).toMatchObject({ severity: 'warning' });
    expect(unknown.problems[0]?.message).toContain('the nearest is pods');
    const absent = await check({ resource: 'gadgets.example.com' });
    expect(absent.problems[0]).toMatchObject({ severity: 'error' });
    expect(absent.problems[0]?.message).toContain('widgets.example.com');
    for (const resource of ['widgets', 'widgets.example.com']) {
      const { problems } = await check({ resource });
      expect(problems).toMatchObject([{ severity: 'warning' }]);
      expect(problems[0]?.message).toContain('looked up when the list runs');
    }
  });

  it('lists a custom resource, and one by its name', async () => {
    const list = (extra: Partial<ListQuery>) =>
      client.request('etcdList/list', {
        listId: 'l',
        query: query(extra),
        follow: false,
        confirmed: false,
      });
    const widgets = await list({ resource: 'widgets.example.com' });
    expect(widgets.total.returned).toBeGreaterThan(0);
    expect(widgets.commands.apiPath).toMatch(/^\/apis\/example.com\/v1[a-z0-9]*\/widgets$/);
    for (const resource of ['widgets', 'widgets.example.com', 'Widget']) {
      expect((await check({ resource })).problems).toEqual([]);
    }
    const entries = await client.request('etcdList/resources', null);
    const entry = entries.find(({ name }) => name === 'widgets.example.com');
    expect(entry).toMatchObject({ kind: 'Widget', stored: true });
    expect((await check({ resource: 'podz' })).problems[0]).toMatchObject({ severity: 'error' });
    const one = await list({ resource: 'nodes', fieldSelector: 'metadata.name=node-0' });
    expect(one.total.requests).toBe(1);
    const values = await list({ resource: '/registry/namespaces/' });
    expect(values.total.returned).toBeGreaterThan(1);
  });

  it('opens objects, and masks Secrets until asked', async () => {
    const keyOf = async (resource: string): Promise<string> => {
      client.events.splice(0);
      const params = {
        listId: 'k',
        query: query({ resource, limit: '1' }),
        follow: false,
        confirmed: false,
      };
      await client.request('etcdList/list', params);
      const rows = client.events.flatMap(({ body }) => (body.kind === 'rows' ? body.rows : []));
      return rows[0]?.key ?? '';
    };
    const open = (key: string, reveal = false) =>
      client.request('etcdList/openObject', { key, revision: '', resource: '', reveal });
    const pod = await open(await keyOf('pods'));
    expect(pod.text).toContain('kind: Pod');
    expect(pod.text).toMatch(/^spec:\n[^]*^ {2}nodeName: /m);
    expect(pod).toMatchObject({ masked: false, warning: '' });
    const secret = await keyOf('secrets');
    expect(await open(secret)).toMatchObject({
      masked: true,
      text: expect.stringContaining('(masked)') as string,
    });
    const shown = await open(secret, true);
    expect(shown.masked).toBe(false);
    expect(shown.text).not.toContain('(masked)');
    const missing = Buffer.from('/registry/pods/none').toString('hex');
    expect((await refusalOf(open(missing))).failure.sentence).toContain('There is no object');
  });

  it('opens what is no object, and what is large', async () => {
    const put = (key: string, value: Uint8Array) => {
      etcd.store.put(Buffer.from(key), value);
      return Buffer.from(key).toString('hex');
    };
    const open = (key: string) =>
      client.request('etcdList/openObject', { key, revision: '', resource: '', reveal: false });
    const binary = await open(put('/registry/x', Uint8Array.of(0xff, 0, 1)));
    expect(binary.text).toBe('ff0001\n');
    const encrypted = await open(put('/registry/y', bytes('k8s:enc:aescbc:v1:key1:\x01\x02')));
    expect(encrypted.warning).toContain('aescbc');
    const damaged = await open(put('/registry/secrets/a/b', bytes('k8s\0 damaged')));
    expect(damaged).toMatchObject({ masked: true, text: '(masked)\n' });
    const spec = Buffer.from('120452026e3112021a7f', 'hex');
    const pod = await open(put('/registry/pods/a/b', encodeEnvelope('v1', 'Pod', spec)));
    expect(pod.text).toContain('nodeName: n1\n');
    expect(pod.text).toContain('x-damaged:\n- "spec.restartPolicy: unexpected EOF"\n');
    expect(pod.warning).toContain('damaged');
    const data = { big: 'x'.repeat(5 * 1024 * 1024), markup: '<img onerror=x>' };
    const json = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'big' }, data };
    const large = await open(put('/registry/configmaps/a/big', bytes(JSON.stringify(json))));
    expect(large.text.length).toBeGreaterThan(5 * 1024 * 1024);
    expect(large.text).toContain('<img onerror=x>');
  });
});

describe('tokens', () => {
  const token = encodeContinue(bytes('/registry/pods/web/a\0'), bytes('/registry/pods/'), 42n);

  it('are explained wherever they stand', async () => {
    const decode = (text: string) =>
      client.request('etcdList/decodeToken', { text, resource: '', namespace: '', askEtcd: false });
    expect(await decode(` ${token}\n`)).toEqual({
      token,
      foundIn: 'the token alone',
      json: '{"v":"meta.k8s.io/v1","rv":42,"start":"web/a\\u0000"}',
      version: 'meta.k8s.io/v1',
      resourceVersion: '42',
      start: 'web/a\\x00',
      resumesAt: '/registry/pods/web/a\\x00',
      verdict: 'ok',
      upstreamError: '',
      why: expect.any(String) as string,
      revisionMeaning: expect.stringContaining('410 Expired') as string,
      compactedUnknown: 'etcd was not asked',
    });
    const url = `https://k/api/v1/pods?limit=5&continue=${token}%3D&x=1`;
    expect(await decode(url)).toMatchObject({
      foundIn: "a URL's continue parameter, percent-encoded",
      verdict: 'notAToken',
      upstreamError: expect.stringContaining('illegal base64 data') as string,
    });
    const list = JSON.stringify({ metadata: { resourceVersion: '5', continue: token } }, null, 2);
    expect(await decode(list)).toMatchObject({ token, foundIn: "a list's metadata" });
  });

  it('are made from edited fields', async () => {
    const encode = (extra: object) =>
      client.request('etcdList/encodeToken', {
        version: 'meta.k8s.io/v1',
        resourceVersion: '42',
        start: 'web/a\\x00',
        resource: 'pods',
        namespace: '',
        ...extra,
      });
    expect((await encode({})).token).toBe(token);
    const verdict = async (extra: object) => (await encode(extra)).verdict;
    expect(await verdict({ resourceVersion: '0' })).toBe('zeroRevision');
    expect(await verdict({ start: '' })).toBe('emptyStart');
    expect(await verdict({ start: '../secrets/a' })).toBe('uncleanStart');
    expect(await verdict({ version: 'v2' })).toBe('unrecognizedVersion');
    expect(await verdict({ resourceVersion: '9223372036854775808' })).toBe('notAToken');
    expect((await refusalOf(encode({ start: 'a\\q' }))).failure.code).toBe('badRequest');
    expect((await refusalOf(encode({ resourceVersion: 'x' }))).failure.code).toBe('badRequest');
  });

  it('have hovers, on their own characters only', async () => {
    const line = `GET /api/v1/namespaces/web/pods?limit=5&continue=${token} 200`;
    const start = line.indexOf(token);
    const hover = (character: number) => client.request('etcdList/hoverToken', { line, character });
    const found = await hover(start + 3);
    expect(found).toMatchObject({ start, end: start + token.length, token });
    expect(found?.markdown).toContain('well formed');
    expect(found?.markdown).toContain('web&#47;web&#47;a&#92;x00');
    expect(await hover(2)).toBeNull();
  });
});
