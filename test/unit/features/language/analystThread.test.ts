import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { FromThread } from '../../../../server/analyst/messages';
import type { ThreadEnd } from '../../../../server/features/language/analyst';
import { analystStarter } from '../../../../server/features/language/analystThread';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'analyst-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function program(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const LITTLE_MIB = 16;

function endOf(path: string): Promise<ThreadEnd> {
  return new Promise((resolve) => {
    analystStarter(path, LITTLE_MIB)({ received: () => undefined, ended: resolve });
  });
}

it('a thread whose memory is used up ends without a fault', async () => {
  const path = program('large.js', 'const all = []; for (;;) all.push({ all: [all.length] });');
  expect(await endOf(path)).toEqual({});
});

it('a program that is missing, throws or leaves is a fault, which says so', async () => {
  expect((await endOf(join(folder, 'missing.js'))).fault).toMatch(
    /Cannot find module.*missing\.js/,
  );
  const thrown = await endOf(program('throws.js', 'throw new Error("out of order");'));
  expect(thrown.fault).toMatch(/Error: out of order/);
  const left = await endOf(program('leaves.js', 'process.exit(3);'));
  expect(left.fault).toBe('The thread that looks at documents ended: exit code 3');
});

it('a thread that is ended from outside tells of no end, and what it answers is passed on', async () => {
  const path = program(
    'echo.js',
    `const { parentPort } = require('node:worker_threads');
    parentPort.on('message', ({ id }) => parentPort.postMessage({ id, answer: 7 }));`,
  );
  const ends: ThreadEnd[] = [];
  const exited = new Promise<void>((resolve) => {
    process.once('worker', (worker) => {
      worker.once('exit', () => {
        setImmediate(resolve);
      });
    });
  });
  const received = await new Promise<FromThread>((resolve) => {
    const thread = analystStarter(path)({
      received: (message) => {
        thread.end();
        resolve(message);
      },
      ended: (end) => ends.push(end),
    });
    thread.send({ kind: 'ask', id: 5, uri: 'a', question: 'analysis', about: null });
  });
  expect(received).toEqual({ id: 5, answer: 7 });
  // Whoever else listens for the exit was told before.
  await exited;
  expect(ends).toEqual([]);
});
