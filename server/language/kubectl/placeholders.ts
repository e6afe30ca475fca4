/** What `xargs`, `parallel`, `printf` and their like put another text in the place of. */
import type { ShellWord } from '../shell/words';

/** Braces of `xargs`, `parallel`, `find` and formats, and the verbs of `printf`; no label has either. */
const USUAL = /\{[\w.:/#%+-]*\}|%(?:\d+\$)?[-#0 +]*\d*[sdvqi]|%\(\w+\)s/;

const TAKES_A_NAME = /(?:^|\/)(?:xargs|parallel)$/;

/** Whether such a text stands among those that the words before the command name. */
export function placeholdersIn(before: readonly ShellWord[]): (text: string) => boolean {
  const taker = before.findIndex(({ text }) => TAKES_A_NAME.test(text.text));
  const options = taker < 0 ? [] : before.slice(taker + 1);
  const named = options.flatMap((word, i) => namedBy(word, options[i + 1]));
  return (text) => USUAL.test(text) || named.some((name) => text.includes(name));
}

/** `-I %`, `-I%`, `--replace=%`. */
function namedBy({ text }: ShellWord, next: ShellWord | undefined): string[] {
  const name = /^(?:-[A-Za-z\d]*[Ii]|--replace=?)(.*)$/.exec(text.text)?.[1];
  const named = name === '' ? next?.text.text : name;
  return named === undefined || named === '' ? [] : [named];
}
