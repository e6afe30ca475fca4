/** Finds continue tokens in whatever a person points at or pastes. */

/** Where a token stands. */
export type TokenPlace = 'raw' | 'quoted' | 'parameter' | 'metadata' | 'text';

export interface FoundToken {
  readonly token: string;
  /** UTF-16 offsets of what stands in the text. */
  readonly start: number;
  readonly end: number;
  readonly place: TokenPlace;
  /** Its padding was percent-encoded. */
  readonly percentEncoded: boolean;
}

/** Longer runs are not looked at in a text: a start key is at most a few hundred bytes. */
const LONGEST = 64 * 1024;
/** A text that is a token alone may be any that a request could carry. */
const LONGEST_ALONE = 4 * 1024 * 1024;

/** Most JSON texts that are read in search of one token: each that is none costs a thrown error. */
const MOST_READ = 20_000;

/**
 * Base64 of any JSON object starts with `e` and a letter from `w` to `z`. Before it stands nothing of
 * the alphabet, or an escape that ends with a letter or digit of it: of an address, also encoded up
 * to four times over, or of a JSON or a C string. Padding, which upstream refuses, and the standard
 * alphabet are taken along, so that they can be explained.
 */
const CANDIDATE =
  /(?:(?<![A-Za-z0-9_-])|(?<=%(?:25){0,3}[0-9A-Fa-f]{2}|\\(?:[bfnrt]|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2})))e[w-z][A-Za-z0-9_+/-]{14,}(?:={1,2}|(?:%(?:25){0,3}3[dD]){1,2}|(?:\\u003[dD]){1,2}|(?:\\x3[dD]){1,2})?/g;

/** Padding that is escaped. */
const ESCAPED_PADDING = /%(?:25){0,3}3d|\\u003d|\\x3d/gi;

/** Whether a text may hold a token at all; cheap. */
export function mayHoldToken(text: string): boolean {
  return /e[w-z][A-Za-z0-9_+/-]{14}/.test(text);
}

/**
 * All tokens of a text in order, unless very much in it looks like one. Takes time in proportion to
 * its length.
 */
export function* findTokens(text: string): Generator<FoundToken, void, undefined> {
  let read = 0;
  for (const { 0: candidate, index } of text.matchAll(CANDIDATE)) {
    for (const written of parts(candidate)) {
      const json = objectIn(written);
      if (json === undefined) continue;
      read += 1;
      if (read > MOST_READ) return;
      if (!isTokenJson(json)) continue;
      yield foundAt(text, index, written);
      break;
    }
  }
}

function foundAt(text: string, start: number, written: string): FoundToken {
  const end = start + written.length;
  return {
    token: written.replace(ESCAPED_PADDING, '='),
    start,
    end,
    place: placeOf(text, start, end),
    percentEncoded: written.includes('%'),
  };
}

/** The token under a place in one line; its last character's end counts as under. */
export function tokenAt(line: string, character: number): FoundToken | undefined {
  for (const found of findTokens(line)) {
    if (found.start <= character && character <= found.end) return found;
  }
  return undefined;
}

/** Within this many characters a flag such as `--continue=` is looked for. */
const LONGEST_FLAG = 200;

/** Longest text shown as "not a token". */
const LONGEST_OTHER = 2000;

/**
 * The token a person means by what they pasted: the whole text when it can be one, else the first
 * token in it, else the text itself, to be refused as upstream would.
 */
export function pastedToken(text: string): FoundToken {
  const flag = /^\s*-{0,2}continue(?:=|\s+)/.exec(text.slice(0, LONGEST_FLAG))?.[0];
  if (flag === undefined) return tokenIn(text);
  const found = tokenIn(text.slice(flag.length));
  const place = found.place === 'raw' || found.place === 'quoted' ? 'parameter' : found.place;
  const { start, end } = found;
  return { ...found, place, start: flag.length + start, end: flag.length + end };
}

