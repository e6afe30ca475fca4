/** Whether a line may hold a continue token under the pointer, told without decoding anything. */

/** Beyond this, a line is cut around the pointer. */
export const longestLine = 10_000;

/**
 * Where the language server may find a token: base64 of `{` and a quote or white space, of either
 * alphabet, at least as long as the shortest JSON with two of a token's fields. Before it stands
 * nothing of the alphabet, or an escape that ends with a letter or digit of it.
 */
const tokenPattern =
  /(?:(?<![\w-])|(?<=%(?:25){0,3}[\da-fA-F]{2}|\\(?:[bfnrt]|u[\da-fA-F]{4}|x[\da-fA-F]{2})))e[wy][\w+/-]{14,}(?:={1,2}|(?:%(?:25){0,3}3[dD]){1,2}|(?:\\u003[dD]){1,2}|(?:\\x3[dD]){1,2})?/g;

export interface Candidate {
  /** The line, or its part around the pointer. */
  readonly line: string;
  /** UTF-16 offset of the pointer in `line`. */
  readonly character: number;
  /** Where `line` begins in the whole line. */
  readonly offset: number;
}

/** Undefined when no token can stand under the pointer. */
export function candidateAt(whole: string, pointer: number): Candidate | undefined {
  const offset = whole.length > longestLine ? Math.max(0, pointer - longestLine / 2) : 0;
  const line = whole.slice(offset, offset + longestLine);
  const character = pointer - offset;
  for (const match of line.matchAll(tokenPattern)) {
    if (match.index > character) return undefined;
    if (character <= match.index + match[0].length) return { line, character, offset };
  }
  return undefined;
}

/** Whether a text may hold a continue token anywhere. */
export function tokenIn(text: string): boolean {
  return text.search(tokenPattern) >= 0;
}
