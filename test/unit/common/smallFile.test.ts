import { execFileSync, spawn } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isEncryptedKey } from '../../../client/connections/keyFile';
import { LARGEST_FILE, readSmallFile } from '../../../server/common/smallFile';

let dir: string;
const at = (name: string): string => join(dir, name);
const never = new AbortController().signal;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'small-file-'));
  execFileSync('mkfifo', [at('pipe')]);
  mkdirSync(at('folder'));
  writeFileSync(at('key'), 'ENCRYPTED');
  writeFileSync(at('empty'), '');
  writeFileSync(at('full'), Buffer.alloc(LARGEST_FILE, 1));
  writeFileSync(at('over'), Buffer.alloc(LARGEST_FILE + 1, 1));
  symlinkSync(at('key'), at('link'));
  symlinkSync(at('pipe'), at('linkToPipe'));
});

afterAll(() => {
  rmSync(dir, { recursive: true });
});

describe('a small file', () => {
  it.each([
    ['key', 9],
    ['link', 9],
    ['empty', 0],
    ['full', LARGEST_FILE],
  ])('%s is read to its end', async (name, length) => {
    expect(await readSmallFile(at(name), { signal: never })).toHaveLength(length);
  });

  it('is read where its size is not known beforehand', async () => {
    const bytes = await readSmallFile('/proc/self/status', { signal: never });
    expect(Buffer.from(bytes).toString()).toContain('Pid:');
  });

  it.each([
    ['pipe', 'NOT_A_FILE'],
    ['linkToPipe', 'NOT_A_FILE'],
    ['/dev/zero', 'NOT_A_FILE'],
    ['folder', 'EISDIR'],
    ['over', 'TOO_LARGE'],
    ['absent', 'ENOENT'],
  ])('is not %s', async (name, code) => {
    const path = name.startsWith('/') ? name : at(name);
    await expect(readSmallFile(path, { signal: never })).rejects.toMatchObject({ code });
  });

  it('may be a pipe where pipes are taken, however slow its writer', async () => {
    const writer = openSync(at('pipe'), 'r+');
    const reading = readSmallFile(at('pipe'), { signal: never, pipes: true });
    try {
      await readSmallFile(at('full'), { signal: never });
      writeSync(writer, 'slow ');
      await readSmallFile(at('full'), { signal: never });
      writeSync(writer, 'words');
    } finally {
      closeSync(writer);
    }
    expect(Buffer.from(await reading).toString()).toBe('slow words');
  });

  it('is no pipe that says too much', async () => {
    const writer = spawn('sh', ['-c', `exec cat /dev/zero >"${at('pipe')}"`], { stdio: 'ignore' });
    const holding = openSync(at('pipe'), 'r+');
    try {
      const reading = readSmallFile(at('pipe'), { signal: never, pipes: true });
      await expect(reading).rejects.toMatchObject({ code: 'TOO_LARGE' });
    } finally {
      closeSync(holding);
      writer.kill();
    }
  });

  it('ends with the reason of its signal, also while a pipe says nothing', async () => {
    const stop = new AbortController();
    const reason = new Error('stopped');
    const silent = openSync(at('pipe'), 'r+');
    try {
      const reading = readSmallFile(at('pipe'), { signal: stop.signal, pipes: true });
      await readSmallFile(at('key'), { signal: never });
      stop.abort(reason);
      await expect(reading).rejects.toBe(reason);
      await expect(readSmallFile(at('key'), { signal: stop.signal })).rejects.toBe(reason);
    } finally {
      closeSync(silent);
    }
  });
});

describe('a key file', () => {
  it('that never ends is none that says it is encrypted', async () => {
    const names = ['key', 'link', 'empty', 'pipe', 'folder', 'absent'];
    const answers = await Promise.all(names.map((name) => isEncryptedKey(at(name))));
    expect(answers).toEqual([true, true, false, false, false, false]);
    expect(await isEncryptedKey('/dev/zero')).toBe(false);
  });
});
