/** A run that breaks off fails and says why; what it compared so far is never taken for a pass. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { killAll, processesMarked } from '../support/processes';
import { etcdMissing, startEtcd } from '../support/etcdServer';
import { requireOrSkip } from '../support/requireOrSkip';
import { findOracle } from '../oracle/binary.mjs';
import { waitFor } from '../support/waitFor';
import { Cluster } from './cluster';
import { Court, stateOf } from './court';
import { Engine } from './engine';
import { Mismatch, Referee } from './match';
import { Oracle, oracleMissing, RefereeFault } from './oracle';
import type { Outcome } from './outcome';
import { families } from './plans/families';
import { listOf } from './plans/lists';
import type { BadPlan, ClusterPlan } from './plans/plan';
import { playRandom } from './playRandom';

const root = join(import.meta.dirname, '..', '..');
const scratch = mkdtempSync(join(tmpdir(), 'breaks-'));
afterAll(() => {
  rmSync(scratch, { recursive: true });
});

/** A program that answers every question of the oracle's with this line. */
function stranger(name: string, line: string): string {
  const file = join(scratch, name);
  writeFileSync(
    file,
    `#!${process.execPath}
require('node:readline').createInterface({ input: process.stdin }).on('line', () => {
  console.log(${JSON.stringify(line)});
});
`,
  );
  chmodSync(file, 0o755);
  return file;
}

/** The oracle, `change` made to each of its answers to a bench of that mode. */
function liar(name: string, mode: string, change: string): string {
  const file = join(scratch, name);
  writeFileSync(
    file,
    `#!${process.execPath}
const { createInterface } = require('node:readline');
const oracle = require('node:child_process').spawn(${JSON.stringify(findOracle())}, {
  stdio: ['pipe', 'pipe', 'inherit'],
});
const asked = [];
createInterface({ input: process.stdin })
  .on('line', (line) => {
    asked.push(JSON.parse(line).bench?.mode);
    oracle.stdin.write(line + '\\n');
  })
  .on('close', () => oracle.stdin.end());
createInterface({ input: oracle.stdout }).on('line', (line) => {
  const answer = JSON.parse(line);
  const { bench } = answer;
  if (asked.shift() === ${JSON.stringify(mode)}) { ${change}; }
  console.log(JSON.stringify(answer));
});
`,
  );
  chmodSync(file, 0o755);
  return file;
}

const older = (): string =>
  stranger('older', '{"versions":["k8s.io/apiserver v0.36.1"],"revision":"0"}');

describe.skipIf(oracleMissing() || etcdMissing('3.7'))('a comparison fails', () => {
  it.each(['oracle', 'etcd'] as const)('when the %s ends in the middle', async (victim) => {
    const court = await Court.open('3.7');
    try {
      let left = 60;
      const listing: Pick<Engine, 'list'> = {
        list: async (...args) => {
          left--;
          if (left === 0 && victim === 'etcd') await court.etcd.kill();
          if (left === 0 && victim === 'oracle') process.kill(court.oracle.pid!, 'SIGKILL');
          return court.engine.list(...args);
        },
      };
      const sides = { oracle: court.oracle, engine: listing };
      const played = playRandom(sides, families.random, { cases: 500, seed: 1 });
      const fault: unknown = await played.catch((error: unknown) => error);
      expect(fault).toBeInstanceOf(RefereeFault);
      expect(String(fault)).toMatch(
        victim === 'etcd' ? /; etcd 3\.7 has ended$/ : /the oracle ended \(SIGKILL\)$/,
      );
      expect(left).toBeLessThanOrEqual(0);
    } finally {
      await court.close();
    }
  });

  it('when etcd has no space left for what is written', async () => {
    const court = await Court.open('3.7', 1024 ** 2);
    try {
      const played = playRandom(court, families.random, { cases: 5000, seed: 1 });
      const fault: unknown = await played.catch((error: unknown) => error);
      expect(fault).toBeInstanceOf(RefereeFault);
      expect(String((fault as Error).cause)).toContain('database space exceeded');
    } finally {
      await court.close();
    }
  });
});

