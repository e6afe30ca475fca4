/** Go's `%q`: the form in which upstream's errors quote plain text (`strconv.Quote`). */
export function goQuote(text: string): string {
  let quoted = '"';
  for (const character of text) quoted += quoteCharacter(character);
  return `${quoted}"`;
}

const NAMED: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\x07', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
]);
const PRINTABLE = /^[ \p{L}\p{M}\p{N}\p{P}\p{S}]$/u;

function quoteCharacter(character: string): string {
  const named = NAMED.get(character);
  if (named !== undefined) return named;
  if (PRINTABLE.test(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code < 0x80) return `\\x${hex.padStart(2, '0')}`;
  return code > 0xffff ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`;
}
