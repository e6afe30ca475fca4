import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runApp } from '../../../server/cli/app';
import { parseArgs } from '../../../server/cli/args/parse';
import { type CliError, StoppedError } from '../../../server/cli/exit';
import { askYes } from '../../../server/cli/prompt';
import type { Context } from '../../../server/cli/context';
import { systemClock } from '../../../server/common/clock';
import { utf8 } from '../../../server/common/bytes';
import type { CallRecord } from '../../../server/demo/callLog';
import { startDemoEtcd, type DemoEtcd } from '../../../server/demo/demoEtcd';
import { EventEmitter } from 'node:events';
import { keptContext } from './support';

function planOf(line: string) {
  const parsed = parseArgs(line.split(' '), { env: {}, version: '1', width: 100 });
  if (parsed.kind === 'text' || parsed.plan.command !== 'compare') throw new Error(line);
  return parsed.plan;
}

describe('the arguments of compare', () => {
  it('are all ways once, and ask', () => {
    const plan = planOf('compare pods -l app=nginx --limit=100');
    expect(plan).toMatchObject({
      limit: 100n,
      toTheEnd: false,
      ways: ['pages', 'stream', 'naive', 'adaptive'],
      rounds: 1,
      agreed: false,
      output: 'table',
      receipt: undefined,
    });
    expect(plan.list).toMatchObject({ labelSelector: 'app=nginx', namespace: undefined });
  });

  it('choose ways, their order and rounds', () => {
    const line = 'compare pods --limit 5 --ways adaptive,pages --repeat=3 -y -o json --to-the-end';
    expect(planOf(line)).toMatchObject({
      ways: ['adaptive', 'pages'],
      rounds: 3,
      agreed: true,
      output: 'json',
      toTheEnd: true,
    });
  });

  it.each([
    ['compare', 'compare needs a resource'],
    ['compare pods', '--limit is missing: give the size of the page'],
    ['compare pods --limit 0', '--limit 0 is no limit, and no pages'],
    ['compare pods --limit -1', '--limit -1 is negative: give the size of the page'],
    ['compare pods web-1 --limit 5', '"web-1" is one word too many'],
    ['compare pods/web-1 --limit 5', '--limit does not go with a name'],
    ['compare pods --limit 5 --ways pages', 'is less than two'],
    ['compare pods --limit 5 --ways pages,pages', 'names pages twice'],
    ['compare pods --limit 5 --ways pages,adaptiv', 'did you mean adaptive?'],
    ['compare pods --limit 5 --repeat 0', '--repeat 0: give how often'],
    ['compare pods --limit 5 --repeat 101', '1 to 100'],
    ['compare pods --limit 5 -o yaml', '--output "yaml" is none of table, json'],
    ['compare pods --limit 5 --receipt xml', '--receipt "xml" is none of text, json'],
    ['compare pods --limit 5 --continue x', 'unknown flag --continue'],
  ])('%s is refused', (line, sentence) => {
    try {
      planOf(line);
    } catch (error) {
      expect(error).toMatchObject({ exitCode: 2 });
      expect((error as CliError).message).toContain(sentence);
      return;
    }
    expect.fail('was accepted');
  });
});

class TypedInput extends EventEmitter {
  readonly isTTY = true;
  paused = 0;
  resume(): this {
    return this;
  }
  pause(): this {
    this.paused++;
    return this;
  }
}

describe('a yes', () => {
  it.each([
    ['y\n', true],
    ['Yes\n', true],
    ['\n', false],
    ['n\n', false],
    ['yesterday\n', false],
  ])('%j', async (typed, expected) => {
    const input = new TypedInput();
    const shown: string[] = [];
    const { signal } = new AbortController();
    const asked = askYes('Read it? [y/N] ', input, (text) => shown.push(text), signal);
    input.emit('data', Buffer.from(typed));
    expect(await asked).toBe(expected);
    expect([shown, input.paused]).toEqual([['Read it? [y/N] '], 1]);
  });

  it('is not the end of input, and not waited for when the work is stopped', async () => {
    const input = new TypedInput();
    const stop = new AbortController();
    const ended = askYes('?', input, () => undefined, stop.signal);
    input.emit('end');
    expect(await ended).toBe(false);
    const stopped = askYes('?', input, () => undefined, stop.signal);
    stop.abort(new StoppedError('interrupt'));
    await expect(stopped).rejects.toBeInstanceOf(StoppedError);
    expect(input.listenerCount('data')).toBe(0);
  });
});

