/**
 * How Kubernetes reads scalars of YAML: as `sigs.k8s.io/yaml` makes JSON of them where no type is
 * known, which is how kubectl and the API server take a manifest.
 *
 * Upstream: `go.yaml.in/yaml/v2` 2.4 (`resolve.go`, `decode.go`), `sigs.k8s.io/yaml` 1.6.
 */
import { float32Text, float64Json } from './goFloats';

export type Reading =
  | { readonly as: 'string'; readonly text: string }
  | { readonly as: 'null' }
  | { readonly as: 'bool'; readonly value: boolean }
  | { readonly as: 'int'; readonly value: bigint }
  | { readonly as: 'float'; readonly value: number }
  /** The library refuses the whole document, or what it makes of it is not text. */
  | { readonly as: 'unknown' };

/** A scalar as it stands in a document. */
export interface WrittenScalar {
  /** Without quotes and escapes. */
  readonly text: string;
  readonly isPlain: boolean;
  /** In its long form, such as `tag:yaml.org,2002:str`; empty without one. */
  readonly tag: string;
}

const CORE = 'tag:yaml.org,2002:';
const UNKNOWN: Reading = { as: 'unknown' };

export function readScalar({ text, isPlain, tag }: WrittenScalar): Reading {
  if (tag === '') return isPlain ? readPlain(text) : { as: 'string', text };
  switch (tag) {
    case `${CORE}bool`:
      return asked(text, 'bool');
    case `${CORE}int`:
      return asked(text, 'int');
    case `${CORE}null`:
      return asked(text, 'null');
    case `${CORE}float`: {
      const read = readPlain(text);
      return read.as === 'int' ? { as: 'float', value: Number(read.value) } : asked(text, 'float');
    }
    case `${CORE}binary`:
    case `${CORE}timestamp`:
      return UNKNOWN;
    default:
      return { as: 'string', text };
  }
}

function asked(text: string, as: Reading['as']): Reading {
  const read = readPlain(text);
  return read.as === as ? read : UNKNOWN;
}

const WORDS: ReadonlyMap<string, Reading> = new Map<string, Reading>([
  ...inCases('y', 'yes', 'true', 'on').map((word) => [word, { as: 'bool', value: true }] as const),
  ...inCases('n', 'no', 'false', 'off').map(
    (word) => [word, { as: 'bool', value: false }] as const,
  ),
  ...['', '~', ...inCases('null')].map((word) => [word, { as: 'null' }] as const),
  ...['.nan', '.NaN', '.NAN'].map((word) => [word, { as: 'float', value: NaN }] as const),
  ...['.inf', '.Inf', '.INF'].flatMap((word) => [
    [word, { as: 'float', value: Infinity }] as const,
    [`+${word}`, { as: 'float', value: Infinity }] as const,
    [`-${word}`, { as: 'float', value: -Infinity }] as const,
  ]),
]);

/** Small, with a capital, and in capitals; no other mixture is known. */
function inCases(...words: readonly string[]): string[] {
  return words.flatMap((word) => [
    ...new Set([word, word.charAt(0).toUpperCase() + word.slice(1), word.toUpperCase()]),
  ]);
}

/** A scalar without quotes and tag. Times stay texts. */
export function readPlain(text: string): Reading {
  const word = WORDS.get(text);
  if (word !== undefined) return word;
  if (text.startsWith('.')) return readFraction(text) ?? { as: 'string', text };
  if (!/^[-+0-9]/.test(text)) return { as: 'string', text };
  // Longer ones overflow everything, and making a number of a huge text would take long.
  if (text.length > 400) return /^[-+]?[0-9._]+$/.test(text) ? UNKNOWN : { as: 'string', text };
  const digits = text.replaceAll('_', '');
  return readInteger(digits) ?? readFloat(digits) ?? { as: 'string', text };
}

/** Go's own grammar of floats applies here, which lets underscores stand between digits. */
function readFraction(text: string): Reading | undefined {
  if (!/^\.\d+(?:_\d+)*(?:[eE][-+]?\d+(?:_\d+)*)?$/.test(text)) return undefined;
  return finite(text.replaceAll('_', ''));
}

function readFloat(digits: string): Reading | undefined {
  if (!/^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/.test(digits)) return undefined;
  return finite(digits);
}

function finite(digits: string): Reading | undefined {
  const value = Number(digits);
  return Number.isFinite(value) ? { as: 'float', value } : undefined;
}

/** How Go's integers begin, and what JavaScript calls the same. */
const RADIXES: readonly (readonly [RegExp, string])[] = [
  [/^0[xX](?=[0-9a-fA-F]+$)/, '0x'],
  [/^0[bB](?=[01]+$)/, '0b'],
  [/^0[oO](?=[0-7]+$)/, '0o'],
  [/^0(?=[0-7]+$)/, '0o'],
  [/^(?=(?:0|[1-9][0-9]*)$)/, ''],
];
const MOST = 2n ** 63n - 1n;
const LEAST = -(2n ** 63n);
const MOST_UNSIGNED = 2n ** 64n - 1n;

/** Upstream: `strconv.ParseInt` and, without a sign, `ParseUint`, both with base 0. */
function readInteger(digits: string): Reading | undefined {
  const sign = /^[-+]?/.exec(digits)?.[0] ?? '';
  const unsigned = digits.slice(sign.length);
  const radix = RADIXES.find(([pattern]) => pattern.test(unsigned));
  if (radix === undefined) return undefined;
  const size = BigInt(unsigned.replace(...radix));
  const value = sign === '-' ? -size : size;
  const most = sign === '' ? MOST_UNSIGNED : MOST;
  return value >= LEAST && value <= most ? { as: 'int', value } : undefined;
}

const SPECIAL_KEYS: ReadonlyMap<string, string> = new Map([
  ['+Inf', '.inf'],
  ['-Inf', '-.inf'],
  ['NaN', '.nan'],
]);

/** The JSON that is made of it; undefined where none is. */
export function jsonOf(read: Reading): string | undefined {
  switch (read.as) {
    case 'string':
      return JSON.stringify(read.text);
    case 'null':
      return 'null';
    case 'bool':
      return String(read.value);
    case 'int':
      return String(read.value);
    case 'float':
      return float64Json(read.value);
    case 'unknown':
      return undefined;
  }
}

/** The text that a key of a map becomes; undefined where the library refuses it. */
export function keyTextOf(read: Reading): string | undefined {
  // An unsigned number is no key there.
  if (read.as === 'int' && read.value > MOST) return undefined;
  const text = typedTextOf(read);
  return read.as === 'float' ? (SPECIAL_KEYS.get(text ?? '') ?? text) : text;
}

/**
 * The text that a value becomes where the reader knows that it must be one, as kustomize does with
 * its own files. Null is the empty text.
 */
export function typedTextOf(read: Reading): string | undefined {
  switch (read.as) {
    case 'string':
      return read.text;
    case 'bool':
    case 'int':
      return String(read.value);
    case 'float':
      return float32Text(read.value);
    case 'null':
    case 'unknown':
      return undefined;
  }
}
