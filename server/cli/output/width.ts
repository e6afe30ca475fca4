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
  const kept = room - 1;
  const head = characters.slice(0, Math.ceil(kept / 3));
  const tail = characters.slice(characters.length - Math.floor((kept * 2) / 3));
  return `${head.join('')}…${tail.join('')}`;
}