function tokenIn(text: string): FoundToken {
  const offset = text.length - text.trimStart().length;
  const trimmed = text.trim();
  const quoted = /^(["'`])(.*)\1$/s.exec(trimmed);
  const inner = quoted?.[2] ?? trimmed;
  const start = offset + (quoted ? 1 : 0);
  const place = quoted ? 'quoted' : 'raw';
  if (inner.length <= LONGEST_ALONE && isAlone(inner)) {
    const token = inner.replace(ESCAPED_PADDING, '=');
    return { token, start, end: start + inner.length, place, percentEncoded: inner.includes('%') };
  }
  const [first] = findTokens(text);
  const found = first ?? parameterIn(text);
  if (found !== undefined) return found;
  const token = inner.slice(0, LONGEST_OTHER);
  return { token, start, end: start + token.length, place, percentEncoded: false };
}

/** Of the alphabet of tokens; over several lines only when these are one token that was wrapped. */
function isAlone(text: string): boolean {
  if (!/^(?:[A-Za-z0-9_+/=\r\n-]|%(?:25){0,3}3[dD]|\\u003[dD]|\\x3[dD])+$/.test(text)) return false;
  if (!/[\r\n]/.test(text)) return true;
  const json = objectIn(text);
  return (json !== undefined && isTokenJson(json)) || findTokens(text).next().done === true;
}

/** What a URL's parameter carries, token or not: that is what the API server would judge. */
function parameterIn(text: string): FoundToken | undefined {
  const match = /[?&]continue=([^&#\s"'`]+)/.exec(text.slice(0, LONGEST_ALONE));
  const written = match?.[1];
  if (match === null || written === undefined) return undefined;
  const start = match.index + match[0].length - written.length;
  const percentEncoded = written.includes('%');
  const token = percentEncoded ? decoded(written) : written;
  return { token, start, end: start + written.length, place: 'parameter', percentEncoded };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export interface ListedResource {
  /** With its group: `pods`, `deployments.apps`. */
  readonly resource: string;
  /** Empty for all namespaces. */
  readonly namespace: string;
}

const API_PATH =
  /\/(?:api\/v1|apis\/([a-z0-9.-]{1,253})\/v[0-9a-z]{1,20})\/(?:namespaces\/([a-z0-9.-]{1,253})\/)?([a-z0-9-]{1,63})\?[^\s"'`]{0,4096}$/;

/** The resource whose API path stands right before a token; undefined when there is none. */
export function listedBefore(text: string, tokenStart: number): ListedResource | undefined {
  const match = API_PATH.exec(text.slice(Math.max(0, tokenStart - 8192), tokenStart));
  if (!match) return undefined;
  const [, group, namespace = '', plural = ''] = match;
  return { resource: group === undefined ? plural : `${plural}.${group}`, namespace };
}

/** What of a candidate can be the token: all of it, or what stands before its first `+` or `/`. */
function parts(candidate: string): readonly string[] {
  if (candidate.length > LONGEST) return [];
  const [first = ''] = candidate.split(/[+/]/, 1);
  return first.length >= 16 && first !== candidate ? [candidate, first] : [candidate];
}

const SPACE: readonly (number | undefined)[] = [0x20, 0x09, 0x0a, 0x0d];
const CLOSING_BRACE = 0x7d;

/** The text that is encoded, when it ends as a JSON object does: cheap, and nearly all are none. */
function objectIn(written: string): string | undefined {
  const bytes = Buffer.from(written.replace(ESCAPED_PADDING, '').replaceAll('=', ''), 'base64');
  let last = bytes.length - 1;
  while (SPACE.includes(bytes[last])) last -= 1;
  return bytes[last] === CLOSING_BRACE ? bytes.toString('utf8') : undefined;
}

/** A version as Kubernetes writes it, or two of a token's three fields. */
function isTokenJson(json: string): boolean {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return false;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const fields = new Map(Object.entries(value).map(([name, each]) => [name.toLowerCase(), each]));
  const version: unknown = fields.get('v');
  if (typeof version === 'string' && version.startsWith('meta.k8s.io')) return true;
  return ['v', 'rv', 'start'].filter((name) => fields.has(name)).length >= 2;
}

function placeOf(text: string, start: number, end: number): TokenPlace {
  const before = text.slice(Math.max(0, start - 40), start);
  if (
    /(?:^|[?&;]|%(?:25){0,3}(?:3[fF]|26)|\\u0026|\\x26)continue(?:=|%(?:25){0,3}3[dD]|\\u003[dD]|\\x3[dD])$/.test(
      before,
    )
  )
    return 'parameter';
  if (/\bcontinue\\?["']?\s*[:=]\s*\\?["']?$/.test(before)) return 'metadata';
  const quote = before.at(-1) ?? '';
  if (/["'`]/.test(quote) && text[end] === quote) return 'quoted';
  return text.trim().length === end - start ? 'raw' : 'text';
}
