import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { StoppedError } from '../../../server/cli/exit';
import { lineOut, rowOut, type Writable } from '../../../server/cli/pipe';
import { askSecret, type SecretInput } from '../../../server/cli/prompt';

class FakeStream extends EventEmitter implements Writable {
  readonly written: string[] = [];
  /** Callbacks of writes that are not yet taken. */
  readonly waiting: ((error?: Error | null) => void)[] = [];
  constructor(
    readonly isTTY: boolean,
    readonly columns?: number,
  ) {
    super();
  }
  write(text: string, done?: (error?: Error | null) => void): boolean {
    this.written.push(text);
    if (done) this.waiting.push(done);
    return true;
  }
}

const nothing = (): void => undefined;

describe('standard output', () => {
  it('waits until the text is taken', async () => {
    const stream = new FakeStream(false);
    const out = rowOut(stream, new AbortController(), nothing);
    let taken = false;
    const writing = out.write('row').then(() => {
      taken = true;
    });
    await Promise.resolve();
    expect(taken).toBe(false);
    stream.waiting[0]?.();
    await writing;
    expect(taken).toBe(true);
  });

  it.each(['EPIPE', 'ERR_STREAM_DESTROYED'])('turns %s into a stop', async (code) => {
    const stream = new FakeStream(false);
    const stop = new AbortController();
    const out = rowOut(stream, stop, nothing);
    const writing = out.write('row');
    stream.waiting[0]?.(Object.assign(new Error(code), { code }));
    await expect(writing).rejects.toBeInstanceOf(StoppedError);
    await expect(out.write('more')).rejects.toBeInstanceOf(StoppedError);
    expect(stream.written).toEqual(['row']);
    expect(stop.signal.reason).toMatchObject({ by: 'pipe' });
  });

  it('gives a waiting write up when the work is stopped', async () => {
    const stop = new AbortController();
    const out = rowOut(new FakeStream(false), stop, nothing);
    const writing = out.write('row');
    stop.abort(new StoppedError('interrupt'));
    await expect(writing).rejects.toMatchObject({ by: 'interrupt' });
  });

  it('passes other failures on', async () => {
    const stream = new FakeStream(false);
    const out = rowOut(stream, new AbortController(), nothing);
    const full = Object.assign(new Error('full'), { code: 'ENOSPC' });
    const writing = out.write('row');
    stream.emit('error', full);
    await expect(writing).rejects.toBe(full);
    await expect(out.write('more')).rejects.toBe(full);
  });
});

describe('standard error', () => {
  it('shows a passing line on a terminal and clears it before the next', () => {
    const stream = new FakeStream(true, 20);
    const out = lineOut(stream);
    out.status('round trip 1: list, a page of 100');
    out.line('done');
    expect(stream.written.join('')).toBe('\r\u001b[Kround trip 1: list,\r\u001b[Kdone\n');
  });

  it('shows none in a pipe, and survives that it is closed', () => {
    const stream = new FakeStream(false);
    const out = lineOut(stream);
    out.status('passing');
    stream.emit('error', new Error('EPIPE'));
    out.line('lost');
    expect(stream.written).toEqual([]);
  });
});

class FakeInput extends EventEmitter implements SecretInput {
  raw = false;
  constructor(readonly isTTY: boolean) {
    super();
  }
  setRawMode(raw: boolean): this {
    this.raw = raw;
    return this;
  }
  resume(): this {
    return this;
  }
  pause(): this {
    return this;
  }
  type(text: string): void {
    this.emit('data', Buffer.from(text));
  }
}

const question = {
  prompt: 'Password: ',
  elsewhere: { what: 'a password', how: 'set ETCDCTL_PASSWORD or give --password-file FILE' },
};

describe('the prompt', () => {
  const ask = (input: FakeInput, shown: string[] = []) =>
    askSecret(question, input, (text) => shown.push(text));

  it.each([
    ['hunter2\r', 'hunter2'],
    ['huntex\u007fr2\n', 'hunter2'],
    ['wrong\u0015right\r', 'right'],
    ['pä\u007f\u007fass\u0004', 'ass'],
    ['日本\u007f\r', '日'],
    ['\u007f\r', ''],
  ])('%j types %j', async (typed, expected) => {
    const input = new FakeInput(true);
    const shown: string[] = [];
    const asked = ask(input, shown);
    expect(input.raw).toBe(true);
    input.type(typed);
    expect(await asked).toBe(expected);
    expect(input.raw).toBe(false);
    expect(shown).toEqual(['Password: ', '\n']);
  });

  it('stops at Ctrl-C and gives the terminal back', async () => {
    const input = new FakeInput(true);
    const asked = ask(input);
    input.type('abc\u0003');
    await expect(asked).rejects.toBeInstanceOf(StoppedError);
    expect(input.raw).toBe(false);
    expect(input.listenerCount('data')).toBe(0);
  });

  it('has nobody to ask without a terminal', async () => {
    await expect(ask(new FakeInput(false))).rejects.toMatchObject({ exitCode: 2 });
  });
});
