import { describe, expect, it } from 'vitest';
import { printQuantity } from '../../../../server/kube/kinds/quantity';

describe('quantities', () => {
  it.each([
    ['0', '0'],
    ['-', '0'],
    ['.', '0'],
    ['100m', '100m'],
    ['1000m', '1'],
    ['1500m', '1500m'],
    ['+5', '+5'],
    ['1.5', '1500m'],
    ['0.5Gi', '512Mi'],
    ['1024Ki', '1Mi'],
    ['1023', '1023'],
    ['1024', '1024'],
    ['0.1Ki', '102400m'],
    ['12e6', '12e6'],
    ['1e2', '100'],
    ['100e3', '100e3'],
    ['0.0000000001', '1n'],
    ['-0.0000000001', '-1n'],
    ['1000000000000000000000', '1'],
    ['9999999999Gi', '9223372036854775807'],
    ['000005', '000005'],
  ])('%s is %s', (text, printed) => {
    expect(printQuantity(text)).toBe(printed);
  });

  it.each([
    ['', 'quantities must match'],
    ['x', 'quantities must match'],
    ['1 ', 'quantities must match'],
    ['1K', "unable to parse quantity's suffix"],
    ['1e9999999999999999999', "unable to parse quantity's suffix"],
    ['-.Ei', 'unable to parse numeric part of quantity'],
    [`1${'0'.repeat(1_000_000)}`, 'too long or too large'],
    ['1234567890123456789e2147483647', 'too long or too large'],
  ])('refuses %.20s', (text, error) => {
    expect(() => printQuantity(text)).toThrow(error);
  });
});
