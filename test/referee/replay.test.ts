/** One plan played again: what is refused, what is shown, and that it is the plan of the run. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { etcdMissing } from '../support/etcdServer';
import { Court } from './court';
import { Engine } from './engine';
import { Mismatch } from './match';
import { oracleMissing } from './oracle';
import { families, familyNames, planOf } from './plans/families';
import { listOf } from './plans/lists';
import type { ClusterPlan } from './plans/plan';
import { planText } from './plans/planFile';
import { playRandom } from './playRandom';
import { planFrom, planOfCase, replay, ReplayRefusal } from './replay';

const root = join(import.meta.dirname, '..', '..');
const scratch = mkdtempSync(join(tmpdir(), 'replays-'));
afterAll(() => {
  rmSync(scratch, { recursive: true });
});
afterEach(() => {
  vi.restoreAllMocks();
});

function file(name: string, text: string): string {
  const path = join(scratch, name);
  writeFileSync(path, text);
  return path;
}

const plan: ClusterPlan = {
  root: 'registry',
  resourcePrefix: '/pods',
  writes: [{ kind: 'bulk', namespace: 'web', count: 5, every: 2, badEvery: 0, padding: 0 }],
  steps: [listOf({ limit: '3' }), listOf({ label: 'rare' })],
};
const whole = JSON.parse(planText('3.7', plan)) as { plan: { steps: Record<string, unknown>[] } };

/** The plan with a change made to it. */
function changed(change: (file: typeof whole & Record<string, unknown>) => void): string {
  const copy = structuredClone(whole) as typeof whole & Record<string, unknown>;
  change(copy);
  return JSON.stringify(copy);
}

const inStep = (more: Record<string, unknown>): string =>
  changed(({ plan: { steps } }) => Object.assign(steps[0]!, more));

describe('a plan is refused in one sentence', () => {
  const texts: [string, string, string][] = [
    ['empty', ' \n', 'is empty'],
    ['garbage', '{"refereePlan":', 'is not JSON'],
    ['list', '[]', 'holds no plan of the referee, but a list'],
    ['foreign', '{"a":1}', "holds no plan of the referee: it has no member 'refereePlan'"],
    [
      'newer',
      changed((copy) => (copy['refereePlan'] = 2)),
      'holds a plan of version 2, and this referee plays version 1',
    ],
    [
      'etcd',
      changed((copy) => (copy['etcd'] = '3.4')),
      "is no plan: etcd must be '3.6' or '3.7', not \"3.4\"",
    ],
    ['member', inStep({ foo: 1 }), 'is no plan: plan.steps[0]: "foo" is no member of a list step'],
    [
      'proto',
      planText('3.7', plan).replace('"key":', '"__proto__":1,"key":'),
      'is no plan: plan.steps[0]: "__proto__" is no member of a list step',
    ],
    [
      'missing',
      changed(({ plan: { steps } }) => delete steps[1]!['limit']),
      'is no plan: plan.steps[1].limit must be a 64-bit number as text, not left out',
    ],
    [
      'large',
      inStep({ limit: '9223372036854775808' }),
      'is no plan: plan.steps[0].limit must be a 64-bit number as text, not "9223372036854775808"',
    ],
    [
      'kind',
      inStep({ kind: 'get' }),
      "is no plan: plan.steps[0].kind must be 'list' or 'write' or 'compact', not \"get\"",
    ],
    [
      'version',
      inStep({ version: {} }),
      "is no plan: plan.steps[0].version must have one member, 'share' or 'ahead' or 'text'",
    ],
    [
      'nothing',
      changed((copy) => (copy.plan.steps = [])),
      'is no plan: plan.steps has no list, so there is nothing to compare',
    ],
  ];

  it.each(texts)('that is %s', async (name, text, message) => {
    const path = file(name, text);
    await expect(planFrom(path)).rejects.toThrow(new ReplayRefusal(`'${path}' ${message}`));
  });

  it('that is not there, is a folder, or has no end', async () => {
    const missing = join(scratch, 'missing\u001b[2J');
    await expect(planFrom(missing)).rejects.toThrow(
      `there is no file '${join(scratch, 'missing\\u{1b}[2J')}'`,
    );
    await expect(planFrom(scratch)).rejects.toThrow(`'${scratch}' cannot be read: EISDIR`);
    await expect(planFrom('/dev/zero')).rejects.toThrow("'/dev/zero' has more than 16777216 bytes");
  });

  it('that is a case which no run has', () => {
    for (const text of ['x', 'odd:1', '-1', '1000000', 'pinned:', '1.5', '']) {
      expect(() => planOfCase(text, 1)).toThrow(
        /^--case takes a number up to 100000, after one of/,
      );
    }
  });
});

