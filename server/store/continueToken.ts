/**
 * Continue tokens (rules T1 to T3): `{"v","rv","start"}` as base64url JSON, the start key relative
 * to the list's prefix. Upstream: `pkg/storage/continue.go`.
 */
import { concatBytes, equalBytes, nextKey, startsWithBytes, utf8 } from '../common/bytes';
import { goJsonString } from '../common/goText';
import { decodeRawUrlBase64, encodeRawUrlBase64 } from './goBase64';
import { pathClean } from '../common/pathClean';
import { parseTokenJson, type TokenFields } from './tokenJson';

export type TokenErrorKind =
  'genericInvalidKey' | 'unrecognizedEncodedVersion' | 'invalidStartRV' | 'emptyStartKey';

/** A token upstream refuses. `message` is upstream's text without the 400's "invalid continue token: ". */
export class TokenError extends Error {
  override readonly name = 'TokenError';
  constructor(
    readonly kind: TokenErrorKind,
    message: string,
  ) {
    super(message);
  }
}

export interface DecodedToken {
  /** Absolute etcd key the next page starts at. */
  readonly key: Uint8Array;
  /** Positive pins the read, negative reads the latest revision. */
  readonly resourceVersion: bigint;
  /** The start key as the token carries it, relative to the prefix. */
  readonly start: string;
}

const tokenVersion = 'meta.k8s.io/v1';
const invalid = 'continue key is not valid';

function readFields(token: string): TokenFields {
  try {
    return parseTokenJson(decodeRawUrlBase64(token));
  } catch (error) {
    throw new TokenError('genericInvalidKey', `${invalid}: ${(error as Error).message}`);
  }
}

/** Start key with a leading slash, refused when cleaning would change it: it is never repaired. */
function cleanStart(start: string): string {
  const rooted = start.startsWith('/') ? start : `/${start}`;
  if (pathClean(rooted) !== rooted) {
    throw new TokenError('genericInvalidKey', `${invalid}: ${start}`);
  }
  return rooted;
}

/** Decodes a client's token below `keyPrefix`. Throws `TokenError`. */
export function decodeContinue(token: string, keyPrefix: Uint8Array): DecodedToken {
  const fields = readFields(token);
  if (fields.v !== tokenVersion) {
    const message = `${invalid}: server does not recognize this encoded version ${fields.v}`;
    throw new TokenError('unrecognizedEncodedVersion', message);
  }
  if (fields.rv === 0n) {
    const message = `${invalid}: incorrect encoded start resourceVersion (version ${tokenVersion})`;
    throw new TokenError('invalidStartRV', message);
  }
  if (fields.start === '') {
    const message = `${invalid}: encoded start key empty (version ${tokenVersion})`;
    throw new TokenError('emptyStartKey', message);
  }
  const key = concatBytes(keyPrefix, utf8(cleanStart(fields.start).slice(1)));
  return { key, resourceVersion: fields.rv, start: fields.start };
}

export interface EncodedToken {
  readonly token: string;
  readonly json: string;
}

/**
 * Encodes a start key below `keyPrefix`. Throws `Error` with upstream's text when the key does not
 * lie below the prefix; an empty prefix always fails, as upstream.
 */
export function encodeContinueDetailed(
  key: Uint8Array,
  keyPrefix: Uint8Array,
  resourceVersion: bigint,
): EncodedToken {
  if (keyPrefix.length === 0 || !startsWithBytes(key, keyPrefix)) {
    throw new Error('unable to encode next field: the key and key prefix do not match');
  }
  const start = goJsonString(key.subarray(keyPrefix.length));
  const json = `{"v":"${tokenVersion}","rv":${String(resourceVersion)},"start":${start}}`;
  return { token: encodeRawUrlBase64(utf8(json)), json };
}

export function encodeContinue(
  key: Uint8Array,
  keyPrefix: Uint8Array,
  resourceVersion: bigint,
): string {
  return encodeContinueDetailed(key, keyPrefix, resourceVersion).token;
}

/** Whether this token starts exactly beyond `lastKey`; false when JSON could not carry the key. */
export function tokenCarriesKey(
  token: string,
  keyPrefix: Uint8Array,
  lastKey: Uint8Array,
): boolean {
  try {
    return equalBytes(decodeContinue(token, keyPrefix).key, nextKey(lastKey));
  } catch {
    return false;
  }
}

export interface PreparedContinue {
  /** Empty when nothing follows. */
  readonly token: string;
  readonly remainingItemCount: bigint | null;
}

/**
 * Token and remaining count of a finished list. etcd counts keys that no selector would let through,
 * so the count is given only without a selector (rule P8). Upstream: `PrepareContinueToken`.
 */
export function prepareContinue(input: {
  readonly lastKey: Uint8Array;
  readonly keyPrefix: Uint8Array;
  readonly resourceVersion: bigint;
  readonly count: bigint;
  readonly hasMore: boolean;
  readonly limit: bigint;
  readonly filtered: boolean;
}): PreparedContinue {
  if (!input.hasMore) return { token: '', remainingItemCount: null };
  const token = encodeContinue(nextKey(input.lastKey), input.keyPrefix, input.resourceVersion);
  return { token, remainingItemCount: input.filtered ? null : input.count - input.limit };
}
