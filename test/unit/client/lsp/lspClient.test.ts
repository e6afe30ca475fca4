import { describe, expect, it, vi } from 'vitest';
import { LspClient } from '../../../../client/lsp/lspClient';
import { maxRestarts, RestartPolicy } from '../../../../client/lsp/restartPolicy';
import type { ServerHooks, ServerLife } from '../../../../client/lsp/serverLife';
import { redact } from '../../../../client/lsp/redact';
import { failureOf } from '../../../../client/lsp/failure';
import { RpcError } from '../../../../server/protocol/rpc';
import { connected } from '../support';

function setup(begin: (hooks: ServerHooks) => Promise<Partial<ServerLife>>) {
  const clock = { now: 1_000_000 };
  const waits: { ms: number; action: () => void; disposed: boolean }[] = [];
  const lives: ServerHooks[] = [];
  const restore = vi.fn(() => Promise.resolve());
  const client = new LspClient(
    async (hooks) => {
      lives.push(hooks);
      const life = await begin(hooks);
      return {
        request: () => Promise.resolve(null),
        notify: () => Promise.resolve(),
        stop: () => Promise.resolve(),
        ...life,
      };
    },
    new RestartPolicy(() => clock.now),
    {
      after: (ms, action) => {
        const wait = { ms, action, disposed: false };
        waits.push(wait);
        return {
          dispose: () => {
            wait.disposed = true;
          },
        };
      },
    },
    restore,
  );
  const gone: boolean[] = [];
  client.serverGone.on(({ recovered }) => gone.push(recovered));
  return { client, clock, waits, lives, restore, gone };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('LspClient', () => {
  it('starts the server at the first request, once', async () => {
    const { client, lives } = setup(() =>
      Promise.resolve({ request: () => Promise.resolve(connected) }),
    );
    expect(lives).toHaveLength(0);
    await client.notify('etcdList/trustGranted', null);
    expect(lives).toHaveLength(0);
    const answers = await Promise.all([
      client.request('etcdList/status', null),
      client.request('etcdList/probe', null),
    ]);
    expect(answers).toEqual([connected, connected]);
    expect(lives).toHaveLength(1);
  });

  it('runs from the moment the server answers until it ends', async () => {
    const { client, waits, lives } = setup(() => Promise.resolve({}));
    expect(client.isRunning).toBe(false);
    const asked = client.request('etcdList/status', null);
    expect(client.isRunning).toBe(false);
    await asked;
    expect(client.isRunning).toBe(true);
    lives[0]!.ended();
    expect(client.isRunning).toBe(false);
    waits[0]!.action();
    await settled();
    expect(client.isRunning).toBe(true);
    await client.dispose();
    expect(client.isRunning).toBe(false);
  });

  it('passes notifications of the living server on, and none of a dead one', async () => {
    const { client, lives } = setup(() => Promise.resolve({}));
    const seen = vi.fn();
    client.statusChanged.on(seen);
    await client.request('etcdList/status', null);
    lives[0]!.notified('etcdList/statusChanged', connected);
    lives[0]!.ended();
    lives[0]!.notified('etcdList/statusChanged', connected);
    expect(seen.mock.calls).toEqual([[connected]]);
  });

  it('starts again after a pause, restores, and answers requests made meanwhile', async () => {
    const { client, waits, lives, restore, gone } = setup(() => Promise.resolve({}));
    await client.request('etcdList/status', null);
    lives[0]!.ended();
    expect(gone).toEqual([false]);
    const meanwhile = client.request('etcdList/status', null);
    await settled();
    expect(lives).toHaveLength(1);
    waits[0]!.action();
    expect(await meanwhile).toBeNull();
    await settled();
    expect(lives).toHaveLength(2);
    expect(restore).toHaveBeenCalledTimes(1);
    expect(gone).toEqual([false, true]);
  });

  it('rejects what a server that ended did not answer', async () => {
    const { client, lives } = setup((hooks) =>
      Promise.resolve({
        request: () => {
          hooks.ended();
          return Promise.reject(new Error('connection got disposed'));
        },
      }),
    );
    await expect(client.request('etcdList/status', null)).rejects.toMatchObject({
      failure: {
        code: 'internal',
        sentence: expect.stringContaining('language server ended') as string,
      },
    });
    expect(lives).toHaveLength(1);
  });

  it('gives up after five restarts within three minutes, and tries again later when asked', async () => {
    const { client, clock, waits, lives, gone } = setup(() =>
      Promise.reject(new Error('no start')),
    );
    await expect(client.request('etcdList/status', null)).rejects.toBeInstanceOf(RpcError);
    for (let restart = 0; restart < maxRestarts; restart += 1) {
      await settled();
      waits[restart]!.action();
    }
    await settled();
    expect(waits.map(({ ms }) => ms)).toEqual([200, 400, 800, 1600, 3200]);
    expect(lives).toHaveLength(1 + maxRestarts);
    expect(gone).toEqual(Array.from({ length: 1 + maxRestarts }, () => false));
    await expect(client.request('etcdList/status', null)).rejects.toThrow('six times');
    expect(lives).toHaveLength(1 + maxRestarts);
    clock.now += 3 * 60_000;
    await expect(client.request('etcdList/status', null)).rejects.toThrow('ended');
    expect(lives).toHaveLength(2 + maxRestarts);
    await client.dispose();
  });

  it('says that it recovered also after it was given up and somebody asked again', async () => {
    let starts = 0;
    const { client, clock, waits, restore, gone } = setup(() => {
      starts += 1;
      return starts > 1 + maxRestarts ? Promise.resolve({}) : Promise.reject(new Error('no start'));
    });
    await expect(client.request('etcdList/status', null)).rejects.toBeInstanceOf(RpcError);
    for (let restart = 0; restart < maxRestarts; restart += 1) {
      await settled();
      waits[restart]!.action();
    }
    await settled();
    expect(gone.at(-1)).toBe(false);
    clock.now += 3 * 60_000;
    expect(await client.request('etcdList/status', null)).toBeNull();
    await settled();
    expect(gone.filter(Boolean)).toEqual([true]);
    expect(gone.at(-1)).toBe(true);
    expect(restore).toHaveBeenCalledTimes(1);
  });

  it('stops the server when disposed, and starts none after that', async () => {
    const stop = vi.fn(() => Promise.resolve());
    const { client, lives, gone } = setup(() => Promise.resolve({ stop }));
    await client.request('etcdList/status', null);
    await client.dispose();
    lives[0]!.ended();
    expect(stop).toHaveBeenCalledTimes(1);
    expect(gone).toEqual([]);
    await expect(client.request('etcdList/status', null)).rejects.toBeInstanceOf(RpcError);
    expect(lives).toHaveLength(1);
  });

  it('leaves no timer when it is disposed during a pause', async () => {
    const { client, waits, lives } = setup(() => Promise.resolve({}));
    await client.request('etcdList/status', null);
    lives[0]!.ended();
    await client.dispose();
    expect(waits.map(({ disposed }) => disposed)).toEqual([true]);
    expect(lives).toHaveLength(1);
  });
});

describe('failureOf', () => {
  it.each([
    [{ code: -32803, data: { code: 'expired', sentence: 'Gone.' } }, 'expired'],
    [{ code: -32800, message: 'Request got cancelled' }, 'cancelled'],
    [Object.assign(new Error('Connection is closed.'), { code: 1 }), 'internal'],
    [new Error('odd'), 'internal'],
    [undefined, 'internal'],
    ['text', 'internal'],
  ])('reads %o', (error, code) => {
    const failure = failureOf(error);
    expect(failure.code).toBe(code);
    expect(failure.sentence).toMatch(/\.$/);
  });
});

describe('redact', () => {
  it('takes passwords and passphrases out, whatever characters they hold', () => {
    const params = { connection: { user: 'a' }, password: 'p"\\,}', passphrase: 'ß' };
    const text = redact(`Params: ${JSON.stringify(params, null, 4)}`);
    expect(text).not.toMatch(/p\\"|ß/);
    expect(text).toContain('"user": "a"');
    expect(JSON.parse(text.slice(8))).toEqual({
      connection: { user: 'a' },
      password: '(not traced)',
      passphrase: '(not traced)',
    });
  });

  it('takes the text of an opened object out, and leaves numbers and what it is', () => {
    expect(redact('{"text":"kind: Secret","masked":false}')).toBe(
      '{"text":"(not traced)","masked":false}',
    );
    expect(redact('{"line":3,"kind":"rows"}')).toBe('{"line":3,"kind":"rows"}');
  });
});
