const SHORT: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/** Controls, format characters (bidi overrides, zero width), line separators, lone surrogates. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * Untrusted text made safe for a terminal or a grid cell: one line, no escape sequences, nothing
 * that reorders or hides text. What is not safe is shown as `\n`, `\x1b` or `\u202e`.
 */
export function cellText(text: string): string {
  return text.replace(UNSAFE, (character) => {
    const short = SHORT.get(character);
    if (short !== undefined) return short;
    const code = character.codePointAt(0) ?? 0;
    const hex = code.toString(16);
    if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`;
    return code > 0xffff ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
  });
}