describe.skipIf(oracleMissing() || etcdMissing('3.7'))('a comparison notices', () => {
  let court: Court;
  beforeAll(async () => {
    court = await Court.open('3.7');
    return () => court.close();
  });

  const raw = (name: string, bytes: string): BadPlan => ({
    kind: 'bad',
    namespace: 'web',
    name,
    raw: Buffer.from(bytes, 'latin1').toString('base64'),
    damage: { keep: 0, at: 0, xor: 0 },
  });
  const plan: ClusterPlan = {
    root: 'registry',
    resourcePrefix: '/pods',
    writes: [raw('a', 'k8s\0\x0a'), raw('b', '{')],
    steps: [listOf({})],
  };
  /** Plays it, our outcomes changed so. */
  const play = (name: string, change: (outcome: Outcome) => Outcome): Promise<void> => {
    const list: Engine['list'] = async (...args) => {
      const answer = await court.engine.list(...args);
      return { ...answer, outcome: change(answer.outcome) };
    };
    return new Cluster(new Referee(court.oracle, { list }), plan, name).play();
  };

  it('that one side passed a value and failed at another, whose wording is its own', async () => {
    await expect(play('same', (outcome) => outcome)).resolves.toBeUndefined();
    const passed = play('passed', (outcome) => ({
      ...outcome,
      failures: outcome.failures.map((key) => key.replace(/a$/, 'b')),
      error: { ...outcome.error!, message: 'unexpected end of JSON input' },
    }));
    await expect(passed).rejects.toThrow(/^ *failures\n/m);
  });

  it('that one side counted otherwise', async () => {
    const counted = play('counted', (outcome) => ({
      ...outcome,
      metrics: outcome.metrics.map((line) => line.replace(/(?<=fetched.*) 2$/, ' 3')),
    }));
    await expect(counted).rejects.toThrow(/^metrics\n/);
  });
});

describe.skipIf(oracleMissing() || etcdMissing('3.7'))('no etcd is left behind', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });
  const mustBeGone = (endpoint: string): Promise<void> =>
    expect(fetch(`http://${endpoint}/health`)).rejects.toThrow();

  it('when a side does not start', async () => {
    let endpoint = '';
    vi.spyOn(Engine, 'start').mockImplementation((started) => {
      endpoint = started;
      return Promise.reject(new Error('no engine'));
    });
    await expect(Court.open('3.7')).rejects.toThrow('no engine');
    await mustBeGone(endpoint);
  });

  it('when a side does not stop', async () => {
    const court = await Court.open('3.7');
    const { engine, etcd } = court;
    const stop = engine.stop.bind(engine);
    vi.spyOn(engine, 'stop').mockImplementation(async () => {
      await stop();
      throw new Error('the engine goes on');
    });
    await expect(court.close()).rejects.toThrow('the engine goes on');
    await mustBeGone(etcd.endpoint);
  });
});

describe.skipIf(etcdMissing('3.7'))('etcd is named', () => {
  it('when it does not answer, and when it has ended for want of space', async () => {
    const etcd = await startEtcd('3.7');
    try {
      expect(await stateOf(etcd)).toContain('"health":"true"');
      await etcd.pause();
      expect(await stateOf(etcd)).toBe('etcd 3.7 does not answer within 3 s, but has not ended');
      await etcd.kill();
      const panic = '{"level":"panic","error":"write wal: no space left on device"}';
      const logs = (): string => `{"level":"info"}\n${panic}\n{"level":"info"}`;
      const { endpoint } = etcd;
      expect(await stateOf({ version: '3.7', endpoint, logs })).toBe(
        `etcd 3.7 has ended: ${panic}`,
      );
    } finally {
      await etcd.stop();
    }
  });
});

it.skipIf(oracleMissing())(
  'a difference is told although a fault came while it was made smaller',
  async () => {
    let lists = 0;
    const oracle = await Oracle.start();
    const fails = (): Promise<never> =>
      Promise.reject(lists++ === 0 ? new Mismatch('they differ') : new RefereeFault('broken'));
    const sides = { oracle, engine: { list: fails } };
    vi.spyOn(Cluster.prototype, 'play').mockImplementation(fails);
    const settings = { cases: 5, seed: 1, folder: scratch };
    await expect(playRandom(sides, families.random, settings)).rejects.toThrow(
      /ours differs from upstream\n {2}they differ/,
    );
    expect(lists).toBeGreaterThan(1);
    vi.restoreAllMocks();
    await oracle.stop();
  },
);

describe('an oracle is refused', () => {
  it('that does not answer, by name of what it was asked', async () => {
    const options = { binary: stranger('mute', ''), patienceMs: 500 };
    writeFileSync(options.binary, `#!${process.execPath}\nprocess.stdin.resume();\n`);
    await expect(Oracle.start(undefined, options)).rejects.toThrow(
      "the oracle did not answer 'versions' within 0.5 s",
    );
  });

  it('that answers null', async () => {
    const binary = stranger('null', 'null');
    await expect(Oracle.start(undefined, { binary })).rejects.toThrow(
      'what the oracle said is no answer: null',
    );
  });

  it('that is built on another version than pinned', async () => {
    await expect(Oracle.start(undefined, { binary: older() })).rejects.toThrow(
      /^the oracle is not on k8s\.io\/apiserver v[\d.]+: k8s\.io\/apiserver v0\.36\.1$/,
    );
  });

  it('that names no version, answers what is no JSON, or ends', async () => {
    const silent = stranger('silent', '{"revision":"0"}');
    await expect(Oracle.start(undefined, { binary: silent })).rejects.toThrow('it names none');
    const garbage = stranger('garbage', 'Segmentation fault');
    await expect(Oracle.start(undefined, { binary: garbage })).rejects.toThrow(RefereeFault);
    await expect(Oracle.start(undefined, { binary: '/bin/false' })).rejects.toThrow(
      /the oracle ended \(1\)/,
    );
  });
});

