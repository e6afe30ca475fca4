/** JSON and YAML text in which no stored text can act on a terminal, and integers stay exact. */
import { stringify } from 'yaml';
import type { JsonValue } from '../decode/jsonText';
import { printJson } from './printable';

/** What the encoders leave as it is and a terminal would obey; all of it stands inside strings. */
const UNSAFE = /[\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}]/gu;

/** `indent` stands before every line but the first. */
export function indentedJson(value: JsonValue, indent = ''): string {
  return escaped(printJson(value)).replaceAll('\n', `\n${indent}`);
}

export function compactJson(value: JsonValue): string {
  return escaped(printJson(value, 0));
}

const escaped = (json: string): string => json.replace(UNSAFE, jsonEscape);

function jsonEscape(character: string): string {
  return [...Array(character.length).keys()]
    .map((i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`)
    .join('');
}

/**
 * Long strings keep their line, and what a reader of YAML 1.1 or 1.2 takes for a number, a boolean
 * or a time is quoted.
 */
const STYLE = {
  lineWidth: 0,
  version: '1.1',
  compat: 'core',
  aliasDuplicateObjects: false,
} as const;

/** Only double-quoted YAML knows escapes, so a document that needs one is quoted throughout. */
const QUOTED = {
  ...STYLE,
  defaultStringType: 'QUOTE_DOUBLE',
  defaultKeyType: 'QUOTE_DOUBLE',
} as const;

export function yamlText(value: JsonValue): string {
  const text = stringify(value, STYLE);
  if (text.search(UNSAFE) < 0) return text;
  return stringify(value, QUOTED).replace(UNSAFE, yamlEscape);
}

function yamlEscape(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16);
  return hex.length > 4 ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`;
}
