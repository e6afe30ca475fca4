/** What the two forms that are written as commands share. */
import type { Span } from '../../kube/selectors';
import { finding, type Finding, type Fix } from '../findings';
import { isBlank } from '../source/lines';
import { plainlyMapped } from '../source/mappedText';
import { written } from '../source/writing';
import { flagChoices, flagNames, type Flag } from '../shell/flags';
import { readFlags, type FlagUse, type FlagWords } from '../shell/flagWords';
import { goParseBool } from '../goNumbers';
import { wholeOf } from '../source/parts';
import { pastedFindings } from './pastedText';
import { referenceWriting } from './references';
import type { Mark, MarkType } from './model';
import type { SpotChoice } from '../model';
import type { Options, Place, Stated } from './draft';
import { MATCH_CHOICES, STREAM_CHOICES } from './choices';
import type { ShellCommand, ShellProblemKind } from '../shell/commandLine';
import { writingIn, type ShellWord } from '../shell/words';

/** A command of which the first words are known. */
export interface Command extends FlagWords {
  readonly shell: ShellCommand;
  readonly flags: readonly Flag[];
  readonly keywords: readonly ShellWord[];
  /** What may be the second keyword; empty for a command that has none. */
  readonly verbs: readonly SpotChoice[];
}

export function commandOf(
  text: string,
  shell: ShellCommand,
  flags: readonly Flag[],
): FlagWords & { readonly shell: ShellCommand; readonly flags: readonly Flag[] } {
  const end = shell.problems.find(
    ({ kind, span }) => kind === 'operator' && endsCommand(text, span.start),
  );
  const own = end ? shell.words.filter(({ span }) => span.start < end.span.start) : shell.words;
  const { uses, operands, findings } = readFlags(own.slice(1), flags);
  return { uses, operands, findings, shell, flags };
}

const PROBLEMS: Readonly<Record<ShellProblemKind, (text: string) => string>> = {
  operator: (text) =>
    /[&;]/.test(text)
      ? `A shell takes ${text} for itself: put the word into single quotes.`
      : `A shell takes ${text} for itself: put the selector into single quotes.`,
  expansion: (text) =>
    `A shell puts something else in the place of ${text}, which is not done here: put it into single quotes.`,
  unclosed: (text) => `The quote ${text} is not closed on its line.`,
};

export function shellFindings(text: string, { problems, words }: ShellCommand): Finding[] {
  const told = problems.map(({ kind, span }) => {
    const shown = text.slice(span.start, span.start + 1);
    const isOperator = kind === 'operator';
    if (isOperator && endsCommand(text, span.start)) return behindCommand(text, span, words);
    const fixes = isOperator ? quotingFix(text, span, words) : [];
    return finding('query', PROBLEMS[kind](shown), span, fixes);
  });
  return [...told, ...pastedFindings(text, words)];
}

/** Whether an operator is meant as one: a selector has no pipe, and others stand within a word. */
function endsCommand(text: string, at: number): boolean {
  const operator = text.charAt(at);
  if (operator === '(' || operator === ')') return false;
  const isApart = [at - 1, at + 1].some((each) => /^\s?$/.test(text.charAt(each)));
  return operator === '|' || isApart || operatorStart(text, at) < at;
}

/** With the number of a redirected file and the blanks before it. */
function operatorStart(text: string, at: number): number {
  let start = at;
  const isNumbered = /[<>]/.test(text.charAt(at)) && /^[ \t]\d$/.test(text.slice(at - 2, at));
  if (isNumbered) start--;
  while (isBlank(text.charAt(start - 1))) start--;
  return start;
}

/** What a shell would do with the output, or another command. */
function behindCommand(text: string, span: Span, words: readonly ShellWord[]): Finding {
  const shown = text.slice(span.start, span.start + 1);
  const message = `Only the command before ${shown} is read here: leave out what follows.`;
  const end = words.at(-1)?.span.end ?? span.end;
  const edits = [{ span: { start: operatorStart(text, span.start), end }, text: '' }];
  return finding('query', message, span, [{ title: 'Leave it out', edits, preferred: true }]);
}

/** Whether the words are those that were meant: not where a shell would end the command early. */
export function isWhole(text: string, { problems, words }: ShellCommand): boolean {
  const isEnded = problems.some(({ kind }) => kind === 'operator');
  return !isEnded && pastedFindings(text, words).length === 0;
}

