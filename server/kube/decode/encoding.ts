/**
 * Tells stored forms apart by their first bytes.
 *
 * Upstream: the magic of `apimachinery/pkg/runtime/serializer/protobuf` and `…/cbor`, the prefixes
 * of `apiserver/pkg/server/options/encryptionconfig`.
 */
import { startsWithBytes, toHex, utf8, utf8Lossy } from '../../common/bytes';

export type StoredEncoding =
  | { readonly kind: 'protobuf' | 'cbor' | 'json' | 'empty' }
  | {
      readonly kind: 'encrypted';
      /** Such as `aescbc`, `secretbox`, `kms`; untrusted text. */
      readonly provider: string;
      /** `v1` or `v2`; empty when the prefix is incomplete. */
      readonly version: string;
      /** Key or plugin name; untrusted text, empty when the prefix is incomplete. */
      readonly keyName: string;
    }
  /** `firstBytes`: the first eight at most, in hexadecimal; empty of text, which may be a secret. */
  | { readonly kind: 'unknown'; readonly firstBytes: string };

const ENCODED_AS_PROTOBUF: StoredEncoding = { kind: 'protobuf' };
const CBOR = Uint8Array.of(0xd9, 0xd9, 0xf7);
const ENCRYPTED = utf8('k8s:enc:');
const COLON = 0x3a;
/** Provider and key names end within this many bytes, or the prefix counts as incomplete. */
const LONGEST_PREFIX = 1024;

export function detectEncoding(value: Uint8Array): StoredEncoding {
  if (value.length === 0) return { kind: 'empty' };
  if (isProtobuf(value)) return ENCODED_AS_PROTOBUF;
  if (startsWithBytes(value, CBOR)) return { kind: 'cbor' };
  if (startsWithBytes(value, ENCRYPTED)) return encrypted(value);
  if (value[firstNonBlank(value)] === 0x7b) return { kind: 'json' };
  const first = value.subarray(0, 8);
  return { kind: 'unknown', firstBytes: first.every(isText) ? '' : toHex(first) };
}

/** Printable, or of a sequence beyond ASCII. */
const isText = (byte: number): boolean => (byte >= 0x20 && byte !== 0x7f) || isBlank(byte);

/** Every object of a list is asked, so nothing is made for the answer. */
function isProtobuf(value: Uint8Array): boolean {
  return value[0] === 0x6b && value[1] === 0x38 && value[2] === 0x73 && value[3] === 0x00;
}

/** Reads `k8s:enc:PROVIDER:VERSION:NAME:`; parts that are not there are empty. */
function encrypted(value: Uint8Array): StoredEncoding {
  const parts: string[] = [];
  let start = ENCRYPTED.length;
  while (parts.length < 3) {
    const end = value.subarray(0, LONGEST_PREFIX).indexOf(COLON, start);
    if (end < 0) break;
    parts.push(utf8Lossy(value.subarray(start, end)));
    start = end + 1;
  }
  const [provider = '', version = '', keyName = ''] = parts;
  return { kind: 'encrypted', provider, version, keyName };
}

function firstNonBlank(value: Uint8Array): number {
  let at = 0;
  while (isBlank(value[at])) at++;
  return at;
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
