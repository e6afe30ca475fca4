/** Tokens of a label selector's text. */

import type { Span } from './types';

/** Upstream's names of tokens. Its error token is left out: no text produces one. */
export type LabelTokenKind =
  | 'ClosedPar'
  | 'Comma'
  | 'DoesNotExist'
  | 'DoubleEquals'
  | 'Equals'
  | 'GreaterThan'
  | 'Identifier'
  | 'In'
  | 'LessThan'
  | 'NotEquals'
  | 'NotIn'
  | 'OpenPar'
  | 'EndOfString';

export interface LabelToken {
  readonly kind: LabelTokenKind;
  /** The characters of the token; empty at the end. */
  readonly text: string;
  readonly span: Span;
}

const kinds: ReadonlyMap<string, LabelTokenKind> = new Map<string, LabelTokenKind>([
  [')', 'ClosedPar'],
  [',', 'Comma'],
  ['!', 'DoesNotExist'],
  ['==', 'DoubleEquals'],
  ['=', 'Equals'],
  ['>', 'GreaterThan'],
  ['in', 'In'],
  ['<', 'LessThan'],
  ['!=', 'NotEquals'],
  ['notin', 'NotIn'],
  ['(', 'OpenPar'],
]);

function isSymbol(character: string): boolean {
  return character !== '' && '=!(),><'.includes(character);
}

function isBlank(character: string): boolean {
  return character !== '' && ' \t\r\n'.includes(character);
}

/**
 * The tokens in order, the last one always `EndOfString`. A NUL ends the token it follows and is
 * swallowed; met between tokens it ends the whole input, and the end token stands there.
 *
 * Upstream: `labels.Lexer`.
 */
export function lexLabelSelector(text: string): LabelToken[] {
  const tokens: LabelToken[] = [];
  let at = 0;
  for (;;) {
    while (isBlank(text.charAt(at))) at++;
    const character = text.charAt(at);
    if (character === '' || character === '\0') {
      tokens.push({ kind: 'EndOfString', text: '', span: { start: at, end: at } });
      return tokens;
    }
    const end = isSymbol(character) ? symbolEnd(text, at) : wordEnd(text, at);
    const word = text.slice(at, end);
    tokens.push({ kind: kinds.get(word) ?? 'Identifier', text: word, span: { start: at, end } });
    at = text.charAt(end) === '\0' ? end + 1 : end;
  }
}

/** The longest known symbol wins. */
function symbolEnd(text: string, at: number): number {
  return kinds.has(text.slice(at, at + 2)) && isSymbol(text.charAt(at + 1)) ? at + 2 : at + 1;
}

function wordEnd(text: string, at: number): number {
  let end = at;
  for (;;) {
    const character = text.charAt(end);
    if (character === '' || character === '\0' || isSymbol(character) || isBlank(character)) {
      return end;
    }
    end++;
  }
}
