/** JSON and YAML text in which no stored text can act on a terminal, and integers stay exact. */
import { isScalar, type Pair, Scalar, type ScalarTag, stringify, type Tags } from 'yaml';
import type { JsonValue } from '../decode/jsonText';
import { printJson } from './json';
import { compareYamlKeys, type MemberOrder } from './order';

/** What the encoders leave as it is and a terminal would obey; all of it stands inside strings. */
const UNSAFE = /[\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}]/gu;

/** `indent` stands before every line but the first. */
export function indentedJson(value: JsonValue, indent = '', order: MemberOrder = 'given'): string {
  return escaped(printJson(value, 2, order)).replaceAll('\n', `\n${indent}`);
}

export function compactJson(value: JsonValue, order: MemberOrder = 'given'): string {
  return escaped(printJson(value, 0, order));
}

const escaped = (json: string): string => json.replace(UNSAFE, jsonEscape);

function jsonEscape(character: string): string {
  return [...Array(character.length).keys()]
    .map((i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`)
    .join('');
}

/** Texts that mean "merge" to readers of YAML 1.1 unless they are quoted; the library's own tag prints them bare. */
const MERGE: ScalarTag = {
  tag: 'tag:yaml.org,2002:merge',
  default: true,
  identify: () => false,
  test: /^<<$/,
  resolve: (text) => text,
};

/** Where a block begins with a blank line, readers differ on how far it is indented. */
const BLANK_START = /^[ \t]*\n/;

const NUMBER = /^[-+]?(?:0x[\da-f]+|0b[01]+|0o[0-7]+|(?:\.\d+|\d+(?:\.\d*)?)(?:e[-+]?\d+)?)$/i;

/**
 * A number to kubectl's reader, which leaves out underscores wherever they stand and takes a sign before
 * every prefix, as in `-0o2`.
 */
function isNumber(text: string): boolean {
  return NUMBER.test(text.replaceAll('_', ''));
}

const QUOTED_TEXT: ScalarTag = {
  tag: 'tag:yaml.org,2002:str',
  default: true,
  identify: (value) => typeof value === 'string' && (BLANK_START.test(value) || isNumber(value)),
  createNode(_schema, value) {
    const scalar = new Scalar(value);
    scalar.type = 'QUOTE_DOUBLE';
    return scalar;
  },
  resolve: (text) => text,
};

/**
 * Sequences stand as far left as their key, as in kubectl's YAML; long strings keep their line, and what a reader of YAML 1.1 or 1.2 takes for a number, a boolean
 * or a time is quoted.
 */
const STYLE = {
  lineWidth: 0,
  indentSeq: false,
  version: '1.1',
  compat: 'core',
  aliasDuplicateObjects: false,
  merge: false,
  customTags: (tags: Tags): Tags => [QUOTED_TEXT, ...tags.filter((tag) => !isMerge(tag)), MERGE],
} as const;

function isMerge(tag: Tags[number]): boolean {
  return typeof tag !== 'string' && tag.tag === MERGE.tag;
}

/** Only double-quoted YAML knows escapes, so a document that needs one is quoted throughout. */
const QUOTED = {
  ...STYLE,
  defaultStringType: 'QUOTE_DOUBLE',
  defaultKeyType: 'QUOTE_DOUBLE',
} as const;

export function yamlText(value: JsonValue, order: MemberOrder = 'given'): string {
  const sorted = order === 'kubectl' ? { sortMapEntries: comparePairs } : {};
  const text = stringify(value, { ...STYLE, ...sorted });
  if (text.search(UNSAFE) < 0) return text;
  return stringify(value, { ...QUOTED, ...sorted }).replace(UNSAFE, yamlEscape);
}

const comparePairs = (a: Pair, b: Pair): number => compareYamlKeys(keyOf(a), keyOf(b));

const keyOf = ({ key }: Pair): string => String(isScalar(key) ? key.value : key);

function yamlEscape(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16);
  return hex.length > 4 ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`;
}
