import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemoEtcd, type DemoEtcd } from '../../server/demo/demoEtcd';
import { seedCluster } from '../../server/demo/seed';
import { utf8 } from '../../server/common/bytes';
import { buildCli, expectCalm, expectGolden, masked, receiptOf, type BuiltCli } from './process';

let cli: BuiltCli;
let etcd: DemoEtcd;
let old: DemoEtcd;
/** Holds few objects of our own making, for golden files. */
let small: DemoEtcd;

beforeAll(async () => {
  [cli, etcd, small, old] = await Promise.all([
    buildCli(),
    startDemoEtcd(),
    startDemoEtcd(),
    startDemoEtcd({ rangeStream: false }),
  ]);
  await seedCluster(etcd.store, { pods: 2000 });
  await seedCluster(old.store, { pods: 2000 });
  for (const name of ['a', 'b', 'c']) {
    put('ConfigMap', `configmaps/golden/${name}`, { app: name }, { data: { on: 'yes' } });
  }
  for (let i = 0; i < 1000; i++) {
    const app = i % 100 === 99 ? 'nginx' : 'other';
    put('Pod', `pods/web/pod-${i.toString().padStart(4, '0')}`, { app }, { spec: {} });
  }
  put('Service', 'services/specs/web/one', {}, {});
  small.store.put(utf8('/registry/ranges/serviceips'), utf8('x'));
});

function put(kind: string, path: string, labels: object, rest: object): void {
  const [name, namespace] = path.split('/').reverse();
  const object = { apiVersion: 'v1', kind, metadata: { name, namespace, labels }, ...rest };
  small.store.put(utf8(`/registry/${path}`), utf8(JSON.stringify(object)));
}

afterAll(async () => {
  await Promise.all([etcd.stop(), small.stop(), old.stop()]);
  cli.remove();
});

const at = (server: DemoEtcd): string[] => ['--endpoints', server.endpoint];
const get = (...args: string[]) => cli.run(['get', ...args, ...at(etcd)]);
const getSmall = (...args: string[]) => cli.run(['get', ...args, ...at(small)]);
const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');

