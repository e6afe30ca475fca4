import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expandConnection } from '../../../../client/settings/expand';

const env = { USER_NAME: 'reader', CERTS: '/etc/certs' };

describe('expandConnection', () => {
  it('puts variables in and makes paths absolute', () => {
    const expanded = expandConnection(
      {
        name: '${env:CERTS}',
        endpoints: ['a:1'],
        user: '${env:USER_NAME}-1',
        tls: { ca: '${env:CERTS}/ca.pem', cert: '~/c.pem', key: 'k.pem', serverName: 'x' },
      },
      { env, folder: '/folder' },
    );
    expect(expanded).toEqual({
      name: '${env:CERTS}',
      endpoints: ['a:1'],
      user: 'reader-1',
      tls: {
        ca: '/etc/certs/ca.pem',
        cert: join(homedir(), 'c.pem'),
        key: resolve('/folder', 'k.pem'),
        serverName: 'x',
      },
    });
  });

  it.each(['~/c.pem', String.raw`~\c.pem`])('takes %s for a file in the home folder', (cert) => {
    const connection = { name: 'a', endpoints: ['a:1'], tls: { cert } };
    expect(expandConnection(connection, { env }).tls?.cert).toBe(join(homedir(), 'c.pem'));
  });

  it('names a variable that is not set', () => {
    const connection = { name: 'a', endpoints: ['a:1'], user: '${env:NOT_THERE}' };
    expect(() => expandConnection(connection, { env })).toThrow('NOT_THERE');
  });

  it.each(['root:hunter2@h:2379', 'http://root:hunter2@h:2379', 'root@h'])(
    'refuses a variable that brings a user into an endpoint, and does not repeat it: %s',
    (value) => {
      const connection = { name: 'a', endpoints: ['b:1', '${env:EP}'] };
      const expand = () => expandConnection(connection, { env: { EP: value } });
      expect(expand).toThrow('holds a user or password before an @');
      expect(expand).not.toThrow(/hunter2|root/);
    },
  );

  it('refuses a relative path without a folder', () => {
    const connection = { name: 'a', endpoints: ['a:1'], tls: { ca: 'ca.pem' } };
    expect(() => expandConnection(connection, { env })).toThrow('"ca.pem"');
  });
});
