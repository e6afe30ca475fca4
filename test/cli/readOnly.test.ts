/** What the commands send to an etcd: nothing but reads, whatever is asked and whichever etcd it is. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemoEtcd, type DemoEtcd } from '../../server/demo/demoEtcd';
import { seedCluster } from '../../server/demo/seed';
import { etcdMissing, startEtcd, type EtcdOptions, type EtcdVersion } from '../support/etcdServer';
import { RawEtcd } from '../support/rawEtcd';
import { notReadOnly } from '../support/readOnly';
import { startRecordingProxy } from '../support/recordingProxy';
import { buildCli, type BuiltCli } from './process';

/** Every command with the exit code it ends with, in the forms that read in ways of their own. */
const commands: readonly (readonly [readonly string[], number])[] = [
  [['get', 'pods'], 0],
  [['get', 'pods', '-l', 'app=nginx', '--limit=5', '-o', 'json'], 0],
  [['get', 'pods', '--chunk-size=0', '--stream=on', '-o', 'name'], 0],
  [['get', 'pods', '--chunk-size=0', '--stream=off', '--skip-unreadable'], 0],
  [['get', 'pods', '--limit=50', '--follow', '--receipt=json'], 0],
  [['get', 'pods', '--resource-version=99999999'], 1],
  [['get', 'nodes', '-o', 'wide', '--serializable'], 0],
  [['get', 'pod', 'no-such-pod', '-n', 'default'], 1],
  [['get', 'secrets', '-o', 'yaml', '--limit=2'], 0],
  [['get', 'widgets', '--limit=2'], 0],
  [['get', 'gadgets.example.com'], 2],
  [['get', '/registry/services/', '-o', 'ndjson'], 0],
  [['resources'], 0],
  [['probe'], 0],
  [['token', 'encode', '--rv', '7', '--key', '/r/p/a', '--prefix', '/r/p/'], 0],
  [['token', 'check', 'x'], 1],
  [['help'], 0],
  [['run', join(import.meta.dirname, 'queries', 'read.etcdlist')], 0],
  [['lint', join(import.meta.dirname, 'queries')], 0],
  [['explain', 'pods', '-l', 'app=nginx', '--limit=10'], 0],
  [['get', 'pods', '--serve-from=watch-cache', '--resource-version=0'], 0],
  [['compare', 'pods', '-l', 'app=nginx', '--limit=5', '--yes'], 0],
  [['metrics', join(import.meta.dirname, 'queries', 'read.etcdlist')], 1],
];

/** These reach no etcd at all. */
const withoutEndpoint = new Set(['token', 'help', 'lint', 'metrics']);

let cli: BuiltCli;
let seeded: DemoEtcd;

beforeAll(async () => {
  [cli, seeded] = await Promise.all([buildCli(), startDemoEtcd()]);
  await seedCluster(seeded.store, { pods: 200 });
});

afterAll(async () => {
  await seeded.stop();
  cli.remove();
});

async function runAll(connection: readonly string[], env: Record<string, string>): Promise<void> {
  const outcomes: unknown[] = [];
  for (const [args] of commands) {
    const more = withoutEndpoint.has(args[0] ?? '') ? [] : connection;
    const { code, stderr } = await cli.run([...args, ...more], { env });
    outcomes.push([args.join(' '), code, code === 2 ? stderr.includes('gadgets') : true]);
  }
  expect(outcomes).toEqual(commands.map(([args, code]) => [args.join(' '), code, true]));
}

/** A process for each command: much, where other tests run beside. */
const patienceMs = 600_000;

const rpcs = (paths: Iterable<string>): string[] =>
  [...new Set(paths)].map((path) => path.slice(path.lastIndexOf('/') + 1)).sort();

it('knows every command there is', async () => {
  const { stdout } = await cli.run(['--help']);
  const listed = /\nCommands:\n([^]*?)\n\n/.exec(stdout)?.[1] ?? '';
  const names = listed.split('\n').flatMap((line) => /^ {2}(\w+)/.exec(line)?.[1] ?? []);
  const ownEtcd = 'demo';
  expect(new Set([...commands.map(([args]) => args[0]), ownEtcd])).toEqual(new Set(names));
});

it(
  'every command only reads the embedded etcd',
  async () => {
    const before = seeded.calls.length;
    const revision = seeded.store.revision;
    await runAll(['--endpoints', seeded.endpoint], {});
    const user = ['get', 'pods', '--user=root', '--endpoints', seeded.endpoint];
    await cli.run(user, { env: { ETCDCTL_PASSWORD: 'x' } });
    const paths = seeded.calls.slice(before).map(({ method }) => method);
    expect(notReadOnly(paths)).toEqual([]);
    expect(rpcs(paths)).toEqual(expect.arrayContaining(['Authenticate', 'Range', 'RangeStream']));
    expect(seeded.store.revision).toBe(revision);
  },
  patienceMs,
);

const rootPassword = 'root-secret';

const realOnes: readonly (readonly [EtcdVersion, EtcdOptions, readonly string[]])[] = [
  ['3.7', {}, ['Range', 'RangeStream', 'Status']],
  ['3.6', { auth: { rootPassword } }, ['Authenticate', 'Range', 'Status']],
];

describe.each(realOnes)('etcd %s', (version, options, expected) => {
  it.skipIf(etcdMissing(version))(
    'is only read by every command',
    async () => {
      const etcd = await startEtcd(version, options);
      const proxy = await startRecordingProxy(etcd.endpoint);
      const source = new RawEtcd(seeded.endpoint);
      try {
        const everything = { key: Uint8Array.of(0), rangeEnd: Uint8Array.of(0) };
        const { kvs } = await source.range(everything);
        await etcd.writer.bulkLoad(kvs.map(({ key, value }) => [key, value] as const));
        const revision = await etcd.writer.revision();
        const env = { ETCDCTL_PASSWORD: rootPassword };
        const user = options.auth === undefined ? [] : ['--user=root'];
        await runAll(['--endpoints', proxy.endpoint, ...user], env);
        expect(notReadOnly(proxy.everPaths)).toEqual([]);
        expect(rpcs(proxy.everPaths)).toEqual(expect.arrayContaining([...expected]));
        expect(await etcd.writer.revision()).toBe(revision);
      } finally {
        source.close();
        await proxy.close();
        await etcd.stop();
      }
    },
    patienceMs,
  );
});
