/** Escaping of values in field selectors. */

/** Prefixes `\`, `,` and `=` with a backslash. Upstream: `fields.EscapeValue`. */
export function escapeFieldValue(value: string): string {
  return value.replace(/[\\,=]/g, '\\$&');
}

/** Why a value cannot be unescaped, with the offsets of the blamed characters in the value. */
export interface UnescapeError {
  readonly kind: 'InvalidEscapeSequence' | 'UnescapedRune';
  readonly message: string;
  readonly start: number;
  readonly end: number;
}

/** The literal value, or what is wrong with the text. Upstream: `fields.UnescapeValue`. */
export function unescapeFieldValue(text: string): string | UnescapeError {
  if (!/[\\,=]/.test(text)) return text;
  const out: string[] = [];
  for (let i = 0; i < text.length; i++) {
    const character = text.charAt(i);
    if (character === ',' || character === '=') return unescapedRune(character, i);
    if (character !== '\\') {
      out.push(character);
      continue;
    }
    i++;
    const next = text.charAt(i);
    if (next === '' || !'\\,='.includes(next)) return invalidEscape(text, i);
    out.push(next);
  }
  return out.join('');
}

/** The character is told by its decimal code. */
function unescapedRune(character: string, at: number): UnescapeError {
  const code = character.charCodeAt(0);
  return {
    kind: 'UnescapedRune',
    message: `invalid field selector: unescaped character in value: ${code}`,
    start: at,
    end: at + 1,
  };
}

/** `at` is the index behind the backslash, where a whole character may stand or the text end. */
function invalidEscape(text: string, at: number): UnescapeError {
  const rune = text.codePointAt(at);
  const character = rune === undefined ? '' : String.fromCodePoint(rune);
  return {
    kind: 'InvalidEscapeSequence',
    message: `invalid field selector: invalid escape sequence: \\${character}`,
    start: at - 1,
    end: at + character.length,
  };
}