describe('rows', () => {
  it('come on standard output and nothing else does', async () => {
    const { code, stdout, stderr } = await get('pods', '-l', 'app=nginx', '--limit=5');
    expect(code).toBe(0);
    expect(lines(stdout)).toHaveLength(6);
    expect(stdout).toMatch(/^NAMESPACE +NAME +AGE +REVISION +SIZE\n/);
    expect(stderr).toContain('fetched : ');
    expect(stderr).toContain('more follow, continue token: ');
  });

  it('are the same followed in pages, in one read, with and without the stream', async () => {
    const ways = [
      [],
      ['--chunk-size=300'],
      ['--chunk-size=0'],
      ['--chunk-size=0', '--stream=off'],
      ['--limit=700', '--follow'],
      ['--chunk-size=170', '--stream=off'],
    ];
    const outputs = await Promise.all(ways.map((way) => get('pods', '-o', 'name', ...way)));
    expect(lines(outputs[0]?.stdout ?? '')).toHaveLength(2000);
    for (const output of outputs) {
      expect(output.code).toBe(0);
      expect(output.stdout).toBe(outputs[0]?.stdout);
    }
  });

  it('in JSON, YAML and NDJSON hold the same objects', async () => {
    const [json, yaml, ndjson] = await Promise.all(
      ['json', 'yaml', 'ndjson'].map((form) => getSmall('configmaps', '-n', 'golden', '-o', form)),
    );
    const list = JSON.parse(json?.stdout ?? '') as { items: unknown[] };
    expect(list.items).toHaveLength(3);
    expect(lines(ndjson?.stdout ?? '').map((line) => JSON.parse(line) as unknown)).toEqual(
      list.items,
    );
    expectGolden('configmaps.yaml', yaml?.stdout ?? '');
    expectGolden('configmaps.json', json?.stdout ?? '');
  });

  it('show one object as kubectl does', async () => {
    const { code, stdout } = await getSmall('configmap/b', '-n', 'golden', '-o', 'json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'ConfigMap', metadata: { name: 'b' } });
    const table = await getSmall('cm', 'b', '-n', 'golden');
    expect(lines(table.stdout)).toHaveLength(2);
  });

  it('mask Secrets unless told', async () => {
    const [masking, showing] = await Promise.all([
      get('secrets', '--limit=1', '-o', 'json'),
      get('secrets', '--limit=1', '-o', 'json', '--show-secrets'),
    ]);
    expect(masking.stdout).toContain('(masked)');
    expect(showing.stdout).not.toContain('(masked)');
  });

  it('of custom resources are found by any of their names and filtered by declared fields', async () => {
    const named = await Promise.all(
      ['widgets.example.com', 'widgets', 'wd', 'Widget'].map((word) => get(word, '-o', 'name')),
    );
    for (const { code, stdout } of named) {
      expect(code).toBe(0);
      expect(stdout).toBe(named[0]?.stdout);
    }
    expect(lines(named[0]?.stdout ?? '')).toHaveLength(20);
    const red = await get('widgets', '--field-selector', 'spec.color=red', '-o', 'ndjson');
    const colours = lines(red.stdout).map(
      (line) => (JSON.parse(line) as { spec: { color: string } }).spec.color,
    );
    expect(new Set(colours)).toEqual(new Set(['red']));
  });

  it('of a plain prefix show keys', async () => {
    const { code, stdout } = await getSmall('/registry/configmaps/golden', '-o', 'wide');
    expect(code).toBe(0);
    expect(lines(stdout).map((line) => line.split(/ +/)[0])).toEqual([
      'KEY',
      '/registry/configmaps/golden/a',
      '/registry/configmaps/golden/b',
      '/registry/configmaps/golden/c',
    ]);
  });
});

describe('compare', () => {
  it('prints a line a way, and what it would read before', async () => {
    const words = ['compare', 'pods', '-l', 'app=nginx', '--limit=5', '--yes', ...at(small)];
    const { code, stdout, stderr } = await cli.run(words);
    expect(code).toBe(0);
    // The header is as wide as the times below it.
    expectGolden('compare.txt', masked(stderr + stdout).replace(/ +TIME$/m, ' TIME'));
  });
});

describe('the receipt', () => {
  it('is text by default', async () => {
    const { stderr } = await getSmall('pods', '-l', 'app=nginx', '--limit=5');
    expectGolden('receipt.txt', masked(stderr));
  });

  it('is JSON lines when asked', async () => {
    const { stderr } = await getSmall('pods', '-l', 'app=nginx', '--limit=5', '--receipt=json');
    expectGolden('receipt.jsonl', masked(stderr));
    const { requests, total } = receiptOf(stderr);
    const sum = (name: string): number =>
      requests.reduce((all, request) => all + Number(request[name]), 0);
    expect(total).toMatchObject({ requests: requests.length, returned: sum('matched') });
    expect(total?.['fetched']).toBe(sum('keys'));
  });

  it('numbers the requests of a followed list through, with one total', async () => {
    const { stderr } = await get('pods', '--limit=900', '--follow', '--receipt=json');
    const { requests, total } = receiptOf(stderr);
    expect(requests.map((request) => request['n'])).toEqual([1, 2, 3]);
    expect(total).toMatchObject({ requests: 3, returned: 2000, naiveRequests: 3, continue: '' });
    expect(stderr.match(/"type":"total"/g)).toHaveLength(1);
  });

  it('counts what the server saw', async () => {
    const before = etcd.calls.length;
    const { stderr } = await get('pods', '-l', 'tier=rare', '--limit=2', '--receipt=json');
    const seen = etcd.calls.slice(before).map(({ method }) => method);
    expect(seen).toEqual(receiptOf(stderr).requests.map(() => '/etcdserverpb.KV/Range'));
  });

  it('gives a command that goes on where the list stopped', async () => {
    const first = await get('pods', '-l', 'app=nginx', '--limit=3', '-o', 'name');
    const command = /next page: etcd-list (.*)/.exec(first.stderr)?.[1]?.split(' ') ?? [];
    const second = await cli.run(command);
    const both = await get('pods', '-l', 'app=nginx', '--limit=6', '-o', 'name');
    expect(first.stdout + second.stdout).toBe(both.stdout);
  });
});

describe('--stream', () => {
  const stream = (mode: string, server: DemoEtcd, ...args: string[]) =>
    cli.run([
      'get',
      'pods',
      '-o',
      'name',
      '--receipt=json',
      `--stream=${mode}`,
      ...args,
      ...at(server),
    ]);
  const operations = (stderr: string): unknown[] =>
    receiptOf(stderr).requests.map((request) => request['operation']);

  it('auto streams what the API server streams', async () => {
    expect(operations((await stream('auto', etcd)).stderr)[0]).toBe('listStream');
    const filtered = await stream('auto', etcd, '-l', 'app=nginx', '--limit=1');
    expect(new Set(operations(filtered.stderr))).toEqual(new Set(['list']));
  });

  it('off reads pages', async () => {
    expect(new Set(operations((await stream('off', etcd)).stderr))).toEqual(new Set(['list']));
  });

  it('on falls back with a notice, auto without', async () => {
    const on = await stream('on', old, '--chunk-size=2000');
    expect([on.code, operations(on.stderr)]).toEqual([0, ['listStream', 'list']]);
    expect(on.stderr).toContain('warning: etcd server does not support RangeStream for pods');
    const auto = await stream('auto', old, '--chunk-size=2000');
    expect(auto.stderr).not.toContain('warning');
    expect(auto.stdout).toBe(on.stdout);
  });

  it('force fails instead', async () => {
    const forced = await stream('force', old);
    expect([forced.code, forced.stdout]).toEqual([1, '']);
    expect(forced.stderr).toContain('--stream=force does not fall back');
    expectCalm(forced);
    expect(receiptOf(forced.stderr).requests).toMatchObject([{ refused: true, keys: 0 }]);
  });
});

describe('other commands', () => {
  it('resources counts what is stored without reading it', async () => {
    const before = small.calls.length;
    const { code, stdout } = await cli.run(['resources', ...at(small)]);
    expect(code).toBe(0);
    expectGolden('resources.txt', stdout);
    const requests = small.calls.slice(before).map(({ request }) => request);
    expect(requests.filter((request) => 'countOnly' in request && request.countOnly)).toHaveLength(
      4,
    );
    expect(requests.filter((request) => 'keysOnly' in request && request.keysOnly)).toHaveLength(5);
    expect(requests).toHaveLength(9);
  });

  it('resources reads the definition of a custom resource, and no other value', async () => {
    const before = etcd.calls.length;
    const { stdout } = await cli.run(['resources', ...at(etcd)]);
    expect(stdout).toMatch(/widgets\.example\.com +20 +namespaced +example\.com\/widgets/);
    const values = etcd.calls
      .slice(before)
      .map(({ request }) => request as Record<string, unknown>)
      .filter(({ keysOnly, countOnly }) => keysOnly !== true && countOnly !== true);
    expect(values).toHaveLength(1);
  });

  it('probe tells the two answers apart', async () => {
    const [has, lacks] = await Promise.all(
      [etcd, old].map((server) => cli.run(['probe', ...at(server)])),
    );
    expect(has?.stdout).toContain('RangeStream: supported by ');
    expect(lacks?.stdout).toContain('RangeStream: not supported; lists use pages');
    expect([has?.code, lacks?.code]).toEqual([0, 0]);
  });

  it('demo runs a command against itself and ends', async () => {
    const { code, stdout, stderr } = await cli.run(
      ['demo', '--pods', '200', '--', 'get', 'pods', '-l', 'app=nginx', '-o', 'name'],
      { env: { ETCDCTL_ENDPOINTS: '127.0.0.1:1', ETCDCTL_USER: 'root' } },
    );
    expect([code, lines(stdout).length]).toEqual([0, 2]);
    expect(stderr).toContain('embedded etcd at 127.0.0.1:');
  });

  it('tokens go round', async () => {
    const made = await cli.run([
      'token',
      'encode',
      '--rv',
      '7',
      '--key',
      '/r/p/a/b',
      '--prefix',
      '/r/p',
    ]);
    const token = made.stdout.trim();
    const [decoded, relative, ok, bad] = await Promise.all([
      cli.run(['token', 'decode', token, '--prefix', '/r/p/']),
      cli.run(['token', 'decode', token]),
      cli.run(['token', 'check', token]),
      cli.run(['token', 'check', `${token}=`]),
    ]);
    expectGolden('token-decode.txt', decoded.stdout);
    expectGolden('token-decode-relative.txt', relative.stdout);
    expect([ok.code, ok.stdout]).toEqual([0, 'ok\n']);
    expect(bad.code).toBe(1);
    expect(bad.stderr).toMatch(
      /^invalid continue token: continue key is not valid: illegal base64/,
    );
  });

  it.each([
    ['help', ['--help']],
    ['help-get', ['get', '--help']],
    ['help-token', ['token', '--help']],
    ['help-token-decode', ['token', 'decode', '--help']],
    ['help-token-check', ['token', 'check', '--help']],
    ['help-token-encode', ['token', 'encode', '--help']],
    ['help-probe', ['probe', '--help']],
    ['help-resources', ['resources', '--help']],
    ['help-demo', ['demo', '--help']],
    ['help-lint', ['lint', '--help']],
    ['help-run', ['run', '--help']],
    ['help-explain', ['explain', '--help']],
    ['help-compare', ['compare', '--help']],
    ['help-metrics', ['metrics', '--help']],
  ])('%s', async (name, args) => {
    const { code, stdout, stderr } = await cli.run(args);
    expect([code, stderr]).toEqual([0, '']);
    expectGolden(`${name}.txt`, stdout);
  });
});
