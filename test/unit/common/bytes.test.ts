import { describe, expect, it } from 'vitest';
import { prefixEnd } from '../../../server/common/bytes';

describe('prefixEnd', () => {
  it.each([
    ['2f612f', '2f6130'],
    ['61ff', '62'],
    ['00', '01'],
    ['ffff', '00'],
    ['', '00'],
  ])('of %s is %s', (prefix, end) => {
    expect(Buffer.from(prefixEnd(Buffer.from(prefix, 'hex'))).toString('hex')).toBe(end);
    expect(
      Buffer.from(prefixEnd(Uint8Array.from(Buffer.from(prefix, 'hex')))).toString('hex'),
    ).toBe(end);
  });

  it('leaves the prefix as it was, also when it is a Buffer', () => {
    const prefix = Buffer.from('/a/');
    prefixEnd(prefix);
    expect(prefix.toString()).toBe('/a/');
  });
});
