import { describe, expect, it, vi } from 'vitest';
import { Connections, type Prompts } from '../../../../client/connections/connections';
import { Secrets } from '../../../../client/connections/secrets';
import { refused } from '../../../../client/lsp/failure';
import { defaultSettings } from '../../../../client/settings/validate';
import type { Failure } from '../../../../server/protocol/errors';
import type { ConnectParams } from '../../../../server/protocol/model';
import type { ConnectionSetting } from '../../../../server/protocol/names';
import { RpcError } from '../../../../server/protocol/rpc';
import { connected, FakeMemory, FakeServer } from '../support';

const plain = { name: 'dev', endpoints: ['a:1'] };
const withUser = { name: 'prod', endpoints: ['b:1'], user: 'reader' };
const withKey = { name: 'tls', endpoints: ['c:1'], tls: { key: '/k.pem' } };

const wrong: Failure = { code: 'etcd', sentence: 'Check both.', needs: 'password' };

function setup(connect: (params: ConnectParams) => unknown, answers: (string | undefined)[] = []) {
  const lsp = new FakeServer({
    'etcdList/connect': connect,
    'etcdList/connectDemo': () => connected,
  });
  const kept = new Map<string, string>();
  const storage = { broken: false };
  const global = new FakeMemory();
  const memory = new FakeMemory();
  const secrets = new Secrets(
    {
      get: (key) =>
        storage.broken ? Promise.reject(new Error('no keyring.')) : Promise.resolve(kept.get(key)),
      store: (key, value) =>
        storage.broken
          ? Promise.reject(new Error('no keyring.'))
          : Promise.resolve(void kept.set(key, value)),
      delete: (key) =>
        storage.broken
          ? Promise.reject(new Error('no keyring.'))
          : Promise.resolve(void kept.delete(key)),
    },
    global,
  );
  const ask = vi.fn<Prompts['secret']>(() => Promise.resolve(answers.shift()));
  const remember = vi.fn(() => Promise.resolve(true));
  const notRemembered = vi.fn();
  const endpoints = vi.fn<Prompts['endpoints']>(() => Promise.resolve('x:1, y:2'));
  const name = vi.fn<Prompts['name']>(() => Promise.resolve(' new '));
  const notKept = vi.fn();
  const keepAnyway = vi.fn(() => Promise.resolve(false));
  const prompts: Prompts = {
    endpoints,
    name,
    keepAnyway,
    notKept,
    secret: ask,
    remember,
    notRemembered,
  };
  const connections: ConnectionSetting[] = [plain, withUser, withKey];
  const trust = { on: true };
  const settings = {
    read: () => ({ ...defaultSettings, connections }),
    addConnection: (connection: ConnectionSetting) =>
      Promise.resolve(void connections.push(connection)),
  };
  const service = new Connections({
    lsp,
    settings,
    secrets,
    prompts,
    memory,
    isTrusted: () => trust.on,
    expand: (connection) => connection,
    isEncrypted: () => Promise.resolve(true),
  });
  const sent = () => lsp.asked.map(({ params }) => params as ConnectParams);
  return {
    service,
    lsp,
    kept,
    storage,
    global,
    memory,
    ask,
    remember,
    notRemembered,
    connections,
    trust,
    secrets,
    endpoints,
    name,
    keepAnyway,
    notKept,
    settings,
    sent,
  };
}

