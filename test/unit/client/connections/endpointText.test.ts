import { describe, expect, it } from 'vitest';
import {
  endpointsProblem,
  nameProblem,
  suggestName,
} from '../../../../client/connections/endpointText';

describe('endpointsProblem', () => {
  it.each([
    '127.0.0.1:2379',
    'etcd-0.svc:2379, etcd-1.svc:2379',
    'https://[::1]:2379/',
    'HTTP://Host',
    'host_1',
  ])('takes %s', (text) => {
    expect(endpointsProblem(text)).toBeUndefined();
  });

  it.each([
    ['', 'at least one'],
    [' , ', 'at least one'],
    ['user:pw@host:1', 'Leave user and password out'],
    ['ftp://host', '"ftp://host" is no endpoint'],
    ['host:1/path', 'is no endpoint'],
    ['ho st', 'is no endpoint'],
    ['host:0', 'no valid port'],
    ['host:65536', 'no valid port'],
    ['good:1,bad:x', '"bad:x" is no endpoint'],
  ])('refuses %s', (text, sentence) => {
    expect(endpointsProblem(text)).toContain(sentence);
  });
});

describe('names', () => {
  it.each([
    ['127.0.0.1:2379', [], 'localhost'],
    ['https://etcd.example.com:2379/,b', [], 'etcd.example.com'],
    ['etcd', ['etcd', 'etcd-2'], 'etcd-3'],
  ])('suggests for %s beside %o', (text, taken, name) => {
    expect(suggestName(text, taken)).toBe(name);
    expect(nameProblem(name, taken)).toBeUndefined();
  });

  it('refuses empty, long and taken ones', () => {
    expect(nameProblem(' ', [])).toBeDefined();
    expect(nameProblem('x'.repeat(61), [])).toBeDefined();
    expect(nameProblem(' a ', ['a'])).toContain('already');
  });
});
