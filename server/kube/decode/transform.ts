/** Encryption at rest: recognised and named, never undone. */
import { detectEncoding } from './encoding';
import { TransformError } from './errors';

/** Upstream: `apiserver/pkg/storage/value/encrypt/identity`. */
const IDENTITY_REFUSES = 'identity transformer tried to read encrypted data';

/**
 * The value itself, or a `TransformError` when it is encrypted. The engine wraps the message as
 * `unable to transform key "…": …`.
 */
export function transform(value: Uint8Array): Uint8Array {
  const encoding = detectEncoding(value);
  if (encoding.kind !== 'encrypted') return value;
  const { provider, keyName } = encoding;
  throw new TransformError(IDENTITY_REFUSES, sentenceFor(provider, keyName), provider, keyName);
}

function sentenceFor(provider: string, keyName: string): string {
  const by = provider === '' ? 'an unknown provider' : provider;
  const key = keyName === '' ? '' : `, key ${JSON.stringify(keyName)}`;
  return `encrypted by ${by}${key}: this tool does not decrypt`;
}
