import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redact } from '../../../../client/lsp/redact';

const secret = fc.string({ unit: 'binary', minLength: 6 }).map((text) => `s3cr3t${text}`);

describe('a trace', () => {
  it.each([undefined, 2, 4])('holds no password or passphrase, indented by %s', (indent) => {
    fc.assert(
      fc.property(secret, secret, (password, passphrase) => {
        const connection = { name: 'x', endpoints: ['a:1'], user: 'reader' };
        const sent = JSON.stringify({ connection, password, passphrase }, null, indent);
        const traced = redact(`Sending request 'etcdList/connect - (3)'.\nParams: ${sent}`);
        expect(traced).not.toContain('s3cr3t');
        expect(traced).toContain('"reader"');
      }),
    );
  });

  it('holds no user and password of an endpoint', () => {
    const endpoints = ['http://me:hunter2@h:1', 'https://h:2'];
    const traced = redact(JSON.stringify({ connection: { endpoints } }));
    expect(traced).not.toContain('hunter2');
    expect(traced).toContain('https://h:2');
  });

  it('holds no text of an opened object, masked or revealed', () => {
    for (const masked of [true, false]) {
      const opened = { title: 'a', text: 'password: aHVudGVyMg==\n"x"', warning: '', masked };
      expect(redact(JSON.stringify(opened))).not.toContain('aHVudGVyMg');
    }
  });
});
