import { describe, expect, it } from 'vitest';
import { connectionPlan } from '../../../server/cli/args/connection';
import {
  accessFlags,
  accessNote,
  accessVariables,
  type Access,
} from '../../../server/features/accessFlags';

const connection = (access: Partial<Access>, endpoints = ['10.0.0.1:2379', '10.0.0.2:2379']) => ({
  reader: { endpoints, serializable: false },
  access: { endpoints, ...access },
});

describe('the flags of a connection', () => {
  it('are its endpoints alone where nothing else is needed', () => {
    expect(accessFlags(connection({}))).toEqual(['--endpoints=10.0.0.1:2379,10.0.0.2:2379']);
  });

  it('say TLS, files and user, quoted for a shell, and no password', () => {
    const tls = { ca: '/my pki/ca.crt', cert: "/it's/c.crt", key: '/k.key' };
    const given = connection({ tls, user: 'reader$(id)' });
    expect(accessFlags(given)).toEqual([
      '--endpoints=https://10.0.0.1:2379,https://10.0.0.2:2379',
      "--cacert='/my pki/ca.crt'",
      String.raw`--cert='/it'\''s/c.crt'`,
      '--key=/k.key',
      "--user='reader$(id)'",
    ]);
    expect(accessNote(given)).toBe('');
  });

  it('say TLS where only the endpoints do', () => {
    const access = { endpoints: ['https://10.0.0.1'] };
    expect(accessFlags(connection(access, ['10.0.0.1:2379']))).toEqual([
      '--endpoints=https://10.0.0.1:2379',
    ]);
  });

  it('leave out the check of certificates only where the connection does', () => {
    const unchecked = connection({ tls: { skipVerify: true, serverName: 'etcd' } });
    expect(accessFlags(unchecked)).toContain('--insecure-skip-tls-verify');
    expect(accessNote(unchecked)).toBe('');
    const named = connection({ tls: { serverName: 'etcd' } });
    expect(accessFlags(named)).not.toContain('--insecure-skip-tls-verify');
    expect(accessNote(named)).toContain('# there is no flag for');
  });
});

describe('the variables of a connection', () => {
  const environment = (access: Partial<Access>) => {
    const variables = accessVariables(connection(access));
    return Object.fromEntries(Object.entries(variables).map(([k, v]) => [k, v ?? undefined]));
  };

  it('are what the command line takes for the same etcd, and no password', () => {
    const tls = { ca: '/my pki/ca.crt', cert: "/it's/c.crt", key: '/k.key', skipVerify: true };
    expect(connectionPlan({}, environment({ tls, user: 'reader' }))).toMatchObject({
      endpoints: ['https://10.0.0.1:2379', 'https://10.0.0.2:2379'],
      cacert: tls.ca,
      cert: tls.cert,
      key: tls.key,
      skipVerify: true,
      user: 'reader',
      password: undefined,
    });
  });

  it('unset what would be said of another etcd', () => {
    const plan = connectionPlan({}, environment({}));
    expect(plan).toMatchObject({ endpoints: ['10.0.0.1:2379', '10.0.0.2:2379'], user: undefined });
    const { ETCDCTL_ENDPOINTS, ...others } = accessVariables(connection({}));
    expect(ETCDCTL_ENDPOINTS).not.toBeNull();
    expect(new Set(Object.values(others))).toEqual(new Set([null]));
  });

  it('leave no password, token or place of another etcd to the commands of the terminal', () => {
    const inherited = {
      ETCDCTL_PASSWORD: 'of another etcd',
      ETCDCTL_AUTH_JWT_TOKEN: 'of another etcd',
      ETCDCTL_DISCOVERY_SRV: 'another.example',
    };
    const shell = Object.entries<string | null>({
      ...inherited,
      ...accessVariables(connection({ user: 'reader' })),
    }).filter(([, value]) => value !== null);
    expect(Object.fromEntries(shell)).toEqual({
      ETCDCTL_ENDPOINTS: '10.0.0.1:2379,10.0.0.2:2379',
      ETCDCTL_USER: 'reader',
    });
  });

  it('never hold what a colon in the name of a user would make a password', () => {
    expect(connectionPlan({}, environment({ user: 'reader:hunter2' }))).toMatchObject({
      user: undefined,
      password: undefined,
    });
  });
});
