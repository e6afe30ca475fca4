import { describe, expect, it } from 'vitest';
import { ConnectionConfigError } from '../../../server/etcd/configError';
import { parseEndpoints } from '../../../server/etcd/endpoints';

const names = (...texts: string[]) => parseEndpoints(texts).endpoints.map(({ name }) => name);

describe('endpoints as people write them', () => {
  it.each([
    ['127.0.0.1:2379', '127.0.0.1:2379'],
    ['etcd.example.com', 'etcd.example.com:2379'],
    ['http://Host:1', 'host:1'],
    ['HTTPS://host/', 'host:2379'],
    ['[::1]:4001', '[::1]:4001'],
    ['https://[FE80::1]', '[fe80::1]:2379'],
    ['unix:2379', 'unix:2379'],
    ['etcd_0.etcd.:65535', 'etcd_0.etcd.:65535'],
  ])('%s is %s', (text, name) => {
    expect(names(text)).toEqual([name]);
  });

  it('splits comma lists, drops blanks, keeps order and removes duplicates', () => {
    expect(names(' b:1, a:1 ,', 'http://B:1', 'a')).toEqual(['b:1', 'a:1', 'a:2379']);
  });

  it('tells the scheme when any endpoint names one', () => {
    expect(parseEndpoints(['a:1']).secure).toBeUndefined();
    expect(parseEndpoints(['a:1', 'https://b:1']).secure).toBe(true);
    expect(parseEndpoints(['http://a:1']).secure).toBe(false);
  });

  it('knows loopback addresses, and no name that only looks like one', () => {
    const loopback = (text: string) => parseEndpoints([text]).endpoints[0]!.loopback;
    expect(['localhost', '127.0.0.1', '[::1]'].map(loopback)).toEqual([true, true, true]);
    expect(['127.0.0.1.evil.example', '10.0.0.1'].map(loopback)).toEqual([false, false]);
  });

  it.each([
    [[], 'No etcd endpoint is given'],
    [['http://a', 'https://b'], 'mix http:// and https://'],
    [['https://a:1/v3'], 'has a path'],
    [['a:1?x=1'], 'has a path'],
    [['unix:///var/run/etcd.sock'], 'unix socket'],
    [['ftp://a:1'], 'unknown scheme "ftp"'],
    [['::1'], 'needs brackets: [::1]:2379.'],
    [['::1:2379'], 'needs brackets: [::1]:2379.'],
    [['https://fe80::1:22379'], 'needs brackets: [fe80::1]:22379.'],
    [['fe80::1:2'], 'needs brackets: [fe80::1:2]:2379.'],
    [['[1.2.3.4]:1'], 'no valid host'],
    [['[::1'], 'no valid host'],
    [['a b:1'], 'no valid host'],
    [['http://'], 'no valid host'],
    [['a:0'], 'no valid port'],
    [['a:65536'], 'no valid port'],
    [['a:1:2'], 'no valid port'],
    [['a:'], 'no valid port'],
  ])('%j is refused', (texts, sentence) => {
    expect(() => parseEndpoints(texts)).toThrow(ConnectionConfigError);
    expect(() => parseEndpoints(texts)).toThrow(sentence);
  });

  it('refuses user info without repeating it', () => {
    const attempt = () => parseEndpoints(['https://root:hunter2@etcd:2379']);
    expect(attempt).toThrow(/user info/);
    expect(attempt).not.toThrow(/hunter2/);
  });
});
