/** What the token inspector opens on. */
import { tokenIn } from '../hover/candidate';

export interface TokenSources {
  /** Of the command: from a link or a keybinding. */
  readonly argument: unknown;
  readonly selection: string;
  /** Asked last: a browser asks the person for leave to read it. */
  readonly clipboard: () => PromiseLike<string>;
}

/** Pasted text that is longer is cut: no token is that long. */
const longest = 100_000;

/** The argument, else the selection, else a clipboard that looks like it holds a token, else nothing. */
export async function tokenText({ argument, selection, clipboard }: TokenSources): Promise<string> {
  if (typeof argument === 'string' && argument !== '') return argument.slice(0, longest);
  if (selection.trim() !== '') return selection.slice(0, longest);
  const text = (await clipboard()).slice(0, longest);
  return tokenIn(text) ? text : '';
}
