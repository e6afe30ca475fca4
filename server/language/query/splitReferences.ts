/** `{{ name.continue }}` with blanks, at which a shell and an address end. */
import type { Span } from '../../kube/selectors';
import { finding, type Finding } from '../findings';
import type { ShellCommand } from '../shell/commandLine';
import type { ShellWord } from '../shell/words';
import { plainlyMapped } from '../source/mappedText';

const SPLIT = /\{\{[ \t]*[\w.-]{1,200}[ \t]*\}\}$/;
/** Words of one: the braces and what stands between them. */
const MOST_WORDS = 3;

/** What is to be written in its place. */
export function withoutBlanks(text: string, span: Span): Finding {
  const put = text.slice(span.start, span.end).replace(/[ \t]/g, '');
  const fix = { title: 'Remove the blanks', edits: [{ span, text: put }], preferred: true };
  return finding('query', `Blanks end it: write ${put}.`, span, [fix]);
}

/** The end of one that begins at this offset; undefined for what is none, or has no blanks. */
export function splitReferenceEnd(
  text: string,
  start: number,
  lineEnd: number,
): number | undefined {
  if (!text.startsWith('{{', start)) return undefined;
  const shown = text.slice(start, Math.min(lineEnd, start + 300));
  const whole = /^\{\{[^{}]*\}\}/.exec(shown)?.[0] ?? '';
  return /[ \t]/.test(whole) && SPLIT.test(whole) ? start + whole.length : undefined;
}

/** The command with each of them as the part of one word that is meant. */
export function withReferences(
  text: string,
  shell: ShellCommand,
): { readonly shell: ShellCommand; readonly findings: readonly Finding[] } {
  const words: ShellWord[] = [];
  const findings: Finding[] = [];
  for (let at = 0; at < shell.words.length;) {
    const parts = shell.words.slice(at, at + MOST_WORDS);
    const joined = parts.length > 1 ? joinedWord(text, parts) : undefined;
    const word = joined?.word ?? parts[0];
    if (word !== undefined) words.push(word);
    if (joined !== undefined) findings.push(withoutBlanks(text, joined.reference));
    at += joined?.count ?? 1;
  }
  return { shell: { ...shell, words }, findings };
}

interface Joined {
  readonly word: ShellWord;
  readonly reference: Span;
  readonly count: number;
}

function joinedWord(text: string, parts: readonly ShellWord[]): Joined | undefined {
  const [first] = parts;
  if (first === undefined || !first.text.text.includes('{{')) return undefined;
  const count = parts.findIndex((word) => word.text.text.endsWith('}}')) + 1;
  const own = parts.slice(0, count);
  if (count < 2 || own.some(({ quoted }) => quoted.length > 0)) return undefined;
  const span = { start: first.span.start, end: own.at(-1)?.span.end ?? first.span.end };
  const written = text.slice(span.start, span.end);
  const index = SPLIT.exec(written)?.index;
  if (index === undefined) return undefined;
  const mapped = plainlyMapped(written, span.start, 'shell');
  const word = { text: mapped, span, quoted: [], isSure: true };
  return { word, reference: { start: span.start + index, end: span.end }, count };
}
