/** What word processors and chats make of a command that is pasted out of them. */
import type { Span } from '../../kube/selectors';
import { finding, type Finding } from '../findings';
import type { ShellWord } from '../shell/words';

/** Blanks that no shell splits words at. */
const ODD_BLANK = /[\u00a0\u1680\u2000-\u200b\u202f\u205f\u3000\ufeff]/;
/** Hyphens and dashes that begin no flag. */
const ODD_HYPHEN = /^[\u2010-\u2015\u2212](?=[A-Za-z])/;

/** The first of each kind, outside quotes. */
export function pastedFindings(text: string, words: readonly ShellWord[]): Finding[] {
  return [...first(words, (word) => oddBlank(text, word)), ...first(words, oddHyphen)];
}

function first(
  words: readonly ShellWord[],
  find: (word: ShellWord) => Finding | undefined,
): Finding[] {
  for (const word of words) {
    const found = find(word);
    if (found !== undefined) return [found];
  }
  return [];
}

function oddBlank(text: string, { span, quoted }: ShellWord): Finding | undefined {
  const raw = text.slice(span.start, span.end);
  const index = raw.search(ODD_BLANK);
  if (index < 0) return undefined;
  const start = span.start + index;
  if (quoted.some((each) => each.span.start <= start && start < each.span.end)) return undefined;
  const message = 'This is no plain blank: a shell takes it as a part of the word.';
  return replacement(message, { start, end: start + 1 }, 'Write a plain blank', ' ');
}

/** A long dash stands for two hyphens. */
function oddHyphen({ text, span }: ShellWord): Finding | undefined {
  if (!ODD_HYPHEN.test(text.text)) return undefined;
  const isLong = text.text.startsWith('\u2014') || /^.[a-z]{2}/.test(text.text);
  const message = 'This is no plain hyphen: it begins no flag.';
  const at = { start: span.start, end: span.start + 1 };
  return replacement(message, at, 'Write plain hyphens', isLong ? '--' : '-');
}

function replacement(message: string, span: Span, title: string, text: string): Finding {
  return finding('query', message, span, [{ title, edits: [{ span, text }], preferred: true }]);
}
