/** `explain` in this process: without an etcd, and with one that may be asked what it can do. */
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { runApp } from '../../../server/cli/app';
import type { Context } from '../../../server/cli/context';
import { systemClock } from '../../../server/common/clock';
import { startDemoEtcd } from '../../../server/demo/demoEtcd';
import { keptContext } from './support';

async function explainIt(words: readonly string[], extra: Partial<Context> = {}) {
  const kept = keptContext({ clock: systemClock, ...extra });
  const code = await runApp(['explain', ...words], kept.context, '0');
  return { code, printed: kept.rows.join(''), said: kept.notes.join('\n') };
}

const first = async (words: readonly string[]): Promise<string | undefined> =>
  (await explainIt(words)).printed.split('\n')[0];

const stdin = (text: string) => ({ stdin: Readable.from([Buffer.from(text)]) });

interface Printed {
  readonly name?: string;
  readonly way: string;
  readonly gates: unknown;
  readonly trail: { readonly steps: readonly { readonly rule: string }[] };
}

describe('explain', () => {
  it.each([
    [
      ['pods', '-l', 'app=nginx', '--limit=5'],
      'LIST pods in all namespaces, labels app=nginx, limit 5',
    ],
    [['get', 'pods', '-n=web'], 'LIST pods in web, limit 500'],
    [['nodes', '--chunk-size=0'], 'LIST nodes, no limit'],
    [['pods', 'a', '-n', 'web'], 'GET one of pods in web, fields metadata.name=a'],
    [['/registry/pods/'], 'LIST /registry/pods/, limit 500'],
    [
      ['kubectl', 'get', 'pods', '-A', '-l', 'tier in (web,api)', '-o', 'json'],
      'LIST pods in all namespaces, labels tier in (web,api), limit 500',
    ],
    [['-n', 'web', 'kubectl', 'get', 'pods'], 'LIST pods in web, limit 500'],
    [
      ['GET', '/api/v1/pods?labelSelector=a%3Db&limit=5'],
      'LIST pods in all namespaces, labels a=b, limit 5',
    ],
    [['GET /api/v1/pods?limit=5'], 'LIST pods in all namespaces, limit 5'],
    [['list', 'pods', '--limit=3'], 'LIST pods in all namespaces, limit 3'],
    [['list pods --limit=3'], 'LIST pods in all namespaces, limit 3'],
  ])('takes %j', async (words, line) => {
    expect(await first(words)).toBe(line);
  });

  it('takes its own flags before or behind the words of get, and before a query', async () => {
    const words = ['events', '-n', 'web', '--watch-cache=true', '-o', 'json'];
    const behind = JSON.parse((await explainIt(words)).printed) as Printed;
    expect(behind.way).toBe('watchCache');
    const before = [
      '-o',
      'json',
      '--watch-cache',
      'false',
      'list',
      'pods',
      '-l',
      'a=b',
      '--limit=2',
    ];
    expect(JSON.parse((await explainIt(before)).printed)).toMatchObject({ way: 'etcdPages' });
  });

  it('takes gates as kube-apiserver does', async () => {
    const words = ['pods', '--resource-version=7', '--limit=5', '-l', 'a=b', '-o', 'json'];
    const gates = '--feature-gates=ListFromCacheSnapshot=false,EtcdRangeStream=true';
    const { printed } = await explainIt([...words, gates]);
    expect(JSON.parse(printed)).toMatchObject({
      way: 'etcdPages',
      gates: {
        EtcdRangeStream: true,
        ListFromCacheSnapshot: false,
        ConsistentListFromCacheSkipTimeoutFallback: false,
      },
    });
  });

  it('takes a version, with its gates and sources, before or behind the words of get', async () => {
    const version = ['--kubernetes-version', 'v1.33.5'];
    const words = ['pods', '--resource-version=7', '--limit=5', '-l', 'a=b', '-o', 'json'];
    const { printed } = await explainIt([...version, ...words]);
    expect(JSON.parse(printed)).toMatchObject({
      way: 'etcdPages',
      server: { version: '1.33', release: 'v0.33.13' },
      gates: { ListFromCacheSnapshot: false, ConsistentListFromCache: true },
    });
    const gates = '--feature-gates=ListFromCacheSnapshot=true';
    const on = JSON.parse((await explainIt([...words, ...version, gates])).printed) as Printed;
    expect([on.way, on.gates]).toMatchObject(['watchCache', { ListFromCacheSnapshot: true }]);
    const old = await explainIt(['pods', '--limit=5', '--kubernetes-version=1.30']);
    expect(old.printed).toContain('\nSteps of Kubernetes 1.30 (k8s.io/apiserver v0.30.14)\n');
    expect(old.printed).toContain('[pkg/storage/cacher/cacher.go shouldDelegateList]');
    expect(old.printed).not.toContain('Streamed:');
  });

  it('explains queries of a file, all or by name', async () => {
    const text =
      '# @name one\nlist pods --limit=3\n###\n# @name two\nlist events --limit=3 -l a=b\n';
    const all = await explainIt(['-'], stdin(text));
    expect(all.printed.split('\n').filter((line) => line.startsWith('### '))).toEqual([
      '### one',
      '### two',
    ]);
    const json = await explainIt(['-', 'two', '-o', 'json'], stdin(text));
    const [two, ...none] = JSON.parse(json.printed) as Printed[];
    expect(none).toEqual([]);
    expect([two?.name, two?.way]).toEqual(['two', 'etcdPages']);
    const wrong = await explainIt(['-', 'tow'], stdin(text));
    expect(wrong.said).toContain('is called "tow": did you mean two?');
    expect(wrong.code).toBe(2);
  });

  it('tells of a refusal in the API server’s words', async () => {
    const query = 'GET /api/v1/pods?resourceVersionMatch=Exact';
    const { code, printed } = await explainIt([query]);
    expect(code).toBe(0);
    expect(printed).toContain('Refused with "resourceVersionMatch: Forbidden:');
    const bad = await explainIt(['GET /api/v1/pods?continue=abc']);
    expect(bad.printed).toContain(
      'Refused with "invalid continue token: continue key is not valid:',
    );
    expect(bad.printed).toContain('  O1  Storage refuses the options');
    const nowhere = await explainIt(['GET /api/v1/podz']);
    expect(nowhere.printed).toContain('\nThe API server answers 404: there is no resource "podz"');
    const nothing = await explainIt(['GET /foo']);
    expect(nothing.printed).toContain(
      '\nThe API server answers 404: "/foo" is no path of a resource',
    );
    const flags = await explainIt(['pods', '--resource-version-match=Exact']);
    expect(flags.printed.replaceAll(/\s+/g, ' ')).toContain(
      'Refused with 422 "ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden:',
    );
  });

  it.each([
    [[], 'QUERY is missing'],
    [['list'], 'has errors'],
    [
      ['kubectl', 'get', 'pods', '..'],
      'error: invalid resource name "..": [may not be \'..\'] [query]',
    ],
    [['GET /healthz'], '"/healthz" is no path of a resource'],
    [['pods', 'a'], 'say with -n in which namespace "a" is'],
    [['pods', '--feature-gates=EtcdRangeStreams=true'], 'did you mean EtcdRangeStream?'],
    [['pods', '--feature-gates=EtcdRangeStream'], 'write EtcdRangeStream=true or =false'],
    [
      ['pods', '--kubernetes-version=1.29'],
      '"1.29" is none of the versions whose decisions were checked: 1.30, 1.31,',
    ],
    [
      ['pods', '--kubernetes-version=1.36', '--feature-gates=EtcdRangeStream=true'],
      'kube-apiserver 1.36 refuses it: unrecognized feature gate: EtcdRangeStream (it came with 1.37)',
    ],
    [
      ['pods', '--kubernetes-version=1.34', '--feature-gates=ConsistentListFromCache=false'],
      'cannot set feature gate ConsistentListFromCache to false, feature is locked to true',
    ],
    [['pods', '--watch-cache=perhaps'], '--watch-cache "perhaps": write true or false'],
    [['pods', '--limt=3'], 'did you mean --limit?'],
    [['pods', '-o', 'yaml'], 'is none of text, json'],
    [['none.etcdlist'], 'cannot be read'],
  ])('refuses %j as wrong usage', async (words, said) => {
    const ran = await explainIt(words);
    expect(ran.said).toContain(said);
    expect(ran.code).toBe(2);
  });

  it('asks an etcd that is named for versions and RangeStream, and nothing else', async () => {
    const etcd = await startDemoEtcd({ rangeStream: false });
    try {
      const { printed, said } = await explainIt(['events', '--endpoints', etcd.endpoint]);
      expect(said).toBe('');
      expect(printed).toContain('does not have the RangeStream RPC');
      const methods = etcd.calls.map(({ method }) => method.split('/').at(-1));
      expect([...new Set(methods)].sort()).toEqual(['RangeStream', 'Status']);
    } finally {
      await etcd.stop();
    }
  });

  it('explains without an etcd that does not answer, and says so', async () => {
    const words = ['pods', '--endpoints=127.0.0.1:1', '--dial-timeout=200ms'];
    const { code, printed, said } = await explainIt(words);
    expect(code).toBe(0);
    expect(said).toContain('warning:');
    expect(printed).toContain('not all members answered');
  });
});
