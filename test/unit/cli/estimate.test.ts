/** The estimate of `explain` and `get --explain`, by hand and measured on an embedded etcd. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runApp } from '../../../server/cli/app';
import { systemClock } from '../../../server/common/clock';
import { startDemoEtcd, type DemoEtcd } from '../../../server/demo/demoEtcd';
import { pod } from '../features/stored/support';
import { utf8 } from '../../../server/common/bytes';
import { keptContext } from './support';

async function run(words: readonly string[]) {
  const kept = keptContext({ clock: systemClock });
  const code = await runApp(words, kept.context, '0');
  return { code, printed: kept.rows.join(''), said: kept.notes.join('\n') };
}

interface Printed {
  readonly estimate: {
    readonly stored: { readonly keys: number; readonly source: { readonly cost: unknown } };
    readonly rows: readonly {
      readonly name: string;
      readonly cost: { readonly requests: { readonly likely: number } };
    }[];
  };
}

const BY_HAND = ['--keys=50000', '--match-rate=1%', '--object-size=2KiB'];

describe('explain', () => {
  it('estimates what is given by hand, in front of a query and behind the words of get', async () => {
    const words = ['events', '-l', 'app=nginx', '--limit=100'];
    const behind = await run(['explain', ...words, ...BY_HAND]);
    expect(behind.printed).toContain('Estimate: 50,000 keys of about 2.0 kB, of which 1 % match');
    const before = await run(['explain', ...BY_HAND, 'list', ...words, '-A']);
    expect(before.printed).toContain(
      '  As it is asked             etcd, pages           7  12,700',
    );
  });

  it('estimates each query of a text as JSON too', async () => {
    const { printed } = await run([
      'explain',
      ...BY_HAND,
      '-o',
      'json',
      'list events -l a=b --limit=100',
    ]);
    const { estimate } = JSON.parse(printed) as Printed;
    expect(estimate.rows[0]).toMatchObject({ name: 'asked', cost: { requests: { likely: 7 } } });
  });

  it('says no more than before where nothing is known of the keys', async () => {
    expect((await run(['explain', 'events'])).printed).not.toContain('Estimate');
  });

  it.each([
    [['--match-rate=1%'], '--match-rate needs --keys'],
    [['--clustered', '--keys=5'], '--clustered needs --match-rate'],
    [['--keys=5', '--match-rate=120%'], '--match-rate "120%" is no share'],
    [['--keys=5', '--match-rate=1'], 'write it like 1% or 0.01'],
    [['--keys=5', '--match-rate=much'], 'is no share'],
    [['--keys=-5'], '--keys -5 is negative'],
    [['--keys=9999999999999'], 'is too large'],
    [['--keys=5', '--object-size=big'], '--object-size "big" is not a size'],
    [['--keys=5', '--measure'], '--keys does not go with --measure'],
  ])('refuses %j as wrong usage', async (flags, said) => {
    const ran = await run(['explain', 'pods', ...flags]);
    expect(ran.said).toContain(said);
    expect(ran.code).toBe(2);
  });
});

describe('on an etcd', () => {
  let etcd: DemoEtcd;
  beforeAll(async () => {
    etcd = await startDemoEtcd();
    for (let i = 1; i <= 400; i++) {
      const name = `p${String(i).padStart(4, '0')}`;
      const labels = { app: i % 40 === 0 ? 'nginx' : 'other' };
      etcd.store.put(utf8(`/registry/pods/web/${name}`), pod('web', name, { labels }));
    }
  });
  afterAll(() => etcd.stop());

  const limits = () => etcd.calls.filter(({ method }) => method.endsWith('/Range')).length;

  it('measures with bounded reads, and tells what these took', async () => {
    const before = limits();
    const words = ['explain', 'pods', '-l', 'app=nginx', '--limit=5', '--measure'];
    const { printed, code } = await run([...words, '--endpoints', etcd.endpoint, '-o', 'json']);
    expect(code).toBe(0);
    const { estimate } = JSON.parse(printed) as Printed;
    expect(estimate.stored).toMatchObject({
      keys: 400,
      matches: { kind: 'known', at: [40, 80, 120, 160, 200, 240, 280, 320, 360, 400] },
      source: { cost: { requests: 2, keys: 400 } },
    });
    expect(limits() - before).toBe(2);
  });

  it('measures nothing of a list that is refused, and of one key', async () => {
    const before = limits();
    const at = ['--endpoints', etcd.endpoint, '--measure'];
    const refused = await run(['explain', 'pods', '--resource-version-match=Exact', ...at]);
    expect(refused.printed).not.toContain('Estimate');
    const one = await run(['explain', 'pods', 'p0001', '-n', 'web', ...at]);
    expect(one.printed).toContain('etcd, one key');
    expect(limits()).toBe(before);
  });

  it('says why nothing can be measured where no etcd answers', async () => {
    const { code, said } = await run(['explain', 'pods', '--measure', '--endpoints=127.0.0.1:1']);
    expect(code).toBe(1);
    expect(said).toContain('127.0.0.1:1');
  });

  it('holds the estimate of a get against its receipt', async () => {
    const words = ['get', 'pods', '-l', 'app=nginx', '--limit=5', '--explain', '-o', 'name'];
    const { said, printed } = await run([...words, '--endpoints', etcd.endpoint]);
    expect(printed.trim().split('\n')).toHaveLength(5);
    expect(said).toContain('Estimate: 400 keys');
    const after = said.slice(said.indexOf('Estimate against receipt'));
    expect(after).toMatch(/requests +6 +6 {2}exact/);
    expect(after).toMatch(/keys +315 +315 {2}exact/);
    expect(after).toMatch(/examined +200 +200 {2}exact/);
  });

  it('holds all requests of a list that is followed against the receipt', async () => {
    const words = ['get', 'pods', '-l', 'app=nginx', '--chunk-size=5', '--explain', '-o', 'name'];
    const { said } = await run([...words, '--endpoints', etcd.endpoint]);
    const after = said.slice(said.indexOf('Estimate against receipt'));
    expect(after).toContain('from etcd, to the end');
    expect(after).toMatch(/requests +12 +12 {2}exact/);
  });

  it('leaves out what the API server would not ask', async () => {
    const words = ['get', 'pods', '--chunk-size=0', '--stream=off', '--explain', '-o', 'name'];
    const { said } = await run([...words, '--endpoints', etcd.endpoint]);
    expect(said).toMatch(/requests +1 +1 {2}exact/);
    expect(said).toContain('2 requests that the API server would not make');
  });

  it('prints both as JSON lines beside the receipt', async () => {
    const words = ['get', 'pods', '--limit=5', '--explain', '--receipt=json', '-o', 'name'];
    const { said } = await run([...words, '--endpoints', etcd.endpoint]);
    const types = said
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => (JSON.parse(line) as { type: string }).type);
    expect(types).toEqual(['estimate', 'request', 'total', 'estimateAgainstReceipt']);
  });

  it('has nothing to estimate for one object', async () => {
    const words = ['get', 'pods', 'p0001', '-n', 'web', '--explain', '-o', 'name'];
    const { said } = await run([...words, '--endpoints', etcd.endpoint]);
    expect(said).toContain('one key is read: there is nothing to estimate');
  });
});
