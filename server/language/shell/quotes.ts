/** How a shell reads quotes and backslashes within a word. Each returns the offset behind what it read. */
import { readAnsiQuoted } from './ansiQuote';
import { behindJoint, isEnd, type ShellText } from './shellText';
import type { WordBuilder } from './words';

/** From an opening `'` on. */
export function readSingle(word: WordBuilder, shell: ShellText, at: number): number {
  const start = at + 1;
  const { text } = shell;
  let end = start;
  while (!isEnd(shell, end) && text.charAt(end) !== "'") end++;
  word.run(text.slice(start, end), start);
  const isClosed = !isEnd(shell, end);
  word.quote({ start, end }, 'shellSingle', isClosed);
  return isClosed ? end + 1 : end;
}

/** From `$'` on. */
export function readAnsi(word: WordBuilder, shell: ShellText, at: number): number {
  const start = at + 2;
  const end = readAnsiQuoted(word.text, shell, start);
  const isClosed = !isEnd(shell, end);
  word.quote({ start, end }, undefined, isClosed);
  return isClosed ? end + 1 : end;
}

/** A backslash outside quotes. */
export function readEscape(word: WordBuilder, shell: ShellText, at: number): number {
  const joined = behindJoint(shell, at);
  if (joined !== undefined) return joined;
  word.piece(shell.text.charAt(at + 1), at, at + 2);
  return at + 2;
}

/** Only `$`, a backquote, `"` and another one lose their meaning behind a backslash in double quotes. */
export function readDoubleEscape(word: WordBuilder, shell: ShellText, at: number): number {
  const next = at + 1 < shell.limit ? shell.text.charAt(at + 1) : '';
  if (next !== '' && '$`"\\'.includes(next)) {
    word.piece(next, at, at + 2);
    return at + 2;
  }
  const joined = behindJoint(shell, at);
  if (joined === undefined) word.run('\\', at);
  return joined ?? at + 1;
}

/** Characters in double quotes that mean themselves; the first one is not looked at. */
export function readInDouble(word: WordBuilder, shell: ShellText, at: number): number {
  let end = at + 1;
  while (!isEnd(shell, end) && !'"\\`$'.includes(shell.text.charAt(end))) end++;
  word.run(shell.text.slice(at, end), at);
  return end;
}