describe('the commands', () => {
  const run = (args: readonly string[], input = '') =>
    spawnSync(process.execPath, ['test/referee/run.mjs', ...args], {
      ...{ cwd: root, encoding: 'utf8', input },
    });

  it.each([
    [['--replay', 'no-such-file'], "there is no file 'no-such-file'"],
    [['--replay', '-'], 'standard input is empty'],
    [['--replay', 'a', '--seed', '1'], '--replay takes its plan from the file'],
    [['--replay', 'a', 'lists'], '--replay plays one plan'],
    [['--case', '3'], '--case goes with --seed'],
    [['--case', 'odd:3', '--seed', '1'], '--case takes a number up to 100000'],
  ])('refuse %j', (args, message) => {
    const { status, stderr } = run(args);
    expect(status).toBe(2);
    expect(stderr).toContain(`referee: ${message}`);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it.skipIf(oracleMissing() || etcdMissing('3.7'))('play a plan from standard input', () => {
    const { status, stdout, stderr } = run(['--replay', '-'], planText('3.7', plan));
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^list 1, alike: \{.*"limit":"3"/m);
    expect(stdout).toMatch(/^ {2}items +(web\|bulk-00000\|u1\|\S+) +│ \1$/m);
    expect(stdout).toMatch(/^list 2, alike: \{.*"labelSelector":"rare"/m);
    expect(stdout).toContain('referee: 2 lists compared, no difference');
  });
});

describe('the plan of a case', () => {
  it.each(Object.values(families))(
    'is the one that a run plays: $name',
    async ({ name, plans }) => {
      const played: ClusterPlan[] = [];
      const property = fc.asyncProperty(plans, (one) => {
        played.push(one);
        return Promise.resolve();
      });
      await fc.check(property, { seed: 21, numRuns: 12 });
      for (const index of [0, 1, 11]) {
        expect(planOf(name, index, 21).plan).toEqual(played[index]);
      }
    },
  );

  it.each(familyNames)('can be kept and read: %s', async (family) => {
    for (const index of [0, 3, 40]) {
      const { etcd, plan } = planOf(family, index, 5);
      const path = file(`${family}-${index}`, planText(etcd, plan));
      expect(await planFrom(path)).toEqual({ refereePlan: 1, etcd, plan });
    }
  });
});

describe.skipIf(oracleMissing() || etcdMissing('3.7'))('a difference', () => {
  /** Our engine, which never heeds a limit of 3. */
  function spoil(): void {
    const list = Reflect.get<Engine, 'list'>(Engine.prototype, 'list');
    vi.spyOn(Engine.prototype, 'list').mockImplementation(function (this: Engine, ask, ...rest) {
      return list.call(this, ask.limit === '3' ? { ...ask, limit: '2' } : ask, ...rest);
    });
  }

  function printed(): string[] {
    const lines: string[] = [];
    vi.spyOn(console, 'log').mockImplementation((line: string) => lines.push(line));
    return lines;
  }

  it('is kept as a plan that shows it again, and is alike once it is mended', async () => {
    spoil();
    const court = await Court.open('3.7');
    const settings = { cases: 400, seed: 3, folder: scratch };
    const found: unknown = await playRandom(court, families.random, settings).catch(
      (error: unknown) => error,
    );
    await court.close();
    expect(found).toBeInstanceOf(Mismatch);
    const [name = ''] = readdirSync(scratch).filter((one) => one.startsWith('seed-3-random-'));
    const path = join(scratch, name);
    const { message } = found as Mismatch;
    expect(message).toMatch(new RegExp(`this plan again: npm run .* --replay \\S*${name}$`, 'm'));
    expect(message).toContain(`plan: ${readFileSync(path, 'utf8').trim()}`);
    const [, index = ''] = /random-(\d+)\.json$/.exec(name) ?? [];
    expect(message).toContain(`--seed 3 --case random:${index}`);
    const kept = await planFrom(path);
    const lines = printed();
    expect(await replay(kept)).toBe(1);
    expect(lines.join('\n')).toMatch(/^list \d+, ours differs from upstream in .*requests/m);
    expect(lines.join('\n')).toMatch(/^≠ requests .*limit=2.* │ .*limit=3/m);
    expect(lines.at(-1)).toMatch(/^\nreferee: \d+ lists compared, ours differs from upstream in /);
    vi.restoreAllMocks();
    printed();
    expect(await replay(kept)).toBe(0);
  });
});
