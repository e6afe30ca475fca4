/** Columns that text takes on a terminal. */
import stringWidth from 'string-width';

export const textWidth = (text: string): number => stringWidth(text);

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)));
}

export function padStart(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - textWidth(text))) + text;
}

/** The least that a shortened text keeps. */
const shortest = 12;

/** The text with its middle left out, so that it takes at most `width` columns. */
export function elideMiddle(text: string, width: number): string {
  const room = Math.max(shortest, width);
  if (textWidth(text) <= room) return text;
  const characters = Array.from(text);
  const head = fitting(characters, Math.ceil((room - 1) / 3));
  const tail = fitting(characters.reverse(), room - 1 - textWidth(head.join('')));
  return `${head.join('')}…${tail.reverse().join('')}`;
}

/** The first characters that fit into so many columns. */
function fitting(characters: readonly string[], columns: number): string[] {
  let used = 0;
  const end = characters.findIndex((character) => (used += textWidth(character)) > columns);
  return characters.slice(0, end < 0 ? characters.length : end);
}
