import { describe, expect, it, vi } from 'vitest';
import type { Failure } from '../../../server/protocol/errors';
import { RpcCaller, RpcError, RpcServer, type WireMessage } from '../../../server/protocol/rpc';

interface Contract {
  readonly requests: {
    double: { params: number; result: number };
    fail: { params: null; result: null };
  };
  readonly notifications: { told: string };
}

const failure: Failure = { code: 'expired', sentence: 'Gone.' };

function pair(handlers?: Partial<RpcHandlers>) {
  const told = vi.fn<(text: string) => void>();
  const caller: RpcCaller<Contract> = new RpcCaller<Contract>(
    (message) => void server.receive(structuredClone(message)),
    { told },
  );
  const server: RpcServer<Contract> = new RpcServer<Contract>(
    (message) => {
      caller.receive(structuredClone(message));
    },
    {
      double: (value) => Promise.resolve(value * 2),
      fail: () => Promise.reject(new RpcError(failure)),
      ...handlers,
    },
    (error) =>
      error instanceof RpcError
        ? error.failure
        : { code: 'internal', sentence: `Wrapped ${String(error)}` },
  );
  return { caller, server, told };
}

interface RpcHandlers {
  double: (value: number) => Promise<number>;
  fail: () => Promise<null>;
}

describe('RpcCaller', () => {
  it('gets answers and notifications', async () => {
    const { caller, server, told } = pair();
    expect(await Promise.all([caller.call('double', 2), caller.call('double', 5)])).toEqual([
      4, 10,
    ]);
    server.notify('told', 'news');
    expect(told.mock.calls).toEqual([['news']]);
  });

  it('matches replies that come in another order', async () => {
    const posted: WireMessage[] = [];
    const caller = new RpcCaller<Contract>((message) => posted.push(message), { told: vi.fn() });
    const first = caller.call('double', 1);
    const second = caller.call('double', 2);
    for (const message of posted.toReversed()) {
      if (message.type !== 'request') continue;
      caller.receive({ type: 'reply', id: message.id, result: Number(message.params) * 10 });
    }
    expect(await Promise.all([first, second])).toEqual([10, 20]);
  });

  it('rejects with the failure of a refusal', async () => {
    const { caller } = pair();
    await expect(caller.call('fail', null)).rejects.toMatchObject({ failure });
  });

  it('rejects what is pending when it is disposed, and every later call', async () => {
    const caller = new RpcCaller<Contract>(() => undefined, { told: vi.fn() });
    const pending = [caller.call('double', 1), caller.call('fail', null)];
    caller.dispose();
    for (const call of [...pending, caller.call('double', 2)]) {
      await expect(call).rejects.toMatchObject({ failure: { code: 'cancelled' } });
    }
  });

  it('rejects when a message cannot be posted', async () => {
    const caller = new RpcCaller<Contract>(
      () => {
        throw new Error('could not be cloned');
      },
      { told: vi.fn() },
    );
    await expect(caller.call('double', 1)).rejects.toMatchObject({
      failure: {
        code: 'internal',
        sentence: expect.stringContaining('could not be cloned') as string,
      },
    });
  });

  it('ignores late and doubled replies, unknown notifications and requests', async () => {
    const posted: WireMessage[] = [];
    const told = vi.fn<(text: string) => void>();
    const caller = new RpcCaller<Contract>((message) => posted.push(message), { told });
    const call = caller.call('double', 4);
    caller.receive({ type: 'reply', id: 1, result: 8 });
    caller.receive({ type: 'reply', id: 1, result: 9 });
    caller.receive({ type: 'refusal', id: 77, failure });
    caller.receive({ type: 'notification', method: 'toString', params: 1 });
    caller.receive({ type: 'request', id: 1, method: 'double', params: 1 });
    expect(await call).toBe(8);
    expect(told).not.toHaveBeenCalled();
    expect(posted).toHaveLength(1);
  });
});

describe('RpcServer', () => {
  it.each(['nothing', 'constructor', '__proto__'])(
    'refuses the unknown request %s',
    async (method) => {
      const posted: WireMessage[] = [];
      const server = new RpcServer<Contract>((message) => posted.push(message), {
        double: (value) => Promise.resolve(value),
        fail: () => Promise.resolve(null),
      });
      await server.receive({ type: 'request', id: 3, method, params: null });
      expect(posted).toMatchObject([{ type: 'refusal', id: 3, failure: { code: 'internal' } }]);
    },
  );

  it('turns what a handler throws, at once or later, into a refusal', async () => {
    const { caller } = pair({
      double: () => {
        throw new Error('at once');
      },
      fail: () => Promise.reject(new Error('later')),
    });
    await expect(caller.call('double', 1)).rejects.toThrow('Wrapped Error: at once');
    await expect(caller.call('fail', null)).rejects.toThrow('Wrapped Error: later');
  });

  it('posts nothing after it is disposed, not even an answer on its way', async () => {
    const posted: WireMessage[] = [];
    let answer: (value: number) => void = () => undefined;
    const promise = new Promise<number>((resolve) => {
      answer = resolve;
    });
    const server = new RpcServer<Contract>((message) => posted.push(message), {
      double: () => promise,
      fail: () => Promise.resolve(null),
    });
    const received = server.receive({ type: 'request', id: 1, method: 'double', params: 1 });
    server.dispose();
    answer(2);
    await received;
    server.notify('told', 'late');
    expect(posted).toEqual([]);
  });
});
