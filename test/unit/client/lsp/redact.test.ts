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

  it.each([undefined, 4])('holds no user of an endpoint, however it is written: %s', (indent) => {
    const password = 'hunter2';
    const odd = [
      `root:${password}@h:2379`,
      `http://u:${password}/w@h`,
      `https://u:p@${password}@h`,
      `u:a b"${password} c@h`,
      `${password}@h`,
    ];
    const connection = { name: 'x', endpoints: ['a:1', ...odd, 'b:2'], user: 'reader' };
    const status = { members: odd.map((endpoint) => ({ endpoint, version: '3.6' })) };
    const traced = redact(JSON.stringify({ connection, status }, null, indent));
    expect(traced).not.toContain(password);
    expect(JSON.parse(traced)).toMatchObject({
      connection: { user: 'reader' },
      status: { members: odd.map(() => ({ version: '3.6' })) },
    });
    for (const kept of ['"a:1"', '"b:2"', '@h:2379']) expect(traced).toContain(kept);
    const sentence = `The endpoint "root:${password}@h:1" has no port; nor has http://u:${password}/x@h.`;
    expect(redact(JSON.stringify({ sentence }))).not.toContain(password);
  });

  it('holds addresses of documents as they are', () => {
    const uri = 'file:///a:b/@types/x@2.yaml';
    expect(redact(JSON.stringify({ textDocument: { uri } }))).toContain(uri);
  });

  it('holds no text of an opened object, masked or revealed', () => {
    for (const masked of [true, false]) {
      const opened = { title: 'a', text: 'password: aHVudGVyMg==\n"x"', warning: '', masked };
      expect(redact(JSON.stringify(opened))).not.toContain('aHVudGVyMg');
    }
  });

  it('holds no text of a document, handed over or changed', () => {
    const opened = {
      textDocument: { uri: 'file:///a', languageId: 'yaml', text: 'password: hunter2' },
    };
    const changed = { contentChanges: [{ range: {}, text: 'hunter' }, { text: 'hunter2' }] };
    for (const params of [opened, changed]) {
      expect(redact(JSON.stringify(params, null, 4))).not.toContain('hunter');
    }
  });

  it('holds no line of a hover, nor what the answers say of it, and keeps positions', () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const jwt = `${part({ alg: 'RS256' })}.${part({ sub: 'system:serviceaccount:a:b' })}.c2lnbmF0dXJl`;
    const markdown = `**Not a continue token** ${jwt}`;
    const hover = {
      contents: { kind: 'markdown', value: markdown },
      range: { start: { line: 7 } },
    };
    const pasted = `kind: Secret\ndata:\n  password: ${jwt}`;
    const facts = { token: jwt, foundIn: 'quoted', json: jwt, start: '' };
    for (const indent of [undefined, 4]) {
      for (const message of [
        { line: `Authorization: "Bearer ${jwt}"`, character: 12 },
        { position: { line: 3, character: 12 }, line: `\\"${jwt}` },
        hover,
        { markdown, start: 0, end: 9, token: jwt },
        facts,
        { text: pasted, resource: '', namespace: '', askEtcd: true },
        { token: pasted, foundIn: 'raw', json: '' },
      ]) {
        const traced = redact(JSON.stringify(message, null, indent));
        for (const piece of jwt.split('.')) expect(traced).not.toContain(piece);
        expect(() => JSON.parse(traced) as unknown).not.toThrow();
      }
    }
    expect(JSON.parse(redact(JSON.stringify(hover)))).toMatchObject({
      range: { start: { line: 7 } },
    });
  });

  it('of 20 MB is read without running out of stack, and holds no secret', () => {
    const large = 'a\\"'.repeat(7 * 1024 * 1024);
    const opened = redact(`{"title":"a","text":"${large}","warning":"","masked":false}`);
    expect(JSON.parse(opened)).toMatchObject({ text: '(not traced)', masked: false });
    expect(redact(`{"password":"${large}","user":"x"}`)).toBe(
      '{"password":"(not traced)","user":"x"}',
    );
    expect(redact(`{"password":"${large}`)).toBe('{"password":"(not traced)');
    expect(redact('//'.concat('x'.repeat(20 * 1024 * 1024)))).toHaveLength(20 * 1024 * 1024 + 2);
  });

  it('takes a field inside of a secret for part of it', () => {
    const password = '","password":"hunter2';
    expect(JSON.parse(redact(JSON.stringify({ password, user: 'x' })))).toEqual({
      password: '(not traced)',
      user: 'x',
    });
  });

  it('holds no text of a member that nobody thought of, in whatever it stands, and all numbers', () => {
    const message = {
      kind: 'kept',
      isNew: 'hunter2',
      list: ['hunter2', { kind: 'kept' }, 'hunter2', ['hunter2'], 7],
      endpoints: ['a:1', 'b:2'],
      count: 7,
    };
    for (const indent of [undefined, 4]) {
      const traced = redact(JSON.stringify(message, null, indent));
      expect(traced).not.toContain('hunter2');
      expect(JSON.parse(traced)).toMatchObject({
        kind: 'kept',
        list: { 1: { kind: 'kept' }, 4: 7 },
        endpoints: ['a:1', 'b:2'],
        count: 7,
      });
    }
  });

  it('holds no words of a refusal, which quote what was refused, and its code', () => {
    const header = "[Trace - 1:02 PM] Received response 'etcdList/list - (3)' in 5ms.";
    const words = `unable to parse "hunter2 (7). hunter2\nhunter2" here`;
    const data = JSON.stringify({ code: 'badRequest', sentence: 'hunter2' }, null, 4);
    const traced = redact(`${header} Request failed: ${words} (-32803).\nError data: ${data}\n`);
    expect(traced).not.toContain('hunter2');
    expect(traced).toContain(`${header} Request failed: (not traced) (-32803).`);
    expect(traced).toContain('"code": "badRequest"');
  });

  it('is not spoilt by a quote of a line that is no JSON', () => {
    expect(redact('a disk of 5"\n{"text":"hunter2"}')).not.toContain('hunter2');
  });
});
