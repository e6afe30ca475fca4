import { describe, expect, it } from 'vitest';
import { compareVersions, parseSemantic } from '../../../server/etcd/semver';

describe('semantic versions', () => {
  it.each(['3.5.13', ' v3.5.13 ', '3.5.13\r', '3.5.13-rc.1+build.7', '18446744073709551615.0.0'])(
    'reads %j',
    (text) => {
      expect(parseSemantic(text)).toBeDefined();
    },
  );

  it.each([
    '',
    '3',
    '3.5',
    '3.5.1.0',
    '03.5.1',
    '3.5.1\n',
    '3.5.1-01',
    '3.5.1-',
    '3.5.1 x',
    '18446744073709551616.0.0',
    '3.5.1-é',
  ])('refuses %j', (text) => {
    expect(parseSemantic(text)).toBeUndefined();
  });

  it('orders as upstream does', () => {
    const ordered = [
      '1.0.0-alpha',
      '1.0.0-alpha.1',
      '1.0.0-alpha.beta',
      '1.0.0-beta.2',
      '1.0.0-beta.11',
      '1.0.0',
      '1.0.1',
      '1.10.0',
    ];
    const parsed = ordered.map((text) => parseSemantic(text)!);
    const shuffled = [...parsed].reverse().sort(compareVersions);
    expect(shuffled).toEqual(parsed);
  });
});
