/** What the token inspector opens on. */
import { tokenIn } from '../hover/candidate';

export interface TokenSources {
  /** Of the command: from a link or a keybinding. */
  readonly argument: unknown;
  readonly selection: string;
  readonly clipboard: string;
}

/** Pasted text that is longer is cut: no token is that long. */
const longest = 100_000;

/** The argument, else the selection, else a clipboard that looks like it holds a token, else nothing. */
export function tokenText({ argument, selection, clipboard }: TokenSources): string {
  if (typeof argument === 'string' && argument !== '') return argument.slice(0, longest);
  if (selection.trim() !== '') return selection.slice(0, longest);
  return tokenIn(clipboard.slice(0, longest)) ? clipboard.slice(0, longest) : '';
}
