/** Selectors of commands that a shell takes apart, since they stand in no quotes. */
import type { Span } from '../../kube/selectors';
import { labelKeyErrors } from '../../kube/selectors';
import type { Edit } from '../findings';
import type { MappedText } from '../source/mappedText';
import { wholeOf } from '../source/parts';

/** Places are those of the shell's text. */
export interface CutShort {
  /** The character that the shell takes for itself. */
  readonly span: Span;
  /** The shell refuses it; else it makes another command of it. */
  readonly isRefused: boolean;
  /** Quotes around what was meant; undefined where nobody knows how far it goes. */
  readonly quotes: Edit | undefined;
}

/** Longer ones were written by no person. */
const LONGEST = 1000;

/** Undefined where the shell leaves the selector as it is; `value` is what it makes of it. */
export function cutShort(shell: string, value: MappedText): CutShort | undefined {
  if (value.writing !== 'shell') return undefined;
  const { start, end } = wholeOf(value);
  const behind = shell.slice(end, end + LONGEST);
  const list = /^[ \t]+(?:not)?in[ \t]*(?=\()/.exec(behind);
  const bound =
    labelKeyErrors(value.text).length === 0 ? /^(?=[<>]\d+(?:\s|$))/.exec(behind) : null;
  const before = list ?? bound;
  if (before === null) return undefined;
  const at = end + before[0].length;
  const pattern = list === null ? /^[<>]\d+/ : /^\([\w., \t/-]*\)(?:,[^\s'"\\$`();&|<>]+)?/;
  const rest = pattern.exec(shell.slice(at, at + LONGEST))?.[0];
  const whole = rest === undefined ? undefined : { start, end: at + rest.length };
  const quotes = whole && { span: whole, text: `'${shell.slice(whole.start, whole.end)}'` };
  return { span: { start: at, end: at + 1 }, isRefused: list !== null, quotes };
}
