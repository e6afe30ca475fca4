import { describe, expect, it } from 'vitest';
import { utf8 } from '../../../../server/common/bytes';
import { detectEncoding } from '../../../../server/kube/decode/encoding';
import { TransformError } from '../../../../server/kube/decode/errors';
import { transform } from '../../../../server/kube/decode/transform';

describe('detectEncoding', () => {
  it.each([
    [Uint8Array.of(0x6b, 0x38, 0x73, 0), { kind: 'protobuf' }],
    [Uint8Array.of(0xd9, 0xd9, 0xf7, 0xa0), { kind: 'cbor' }],
    [utf8(' \n\t\r{}'), { kind: 'json' }],
    [utf8(''), { kind: 'empty' }],
    [utf8('[]'), { kind: 'unknown', firstBytes: '' }],
    [Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9), { kind: 'unknown', firstBytes: '0102030405060708' }],
    ...(['aescbc', 'aesgcm', 'secretbox', 'kms'] as const).map(
      (provider) =>
        [
          utf8(`k8s:enc:${provider}:v1:key-1:\u0000\u0001`),
          { kind: 'encrypted', provider, version: 'v1', keyName: 'key-1' },
        ] as const,
    ),
    [
      utf8('k8s:enc:kms:v2:plugin:x'),
      { kind: 'encrypted', provider: 'kms', version: 'v2', keyName: 'plugin' },
    ],
    [utf8('k8s:enc:aes'), { kind: 'encrypted', provider: '', version: '', keyName: '' }],
  ] as const)('%#', (value, expected) => {
    expect(detectEncoding(value)).toEqual(expected);
  });
});

describe('transform', () => {
  it('leaves plain values alone', () => {
    const value = utf8('{}');
    expect(transform(value)).toBe(value);
  });

  it('refuses encrypted values with the text of upstream and a sentence', () => {
    let error: unknown;
    try {
      transform(utf8('k8s:enc:aescbc:v1:key1:zzz'));
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(TransformError);
    expect(error).toMatchObject({
      message: 'identity transformer tried to read encrypted data',
      provider: 'aescbc',
      keyName: 'key1',
      sentence: 'encrypted by aescbc, key "key1": this tool does not decrypt',
    });
  });
});
