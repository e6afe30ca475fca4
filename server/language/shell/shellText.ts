/** What stands at an offset of a shell's text, whatever was read before it. */
import { isLineBreak } from '../source/lines';

/** The text of a shell, or a part of it. */
export interface ShellText {
  readonly text: string;
  /** Nothing at or behind it is read. */
  readonly limit: number;
  /** Quotes that their line does not close end with it. */
  readonly isOneLine: boolean;
}

/** Whether nothing of the same quotes can stand there. */
export function isEnd({ text, limit, isOneLine }: ShellText, at: number): boolean {
  return at >= limit || (isOneLine && isLineBreak(text.charAt(at)));
}

/** Behind the line break that a backslash here takes away; undefined where there is none. */
export function behindJoint({ text, limit }: ShellText, at: number): number | undefined {
  const next = at + 1;
  if (at >= limit || text.charAt(at) !== '\\') return undefined;
  if (next >= limit) return limit;
  if (!isLineBreak(text.charAt(next))) return undefined;
  return Math.min(limit, next + (text.startsWith('\r\n', next) ? 2 : 1));
}

/** Whether `$'` stands there, which begins quotes with escapes in bash and zsh. */
export function isAnsiQuote({ text, limit }: ShellText, at: number): boolean {
  return at + 1 < limit && text.startsWith("$'", at);
}

/**
 * Whether a shell puts something in the place of the dollar here and what follows. Also where the line
 * goes on right behind it, so that anything may follow.
 */
export function isExpansion({ text, limit }: ShellText, at: number): boolean {
  const next = at + 1 < limit ? text.charAt(at + 1) : '';
  if (next === '\\') return at + 2 >= limit || isLineBreak(text.charAt(at + 2));
  return /[A-Za-z0-9_{(@*#?$!-]/.test(next);
}