const isRange = (method: string): boolean => method.endsWith('/Range');

describe('compare', () => {
  let etcd: DemoEtcd;
  let onCall: (call: CallRecord) => void | Promise<void> = () => undefined;

  beforeAll(async () => {
    etcd = await startDemoEtcd({ onCall: () => onCall(etcd.calls.at(-1)!) });
    for (let i = 0; i < 1000; i++) {
      const name = `pod-${String(i).padStart(4, '0')}`;
      const labels = i % 10 === 9 ? { app: 'nginx' } : {};
      const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'web', labels } };
      etcd.store.put(utf8(`/registry/pods/web/${name}`), utf8(JSON.stringify(pod)));
    }
  });
  afterAll(() => etcd.stop());
  beforeEach(() => {
    onCall = () => undefined;
  });

  async function run(words: string, extra: Partial<Context> = {}) {
    const kept = keptContext({ clock: systemClock, ...extra });
    const argv = [...words.split(' '), '--endpoints', etcd.endpoint];
    const code = await runApp(argv, kept.context, '1');
    return { ...kept, code };
  }

  it('offers no flag that it does not have where objects cannot be read', async () => {
    etcd.store.put(utf8('/registry/configmaps/web/a'), utf8('{"kind":'));
    const { code, notes } = await run('compare configmaps --limit 5 --yes');
    expect(code).toBe(1);
    const said = notes.join('\n');
    expect(said).toMatch(/^error: \/registry\/configmaps\/web\/a cannot be read: .*without them$/m);
    expect(said).not.toContain('--skip-unreadable');
  });

  it('says where nothing lies below a prefix that may be a key', async () => {
    const note = 'note: nothing lies below this prefix; a key of that very name is read in one way';
    const said = async (prefix: string) =>
      (await run(`compare ${prefix} --limit 5 --yes`)).notes.join('\n');
    expect(await said('/registry/pods/web/pod-0001')).toContain(note);
    expect(await said('/registry/none/')).not.toContain(note);
  });

  /** Says yes, and counts the reads from then on. */
  function afterYes(onRange: (nth: number) => void): Pick<Context, 'confirm'> {
    return {
      confirm: () => {
        let ranges = 0;
        onCall = ({ method }) => {
          if (isRange(method)) onRange(++ranges);
        };
        return Promise.resolve(true);
      },
    };
  }

  it('reads nothing where nobody can be asked', async () => {
    const before = etcd.calls.length;
    const { code, notes } = await run('compare pods -l app=nginx --limit=5');
    expect(code).toBe(2);
    expect(notes.join('\n')).toContain('there is no terminal to ask on: give --yes to agree');
    expect(etcd.calls).toHaveLength(before);
  });

  it('counts and tells before it asks, and reads no more without a yes', async () => {
    const before = etcd.calls.length;
    const questions: string[] = [];
    const confirm = (question: string): Promise<boolean> => {
      questions.push(question);
      return Promise.resolve(false);
    };
    const { code, notes, rows } = await run('compare pods -l app=nginx --limit=5 --repeat=2', {
      confirm,
    });
    expect([code, rows]).toEqual([0, []]);
    expect(questions).toEqual(['Read it in 4 ways, each 2 times? [y/N] ']);
    expect(notes[0]).toMatch(/^pods: 1,000 keys, about \d+ B each; 5\d of 5\d\d looked at match$/);
    expect(notes.slice(1, 7)).toEqual([
      'what each way would read, if matches stand evenly:',
      '  WAY       REQUESTS  KEYS    BYTES',
      expect.stringMatching(/^ {2}pages {12}4 {4}75 /),
      expect.stringMatching(/^ {2}stream {11}1 {4}50 /),
      expect.stringMatching(/^ {2}naive {11}10 {4}50 /),
      expect.stringMatching(/^ {2}adaptive {9}3 {3}108 /),
    ]);
    expect(notes.at(-1)).toBe('nothing is compared');
    // The bounded sample alone: its first page, probes of one key each, and a page at each place.
    const calls = etcd.calls.slice(before).filter(({ method }) => isRange(method));
    expect(calls.length).toBeLessThan(40);
    expect(etcd.calls.slice(before).every(({ method }) => !method.endsWith('Stream'))).toBe(true);
  });

  it('prints the table on standard output, and that all are the same beside it', async () => {
    const { code, rows, notes } = await run('compare pods -l app=nginx --limit=5 --yes');
    expect(code).toBe(0);
    const [header, ...ways] = rows.join('').trimEnd().split('\n');
    expect(header).toMatch(
      /^WAY +REQUESTS +FETCHED +OVER-FETCHED +EVALUATED +RETURNED +BYTES +LARGEST REPLY +TIME$/,
    );
    expect(ways.map((line) => line.split(/ +/).slice(0, 6))).toEqual([
      ['pages', '4', '75', '25', '50', '5'],
      ['stream', '1', expect.any(String), expect.any(String), '50', '5'],
      ['naive', '10', '50', '0', '50', '5'],
      ['adaptive', '3', expect.any(String), expect.any(String), '50', '5'],
    ]);
    expect(notes.at(-1)).toMatch(/^all 4 runs gave the same 5 objects at revision [\d,]+: keys,/);
  });

  it('refuses a selector of one object', async () => {
    const words = 'compare pods -n web --field-selector metadata.name=pod-0001 --limit=5 --yes';
    const { code, notes } = await run(words);
    expect(code).toBe(2);
    expect(notes.join('\n')).toContain('names one object, which is read in one way');
  });

  it('ends at once when it is stopped, with what was read so far', async () => {
    const stop = new AbortController();
    const counting = afterYes((nth) => {
      // Four pages, and the third of those as large as the limit.
      if (nth === 7) stop.abort(new StoppedError('interrupt'));
    });
    const words = 'compare pods -l app=nginx --limit=5 --ways=pages,naive,adaptive';
    const { code, notes, rows } = await run(words, { signal: stop.signal, ...counting });
    expect([code, rows]).toEqual([130, []]);
    const text = notes.join('\n');
    expect(text).toMatch(/^pages +4 +75 .* ms$/m);
    expect(text).toMatch(/^naive .*broken off$/m);
    expect(text).toMatch(/^adaptive {2}not run$/m);
  });

  it('says it when the revision is compacted in the meantime', async () => {
    const counting = afterYes((nth) => {
      if (nth !== 5) return;
      etcd.store.put(utf8('/registry/other'), utf8('x'));
      etcd.store.compact(etcd.store.revision);
    });
    const words = 'compare pods -l app=nginx --limit=5 --ways=pages,naive';
    const { code, notes } = await run(words, counting);
    expect(code).toBe(3);
    expect(notes.join('\n')).toMatch(
      /410 Expired: revision [\d,]+, at which all ways read, was compacted in the meantime: compare again/,
    );
  });

  it('prints the receipt of each run when asked', async () => {
    const words = 'compare pods -l app=nginx --limit=5 --yes --receipt=json --ways=pages,adaptive';
    const { notes } = await run(words);
    const lines = notes
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const [first, second] = [lines.slice(0, 6), lines.slice(6)];
    expect(first.map(({ type }) => type)).toEqual([
      'run',
      ...Array<string>(4).fill('request'),
      'total',
    ]);
    expect(second[0]).toEqual({ type: 'run', way: 'adaptive', round: 1 });
    expect(second.at(-1)).toMatchObject({ type: 'total', returned: 5, requests: 3 });
  });
});
