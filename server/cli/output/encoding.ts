/** What a stored value is that is no object this tool can read. */
import { detectEncoding } from '../../kube/decode/encoding';
import { cell } from './text';

/** Names an encrypted or CBOR value; empty for anything else. Safe to print. */
export function foreignEncoding(value: Uint8Array): string {
  const encoding = detectEncoding(value);
  if (encoding.kind === 'cbor') return 'CBOR';
  if (encoding.kind !== 'encrypted') return '';
  return `encrypted by ${cell(encoding.provider)}, key ${cell(JSON.stringify(encoding.keyName))}`;
}
