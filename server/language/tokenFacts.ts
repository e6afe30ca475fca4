/** What a continue token says, and whether the API server would take it (rules T1 to T3). */
import { goJsonString } from '../common/goText';
import { utf8, utf8Lossy } from '../common/bytes';
import { cellText } from '../kube/print/cellText';
import { decodeContinue, TokenError } from '../store/continueToken';
import { decodeRawUrlBase64, encodeRawUrlBase64 } from '../store/goBase64';
import { parseTokenJson, type TokenFields } from '../store/tokenJson';

export type TokenVerdict =
  'ok' | 'notAToken' | 'unrecognizedVersion' | 'zeroRevision' | 'emptyStart' | 'uncleanStart';

export interface TokenExplanation {
  /** The JSON inside, printable; empty when there is none. */
  readonly json: string;
  /** Fields as far as they can be read, printable. */
  readonly version: string;
  readonly resourceVersion: string;
  /** With escapes, `\x00` for NUL and `\\` for a backslash; `readShown` undoes them. */
  readonly start: string;
  /** Absolute key; empty when refused or when no prefix was given. */
  readonly resumesAt: string;
  readonly verdict: TokenVerdict;
  /** Upstream's whole text; empty when accepted. */
  readonly upstreamError: string;
  readonly why: string;
  readonly revisionMeaning: string;
  /** Of an accepted token. */
  readonly accepted?: { readonly key: Uint8Array; readonly resourceVersion: bigint };
}

const WHY: Readonly<Record<TokenVerdict, string>> = {
  ok: 'Behind the prefix of the list, cleaning the path would change nothing, so the token cannot lead outside of it.',
  notAToken:
    'A token is a small JSON object in base64url without padding. It is decoded strictly: what does not decode was not written by an API server, or was changed on its way.',
  unrecognizedVersion:
    'The version says how to read the other fields. A server that does not know it cannot tell where to go on, so it refuses.',
  zeroRevision:
    'Zero would mean "any revision": pages of one list could then show different moments without anybody noticing.',
  emptyStart:
    'Without a start key the page would begin the list anew, so a client that follows tokens would never end.',
  uncleanStart:
    'A start key with "..", "." or empty parts could lead out of the prefix of the list, into objects that the client may not read. It is refused and never repaired.',
};

/** `prefix` is the list's etcd prefix with its trailing slash; undefined when it is not known. */
export function explainToken(token: string, prefix: Uint8Array | undefined): TokenExplanation {
  const fields = readFields(token);
  const parts = {
    json: printableJson(token),
    version: fields === undefined ? '' : cellText(fields.v),
    resourceVersion: fields === undefined ? '' : String(fields.rv),
    start: fields === undefined ? '' : showText(fields.start),
    revisionMeaning: fields === undefined ? '' : meaningOf(fields.rv),
  };
  try {
    const { key, resourceVersion } = decodeContinue(token, prefix ?? utf8('/'));
    const resumesAt = prefix === undefined ? '' : showText(utf8Lossy(key));
    const accepted = { key, resourceVersion };
    return { ...parts, resumesAt, verdict: 'ok', upstreamError: '', why: WHY.ok, accepted };
  } catch (error) {
    if (!(error instanceof TokenError)) throw error;
    const verdict = verdictOf(error, fields);
    const upstreamError = `invalid continue token: ${error.message}`;
    const refused = { resumesAt: '', revisionMeaning: '', verdict, upstreamError };
    return { ...parts, ...refused, why: WHY[verdict] };
  }
}

function readFields(token: string): TokenFields | undefined {
  try {
    return parseTokenJson(decodeRawUrlBase64(token));
  } catch {
    return undefined;
  }
}

function verdictOf(error: TokenError, fields: TokenFields | undefined): TokenVerdict {
  switch (error.kind) {
    case 'genericInvalidKey':
      return fields === undefined ? 'notAToken' : 'uncleanStart';
    case 'unrecognizedEncodedVersion':
      return 'unrecognizedVersion';
    case 'invalidStartRV':
      return 'zeroRevision';
    case 'emptyStartKey':
      return 'emptyStart';
  }
}

/** Decoded leniently, so that a token with padding or the standard alphabet shows its content. */
function printableJson(token: string): string {
  const text = Buffer.from(token, 'base64').toString('utf8');
  return /^\s*\{/.test(text) ? cellText(text) : '';
}

function meaningOf(revision: bigint): string {
  if (revision > 0n) {
    return 'The page is read at this revision, so that all pages of the list show one moment. Once etcd has compacted it the answer is 410 Expired.';
  }
  if (revision < 0n) {
    return 'The page is read at the latest revision: what changed since the pages before it may be missing or doubled. An API server hands such a token out with a 410 Expired.';
  }
  return '';
}

/** Text as one line that `readShown` can read back. */
export function showText(text: string): string {
  return cellText(text.replaceAll('\\', '\\\\'));
}

const ESCAPE =
  /\\(?:x([0-9a-f]{2})|u\{((?:10|[0-9a-f])?[0-9a-f]{1,4})\}|u([0-9a-f]{4})|([nrt\\]))/gi;
const SHOWN =
  /^(?:[^\\]|\\(?:x[0-9a-f]{2}|u\{(?:10|[0-9a-f])?[0-9a-f]{1,4}\}|u[0-9a-f]{4}|[nrt\\]))*$/i;
const SHORT: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['\\', '\\'],
]);

/** Undoes `showText`; undefined when a backslash does not begin an escape. */
export function readShown(shown: string): string | undefined {
  if (!SHOWN.test(shown)) return undefined;
  return shown.replace(
    ESCAPE,
    (_, byte?: string, braced?: string, four?: string, short?: string) =>
      short === undefined
        ? String.fromCodePoint(parseInt(byte ?? braced ?? four ?? '', 16))
        : (SHORT.get(short.toLowerCase()) ?? ''),
  );
}

/** A token of these fields, sound or not: what an inspector's editor makes. */
export function encodeTokenFields(version: string, revision: bigint, start: string): string {
  const json = `{"v":${goJsonString(version)},"rv":${String(revision)},"start":${goJsonString(start)}}`;
  return encodeRawUrlBase64(utf8(json));
}