/** Quotes the words around the operator, between two flags. */
function quotingFix(text: string, { start }: Span, words: readonly ShellWord[]): Fix[] {
  const isFlag = (word: ShellWord | undefined): boolean =>
    word?.text.text.startsWith('-') !== false;
  const at = words.findIndex((word) => start < word.span.end);
  let first = at;
  while (!isFlag(words[first - 1])) first--;
  let last = at;
  while (!isFlag(words[last + 1])) last++;
  const span = { start: words[first]?.span.start ?? 0, end: words[last]?.span.end ?? 0 };
  const raw = text.slice(span.start, span.end);
  const put = written(raw, 'shell');
  // Without a flag before them they are no value.
  if (first < 1 || put === undefined || /^-|['"\\$`|&;]/.test(raw)) return [];
  return [{ title: 'Put it into quotes', edits: [{ span, text: put }], preferred: true }];
}

/**
 * What a shell would put into the text is not known, so neither is what is wrong with it. The same
 * goes for a text that an operator of the shell breaks off.
 */
export function withoutExpanded(options: Options, { problems }: ShellCommand): Options {
  const known = new Map(options);
  for (const name of ['labelSelector', 'fieldSelector'] as const) {
    const end = wholeOf(options.get(name)?.text ?? NO_TEXT).end;
    const isUnsure = problems.some(
      ({ kind, span }) => kind === 'expansion' || (kind === 'operator' && span.start < end),
    );
    if (isUnsure) known.delete(name);
  }
  return known;
}

const NO_TEXT = plainlyMapped('', 0);

/** The last use of each flag counts, as pflag has it. */
export class FlagUses {
  readonly findings: Finding[] = [];
  private readonly last = new Map<string, FlagUse>();

  constructor(uses: readonly FlagUse[], command: string) {
    for (const use of uses) {
      const earlier = this.last.get(use.flag.name);
      if (earlier !== undefined && use.flag.value !== 'switch') {
        const message = `${command} takes the last ${flagNames(use.flag)} alone.`;
        this.findings.push(finding('no-effect', message, earlier.name));
      }
      this.last.set(use.flag.name, use);
    }
  }

  get(name: string): FlagUse | undefined {
    return this.last.get(name);
  }

  stated(name: string): Stated | undefined {
    const use = this.last.get(name);
    if (use?.value === undefined) return undefined;
    return { text: use.value, anchor: use.name };
  }

  /** Whether a switch is on. */
  isOn(name: string): boolean {
    const use = this.last.get(name);
    if (use === undefined) return false;
    if (use.value === undefined) return true;
    const parsed = goParseBool(use.value.text);
    return 'value' in parsed && parsed.value;
  }

  /** What flags without effect and refused ones have to say, unless they are switched off. */
  effectFindings(): Finding[] {
    return [...this.last.values()].flatMap((use) => {
      if (use.flag.value === 'switch' && !this.isOn(use.flag.name)) return [];
      if (use.flag.effect === 'idle') return [finding('idle-flag', use.flag.why, use.name)];
      return use.flag.effect === 'refused' ? [finding('query', use.flag.why, use.name)] : [];
    });
  }
}

const VALUE_MARKS: Readonly<Partial<Record<Flag['value'], MarkType>>> = {
  int: 'number',
  whole: 'number',
  version: 'number',
  namespace: 'string',
  match: 'keyword',
  stream: 'keyword',
  text: 'string',
};

/** Selectors and tokens are marked where they are understood. */
export function commandMarks(command: Command): Mark[] {
  const { keywords, uses, shell } = command;
  return [
    ...keywords.map(({ span }): Mark => ({ span, type: 'keyword' })),
    ...uses.map(({ name }): Mark => ({ span: name, type: 'parameter' })),
    ...uses.flatMap(({ flag, value }): Mark[] => {
      const type = VALUE_MARKS[flag.value];
      return type === undefined || value === undefined ? [] : [{ span: wholeOf(value), type }];
    }),
    ...(shell.comment === undefined ? [] : [{ span: shell.comment, type: 'comment' } as const]),
  ];
}

/** What may be completed at an offset of the command. */
export function placeInCommand(command: Command, offset: number): Place | undefined {
  const { words, comment } = command.shell;
  if (comment !== undefined && offset > comment.start) return undefined;
  const word = words.find(({ span }) => span.start <= offset && offset <= span.end);
  if (word === undefined) return placeInGap(command, offset);
  if (command.keywords[0] === word) return undefined;
  const at: At = { text: word.text, writingIn: (span) => writingIn(word, span) };
  const isFlag = word.text.text.startsWith('-');
  if (command.keywords.includes(word) && !isFlag) return verbPlace(command, at);
  const use = command.uses.find(
    ({ valueWord, value }) =>
      valueWord === word && value !== undefined && offset >= wholeOf(value).start,
  );
  if (use?.value !== undefined) return valuePlace(use.flag, { ...at, text: use.value });
  if (isFlag) return flagPlace(command, at);
  return command.operands[0] === word ? resourcePlace(at) : undefined;
}

type At = Pick<Place, 'text' | 'writingIn'>;

function placeInGap(command: Command, offset: number): Place | undefined {
  const before = command.shell.words.findLast(({ span }) => span.end < offset);
  if (before === undefined || offset > command.shell.end) return undefined;
  const at: At = { text: plainlyMapped('', offset, 'shell'), writingIn: () => 'shell' };
  const pending = command.flags.find((flag) => flag.value !== 'switch' && isBare(before, flag));
  if (pending !== undefined) return valuePlace(pending, at);
  if (command.verbs.length > 0 && command.keywords.length < 2) return verbPlace(command, at);
  return command.operands.length > 0 ? flagPlace(command, at) : resourcePlace(at);
}

function isBare({ text }: ShellWord, { name, short }: Flag): boolean {
  return text.text === `--${name}` || (short !== '' && text.text === `-${short}`);
}

function resourcePlace(at: At): Place {
  return { ...at, kind: 'resource', choices: [], given: [] };
}

function verbPlace({ verbs }: Command, at: At): Place {
  return { ...at, kind: 'choice', choices: verbs, given: [] };
}

function flagPlace({ flags, uses }: Command, at: At): Place {
  const given = uses.map(({ flag }) => `--${flag.name}`);
  return { ...at, kind: 'flag', choices: flagChoices(flags), given };
}

function valuePlace({ value }: Flag, at: At): Place | undefined {
  const place = { ...at, choices: [], given: [] };
  switch (value) {
    case 'labels':
    case 'fields':
    case 'namespace':
      return { ...place, kind: value };
    case 'token':
      return { ...place, kind: value, writingIn: (span) => referenceWriting(at.writingIn(span)) };
    case 'match':
      return { ...place, kind: 'choice', choices: MATCH_CHOICES };
    case 'stream':
      return { ...place, kind: 'choice', choices: STREAM_CHOICES };
    default:
      return undefined;
  }
}
