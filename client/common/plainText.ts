/** Most of a text from elsewhere that a sentence repeats, in UTF-16 units. */
const longest = 100;

/** Controls, format characters (bidi overrides, zero width), lone surrogates, line separators. */
const unsafe = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** Whether a text would break a line, or hide or reorder what stands beside it. */
export function hasControls(text: string): boolean {
  return unsafe.test(text);
}

/** Text from elsewhere as part of a sentence: one line, nothing hidden in it, not too long. */
export function plainText(text: string): string {
  const cut = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return cut.replaceAll(new RegExp(unsafe, 'gu'), '\u{fffd}');
}