describe('Connections', () => {
  it('connects without a question where no secret is needed, and remembers the name', async () => {
    const { service, ask, sent } = setup(() => connected);
    expect(service.names()).toEqual(['dev', 'prod', 'tls']);
    expect(await service.connect('dev')).toEqual(connected);
    expect(sent()).toEqual([{ connection: plain }]);
    expect(ask).not.toHaveBeenCalled();
    await service.connect('dev');
    expect(service.names()[0]).toBe('dev');
  });

  it('asks for a password once, and keeps it when the person agrees', async () => {
    const { service, ask, sent, kept, remember } = setup(() => connected, ['hunter2']);
    await service.connect('prod');
    await vi.waitFor(() => {
      expect([...kept.values()]).toEqual(['hunter2']);
    });
    await service.connect('prod');
    expect(ask).toHaveBeenCalledTimes(1);
    expect(remember).toHaveBeenCalledTimes(1);
    expect(sent().map(({ password }) => password)).toEqual(['hunter2', 'hunter2']);
  });

  it('asks again while etcd refuses the password, whichever way it says so', async () => {
    const answers = [{ state: 'disconnected', failure: wrong }, connected];
    let calls = 0;
    const { service, ask, sent } = setup(() => {
      calls += 1;
      if (calls === 1) throw new RpcError(wrong);
      return answers.shift();
    }, ['one', 'two', 'three']);
    expect(await service.connect('prod')).toEqual(connected);
    expect(sent().map(({ password }) => password)).toEqual(['one', 'two', 'three']);
    expect(ask.mock.calls.map(([, , again]) => again)).toEqual([false, true, true]);
  });

  it('keeps nothing when told not to, and asks no more in this session', async () => {
    const { service, ask, kept, global, memory, remember } = setup(() => connected, ['hunter2']);
    remember.mockResolvedValue(false);
    await service.connect('prod');
    await service.connect('prod');
    expect(ask).toHaveBeenCalledTimes(1);
    expect(remember).toHaveBeenCalledTimes(1);
    expect([...kept.keys(), ...global.values.keys()]).toEqual([]);
    expect(JSON.stringify([...memory.values])).not.toContain('hunter2');
  });

  it('works without a storage of secrets, and says that nothing was kept', async () => {
    const answers = [new RpcError(wrong), connected, connected];
    const { service, storage, ask, sent, notRemembered } = setup(() => {
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      return answer;
    }, ['one', 'two']);
    storage.broken = true;
    await service.connect('prod');
    await vi.waitFor(() => {
      expect(notRemembered).toHaveBeenCalledTimes(1);
    });
    await service.connect('prod');
    expect(ask).toHaveBeenCalledTimes(2);
    expect(sent().map(({ password }) => password)).toEqual(['one', 'two', 'two']);
  });

  it('asks again once a password was changed while connected', async () => {
    let right = 'first';
    const { service, ask, sent, kept } = setup(
      ({ password }) => {
        if (password !== right) throw new RpcError(wrong);
        return connected;
      },
      ['first', 'second'],
    );
    await service.connect('prod');
    await vi.waitFor(() => {
      expect([...kept.values()]).toEqual(['first']);
    });
    right = 'second';
    await service.connect('prod');
    expect(ask.mock.calls.map(([, , again]) => again)).toEqual([false, true]);
    expect(sent().map(({ password }) => password)).toEqual(['first', 'first', 'second']);
    await vi.waitFor(() => {
      expect([...kept.values()]).toEqual(['second']);
    });
  });

  it('asks for password and passphrase where both are needed, each again on its own', async () => {
    const both = { name: 'both', endpoints: ['d:1'], user: 'u', tls: { key: '/k.pem' } };
    const closed: Failure = { code: 'badRequest', sentence: 'Give it.', needs: 'passphrase' };
    const { service, connections, ask, sent } = setup(
      ({ password, passphrase }) => {
        if (passphrase !== 'good') throw new RpcError(closed);
        if (password !== 'right') throw new RpcError(wrong);
        return connected;
      },
      ['bad', 'no', 'good', 'right'],
    );
    connections.push(both);
    await service.connect('both');
    expect(ask.mock.calls.map(([kind, , again]) => [kind, again])).toEqual([
      ['password', false],
      ['passphrase', false],
      ['passphrase', true],
      ['password', true],
    ]);
    expect(sent()).toHaveLength(3);
  });

  it('stops when the person closes the question', async () => {
    const { service, sent } = setup(() => ({ state: 'disconnected', failure: wrong }), ['one']);
    await expect(service.connect('prod')).rejects.toMatchObject({ failure: { code: 'cancelled' } });
    expect(sent()).toHaveLength(1);
  });

  it('keeps no password that was refused', async () => {
    const { service, kept, secrets, sent } = setup(
      ({ password }) =>
        password === 'old' ? { state: 'disconnected', failure: wrong } : connected,
      ['new'],
    );
    await secrets.remember(withUser, 'password', 'old');
    await service.connect('prod');
    expect(sent().map(({ password }) => password)).toEqual(['old', 'new']);
    await vi.waitFor(() => {
      expect([...kept.values()]).toEqual(['new']);
    });
  });

  it('asks for the passphrase of an encrypted key', async () => {
    const { service, ask, sent } = setup(() => connected, ['secret']);
    await service.connect('tls');
    expect(ask.mock.calls.map(([kind]) => kind)).toEqual(['passphrase']);
    expect(sent()).toEqual([{ connection: withKey, passphrase: 'secret' }]);
  });

  it('gives a failure that no secret would mend to the caller', async () => {
    const failure: Failure = { code: 'etcd', sentence: 'Not reached.' };
    const down = setup(() => ({ state: 'disconnected', failure }));
    expect(await down.service.connect('dev')).toEqual({ state: 'disconnected', failure });
    const broken = setup(() => {
      throw refused('No.');
    });
    await expect(broken.service.connect('dev')).rejects.toThrow('No.');
    await expect(broken.service.connect('nobody')).rejects.toThrow('no connection named "nobody"');
  });

  it('sends nothing in an untrusted workspace', async () => {
    const { service, trust, lsp, ask } = setup(() => connected);
    trust.on = false;
    const tries = [
      () => service.connect('prod'),
      () => service.connectDemo(),
      () => service.add(),
      () => Promise.resolve().then(() => service.probe()),
    ];
    for (const attempt of tries) {
      await expect(attempt()).rejects.toMatchObject({ failure: { code: 'untrusted' } });
    }
    expect(lsp.asked).toEqual([]);
    expect(ask).not.toHaveBeenCalled();
  });

  it('adds what was typed to the settings, and connects', async () => {
    const { service, connections, sent } = setup(() => connected);
    await service.add();
    const added = { name: 'new', endpoints: ['x:1', 'y:2'] };
    expect(connections.at(-1)).toEqual(added);
    expect(sent()).toEqual([{ connection: added }]);
  });

  it('writes what was typed into the settings only once it connected, and offers to correct it', async () => {
    const failure: Failure = { code: 'etcd', sentence: 'Nobody is there.' };
    const { service, connections, endpoints, name, sent } = setup(({ connection }) => {
      expect(connections).toHaveLength(3);
      if (connection.endpoints[0] === 'typo:1') throw new RpcError(failure);
      if (connection.endpoints[0] === 'typo:2') return { state: 'disconnected', failure };
      return connected;
    });
    endpoints.mockResolvedValueOnce('typo:1').mockResolvedValueOnce('typo:2');
    name.mockResolvedValueOnce('mine');
    const told: unknown[] = [];
    service.changed.on((names) => told.push(names));
    expect(await service.add()).toEqual(connected);
    expect(sent()).toHaveLength(3);
    expect(connections.slice(3)).toEqual([{ name: 'new', endpoints: ['x:1', 'y:2'] }]);
    const { sentence } = failure;
    expect(endpoints.mock.calls.map(([refused]) => refused)).toEqual([
      undefined,
      { endpoints: 'typo:1', name: 'mine', sentence },
      { endpoints: 'typo:2', name: 'new', sentence },
    ]);
    expect(name.mock.calls[1]?.[2]).toEqual({ endpoints: 'typo:1', name: 'mine', sentence });
    expect(told.at(-1)).toEqual(['new', 'dev', 'prod', 'tls']);
  });

  it('keeps what did not connect only when the person says so', async () => {
    const { service, connections, endpoints, keepAnyway, notKept, settings } = setup(() => {
      throw new RpcError({ code: 'etcd', sentence: 'It requires a user.' });
    });
    for (const keep of [false, true]) {
      endpoints.mockResolvedValueOnce('x:1').mockResolvedValueOnce(undefined);
      keepAnyway.mockResolvedValueOnce(keep);
      await expect(service.add()).rejects.toMatchObject({ failure: { code: 'cancelled' } });
      await vi.waitFor(() => {
        expect(connections.slice(3)).toEqual(keep ? [{ name: 'new', endpoints: ['x:1'] }] : []);
      });
    }
    endpoints.mockResolvedValueOnce(undefined);
    await expect(service.add()).rejects.toMatchObject({ failure: { code: 'cancelled' } });
    expect(keepAnyway).toHaveBeenCalledTimes(2);

    settings.addConnection = () => Promise.reject(refused('Mend settings.json.'));
    endpoints.mockResolvedValueOnce('x:1').mockResolvedValueOnce(undefined);
    keepAnyway.mockResolvedValueOnce(true);
    await expect(service.add()).rejects.toMatchObject({ failure: { code: 'cancelled' } });
    await vi.waitFor(() => {
      expect(notKept.mock.calls).toEqual([['Mend settings.json.']]);
    });
  });

  it('restores what stayed after another failed, and nothing after the demo ended by itself', async () => {
    const failure: Failure = { code: 'etcd', sentence: 'Not reached.' };
    const { service, lsp, sent } = setup(
      ({ connection }) => {
        if (connection.name === 'tls') throw new RpcError(failure);
        return connected;
      },
      ['secret'],
    );
    await service.connect('dev');
    await expect(service.connect('tls')).rejects.toThrow('Not reached.');
    await service.restore();
    expect(sent().map(({ connection }) => connection.name)).toEqual(['dev', 'tls', 'dev']);
    await service.connectDemo();
    service.noteStatus({ state: 'disconnected', failure });
    const { length } = lsp.asked;
    await service.restore();
    expect(lsp.asked).toHaveLength(length);

    await service.connect('dev');
    lsp.answers['etcdList/connectDemo'] = () => {
      throw new RpcError(failure);
    };
    await expect(service.connectDemo()).rejects.toThrow('Not reached.');
    await service.restore();
    expect(sent().at(-1)?.connection.name).toBe('dev');
  });

  it('keeps a connection that another only asked a password for', async () => {
    const { service, lsp } = setup(() => connected, []);
    await service.connect('dev');
    await expect(service.connect('prod')).rejects.toMatchObject({ failure: { code: 'cancelled' } });
    await service.restore();
    expect(lsp.asked).toHaveLength(2);
  });

  it('connects again after the server ended, unless the person had disconnected', async () => {
    const { service, lsp, sent } = setup(() => connected, ['hunter2']);
    await service.restore();
    expect(lsp.asked).toEqual([]);
    await service.connect('prod');
    await service.restore();
    expect(sent()).toEqual([
      { connection: withUser, password: 'hunter2' },
      { connection: withUser, password: 'hunter2' },
    ]);
    lsp.answers['etcdList/disconnect'] = () => ({ state: 'disconnected' });
    await service.disconnect();
    await service.restore();
    expect(lsp.asked).toHaveLength(3);
  });
});

describe('Secrets', () => {
  it('belong to all that a connection says, not to its name', async () => {
    const { secrets } = setup(() => connected);
    await secrets.remember(withUser, 'password', 'hunter2');
    const others: ConnectionSetting[] = [
      { ...withUser, endpoints: ['evil:1'] },
      { ...withUser, user: 'root' },
      { ...withUser, tls: { skipVerify: true } },
    ];
    for (const other of others) expect(await secrets.get(other, 'password')).toBeUndefined();
    expect(await secrets.get(withUser, 'passphrase')).toBeUndefined();
    expect(await secrets.get({ ...withUser, name: 'renamed' }, 'password')).toBe('hunter2');
  });

  it('are forgotten altogether', async () => {
    const { secrets, kept } = setup(() => connected);
    await secrets.remember(withUser, 'password', 'a');
    await secrets.remember(withKey, 'passphrase', 'b');
    secrets.useInSession(plain, 'password', 'c');
    expect(await secrets.forgetAll()).toBe(2);
    expect(kept.size).toBe(0);
    expect(await secrets.get(plain, 'password')).toBeUndefined();
    expect(await secrets.forgetAll()).toBe(0);
  });
});
