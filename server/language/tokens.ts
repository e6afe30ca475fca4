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

/**
 * Base64 of any JSON object starts with `e` and a letter from `w` to `z`. Padding, which upstream
 * refuses, and the standard alphabet are taken along, so that they can be explained.
 */
const CANDIDATE =
  /(?:(?<![A-Za-z0-9_-])|(?<=%[0-9A-Fa-f]{2}))e[w-z][A-Za-z0-9_+/-]{14,}(?:={1,2}|(?:%3[dD]){1,2})?/g;

/** Whether a text may hold a token at all; cheap. */
export function mayHoldToken(text: string): boolean {
  return /e[w-z][A-Za-z0-9_+/-]{14}/.test(text);
}

/** All tokens of a text in order. Takes time in proportion to its length. */
export function* findTokens(text: string): Generator<FoundToken, void, undefined> {
  for (const match of text.matchAll(CANDIDATE)) {
    const written = tokenIn(match[0]);
    if (written === undefined) continue;
    const end = match.index + written.length;
    yield {
      token: written.replace(/%3d/gi, '='),
      start: match.index,
      end,
      place: placeOf(text, match.index, end),
      percentEncoded: written.includes('%'),
    };
  }
}

/** The token under a place in one line; its last character's end counts as under. */
export function tokenAt(line: string, character: number): FoundToken | undefined {
  for (const found of findTokens(line)) {
    if (found.start <= character && character <= found.end) return found;
  }
  return undefined;
}

/** Longest text shown as "not a token". */
const LONGEST_OTHER = 2000;

/**
 * The token a person means by what they pasted: the whole text when it can be one, else the first
 * token in it, else the text itself, to be refused as upstream would.
 */
export function pastedToken(text: string): FoundToken {
  const offset = text.length - text.trimStart().length;
  const trimmed = text.trim();
  const quoted = /^(["'`])(.*)\1$/s.exec(trimmed);
  const inner = quoted?.[2] ?? trimmed;
  const start = offset + (quoted ? 1 : 0);
  const place = quoted ? 'quoted' : 'raw';
  if (inner.length <= LONGEST_ALONE && isAlone(inner)) {
    const token = inner.replace(/%3d/gi, '=');
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
  if (!/^(?:[A-Za-z0-9_+/=\r\n-]|%3[dD])+$/.test(text)) return false;
  return !/[\r\n]/.test(text) || looksLikeToken(text) || [...findTokens(text)].length === 0;
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

/** The part of a candidate that decodes to a token's JSON. */
function tokenIn(candidate: string): string | undefined {
  if (candidate.length > LONGEST) return undefined;
  if (looksLikeToken(candidate)) return candidate;
  const [first = ''] = candidate.split(/[+/]/, 1);
  return first.length >= 16 && first !== candidate && looksLikeToken(first) ? first : undefined;
}

/** JSON with a version as Kubernetes writes it, or with two of a token's three fields. */
function looksLikeToken(text: string): boolean {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(text.replace(/%3d|=/gi, ''), 'base64').toString('utf8'));
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
  if (/(?:^|[?&;]|%3[fF]|%26)continue(?:=|%3[dD])$/.test(before)) return 'parameter';
  if (/\bcontinue\\?["']?\s*[:=]\s*\\?["']?$/.test(before)) return 'metadata';
  const quote = before.at(-1) ?? '';
  if (/["'`]/.test(quote) && text[end] === quote) return 'quoted';
  return text.trim().length === end - start ? 'raw' : 'text';
}