/** The bench in a process of its own, small; `meanwhile` runs once it measures. */
async function bench(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  meanwhile: (mark: string) => Promise<void> = () => Promise.resolve(),
) {
  const mark = `BENCH_RUN=${randomUUID()}`;
  const all = ['test/bench/run.mjs', '--case', 'b', '--pods', '2000', '--rounds', '3', ...args];
  const child = spawn(process.execPath, all, {
    cwd: root,
    env: { ...process.env, ...env, [mark.split('=')[0]!]: mark.split('=')[1] },
  });
  let [output, errors] = ['', ''];
  child.stdout.on('data', (text: Buffer) => (output += text.toString()));
  child.stderr.on('data', (text: Buffer) => (errors += text.toString()));
  const closed = once(child, 'close') as Promise<[number | null]>;
  await waitFor(() => child.exitCode !== null || errors.includes('round 1 of 3'), {
    timeoutMs: 120_000,
  });
  await meanwhile(mark);
  const [code] = await closed;
  await waitFor(() => processesMarked(mark).length === 0, { what: 'the end of its processes' });
  return { code, output, errors };
}

const notLinux = requireOrSkip('Linux', process.platform === 'linux', 'the bench reads /proc');

describe.skipIf(notLinux || oracleMissing() || etcdMissing('3.7'))('the bench fails', () => {
  it('when its etcd ends in the middle, and prints no figures', async () => {
    const { code, output, errors } = await bench([], {}, async (mark) => {
      const etcds = processesMarked(mark).filter(({ args }) => args[0]?.endsWith('/etcd'));
      expect(etcds).toHaveLength(1);
      await killAll(etcds);
    });
    expect([code, output]).toEqual([1, '']);
    expect(errors).toMatch(/^bench: failed: etcd has ended; .+$/m);
    expect(errors).not.toMatch(/^\s+at /m);
  });

  const stop = (mark: string, program: RegExp): void => {
    const found = processesMarked(mark).filter(({ args }) => program.test(args[0] ?? ''));
    expect(found.length).toBeGreaterThan(0);
    for (const { pid } of found) process.kill(pid, 'SIGSTOP');
  };

  it.each([
    ['etcd', /\/etcd$/, /^bench: failed: etcd does not answer; .+ did not answer within 8 s$/m],
    ['oracle', /\/oracle$/, /^bench: failed: .+: the oracle did not answer within 8 s$/m],
  ])('in time when its %s is stopped, which it names', async (_, program, message) => {
    const { code, output, errors } = await bench(['--patience', '8'], {}, (mark) => {
      stop(mark, program);
      return Promise.resolve();
    });
    expect([code, output]).toEqual([1, '']);
    expect(errors).toMatch(message);
  });

  it('when the oracle is killed, and says so', async () => {
    const { code, errors } = await bench([], {}, async (mark) => {
      await killAll(processesMarked(mark).filter(({ args }) => args[0]?.endsWith('/oracle')));
    });
    expect(code).toBe(1);
    expect(errors).toMatch(/^bench: failed: .+: the oracle ended \(SIGKILL\)$/m);
  });

  it('with an oracle of another version', async () => {
    const { code, output, errors } = await bench([], { BENCH_ORACLE: older() });
    expect([code, output]).toEqual([1, '']);
    expect(errors).toContain('bench: failed: the oracle is not on k8s.io/apiserver');
  });

  it.each([
    [
      'an object less in the end',
      'store',
      'globalThis.n ??= 0; if (n++ > 1) bench.items--',
      /not the same objects found: engine 20, upstream 19$/m,
    ],
    [
      'a request less',
      'store',
      'bench.requests.pop()',
      /not the same number of etcd requests: engine 3, upstream 2$/m,
    ],
    [
      'nothing but a time',
      'store',
      'answer.bench = { ms: 1, requests: null }',
      /upstream: told no number of objects$/m,
    ],
    [
      'a time below none',
      'raw',
      'bench.ms = -5',
      /Go's floor, undecoded: told -5 as time in milliseconds$/m,
    ],
    ['nothing', 'store', 'console.log("null"); return', /upstream: answered null$/m],
  ])('with an oracle that tells %s', async (name, mode, change, message) => {
    const { code, output, errors } = await bench([], { BENCH_ORACLE: liar(name, mode, change) });
    expect([code, output]).toEqual([1, '']);
    expect(errors).toMatch(/^bench: failed: .+$/m);
    expect(errors).toMatch(message);
    expect(errors).not.toMatch(/^\s+at /m);
  });

  it('when its figures cannot be written, after it has printed them', async () => {
    const { code, output, errors } = await bench(['--json', '/dev/full'], {});
    expect(code).toBe(1);
    expect(output).toContain('÷ floor');
    expect(errors).toContain('bench: failed: ENOSPC');
  });
});
