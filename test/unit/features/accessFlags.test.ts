import { describe, expect, it } from 'vitest';
import { accessFlags, accessNote, type Access } from '../../../server/features/accessFlags';

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
