/** Flags and operands among the words of a command, as pflag finds them. */
import { goQuote } from '../../common/goText';
import { nearest } from '../../common/nearest';
import { cellText } from '../../kube/print/cellText';
import type { Span } from '../../kube/selectors';
import { finding, type Finding, type Fix } from '../findings';
import type { MappedText } from '../source/mappedText';
import { written } from '../source/writing';
import { flagNames, type Flag } from './flags';
import { goParseBool, goParseIntLiteral } from '../goNumbers';
import { wholeOf } from '../source/parts';
import { wordPart, writingIn, type ShellWord } from './words';

export interface FlagUse {
  readonly flag: Flag;
  /** As it is written: `--selector` or `-l`. */
  readonly label: string;
  /** The characters of the flag. */
  readonly name: Span;
  /** The word that holds the value; undefined where there is none. */
  readonly valueWord: ShellWord | undefined;
  readonly value: MappedText | undefined;
}

export interface FlagWords {
  readonly uses: readonly FlagUse[];
  readonly operands: readonly ShellWord[];
  readonly findings: readonly Finding[];
}

/** A flag that is not known is taken as a switch, so that what follows it is still understood. */
export function readFlags(words: readonly ShellWord[], flags: readonly Flag[]): FlagWords {
  const reader = new FlagReader(words, flags);
  reader.read();
  return reader;
}

class FlagReader implements FlagWords {
  readonly uses: FlagUse[] = [];
  readonly operands: ShellWord[] = [];
  /** Made when they are asked for: near names are looked for. */
  private readonly problems: (() => Finding)[] = [];
  private at = 0;

  constructor(
    private readonly words: readonly ShellWord[],
    private readonly flags: readonly Flag[],
  ) {}

  get findings(): readonly Finding[] {
    return this.problems.map((tell) => tell());
  }

  read(): void {
    for (let word = this.take(); word !== undefined; word = this.take()) {
      const { text } = word.text;
      if (!text.startsWith('-') || text === '-') this.operands.push(word);
      else if (text === '--') this.takeRest();
      else if (text.startsWith('--')) this.readLong(word, text);
      else this.readShorts(word, text);
    }
  }

  private take(): ShellWord | undefined {
    const word = this.words[this.at];
    this.at++;
    return word;
  }

  private takeRest(): void {
    for (const word of this.words.slice(this.at)) this.operands.push(word);
    this.at = this.words.length;
  }

  private readLong(word: ShellWord, text: string): void {
    if (text.startsWith('---') || text.startsWith('--=')) {
      this.problems.push(() => finding('query', `bad flag syntax: ${cellText(text)}`, word.span));
      return;
    }
    const equals = text.indexOf('=');
    const nameEnd = equals < 0 ? text.length : equals;
    const label = text.slice(0, nameEnd);
    const name = word.text.place({ start: 0, end: nameEnd });
    const flag = this.flags.find((each) => `--${each.name}` === label);
    if (flag === undefined) this.problems.push(() => this.unknown(word, label, name));
    else if (equals >= 0) this.use(flag, label, name, word, wordPart(word, equals + 1));
    else this.useApart(flag, label, name, `flag needs an argument: ${label}`);
  }

  private readShorts(word: ShellWord, text: string): void {
    for (let i = 1; i < text.length; i++) {
      const letter = text.charAt(i);
      const name = word.text.place({ start: i === 1 ? 0 : i, end: i + 1 });
      const flag = this.flags.find(({ short }) => short === letter);
      if (flag === undefined) {
        this.problems.push(() => unknownLetter(letter, text.slice(i), name));
        return;
      }
      const rest = text.slice(i + 1);
      const label = `-${letter}`;
      if (rest.length > 1 && rest.startsWith('=')) {
        this.use(flag, label, name, word, wordPart(word, i + 2));
        return;
      }
      if (flag.value !== 'switch') {
        if (rest !== '') this.use(flag, label, name, word, wordPart(word, i + 1));
        else this.useApart(flag, label, name, needsArgument(letter, text.slice(i)));
        return;
      }
      this.use(flag, label, name, undefined, undefined);
    }
  }

  /** The next word is the value, whatever it looks like. */
  private useApart(flag: Flag, label: string, name: Span, missing: string): void {
    if (flag.value === 'switch') {
      this.use(flag, label, name, undefined, undefined);
      return;
    }
    const word = this.take();
    if (word === undefined) this.problems.push(() => finding('query', missing, name));
    this.use(flag, label, name, word, word && wordPart(word, 0));
  }

  private use(
    flag: Flag,
    label: string,
    name: Span,
    valueWord: ShellWord | undefined,
    value: MappedText | undefined,
  ): void {
    this.uses.push({ flag, label, name, valueWord, value });
    const problem = value && problemOf(flag, value.text);
    if (problem !== undefined) {
      this.problems.push(() => invalidArgument(flag, value, problem, name));
    }
  }

  private unknown(word: ShellWord, label: string, name: Span): Finding {
    const names = nearFlags(label, this.flags);
    const hint = names[0] === undefined ? '' : `; did you mean ${names[0]}?`;
    const writing = writingIn(word, name);
    const fixes = names.flatMap((text, i): Fix[] => {
      const put = writing === undefined ? undefined : written(text, writing);
      if (put === undefined) return [];
      return [
        { title: `Change to ${text}`, edits: [{ span: name, text: put }], preferred: i === 0 },
      ];
    });
    return finding('query', `unknown flag: ${cellText(label)}${hint}`, name, fixes);
  }
}

function unknownLetter(letter: string, rest: string, name: Span): Finding {
  const problem = `unknown shorthand flag: ${quotedLetter(letter)} in -${cellText(rest)}`;
  return finding('query', problem, name);
}

function problemOf({ value: type }: Flag, text: string): string | undefined {
  if (type !== 'switch' && type !== 'int') return undefined;
  const parsed = type === 'switch' ? goParseBool(text) : goParseIntLiteral(text);
  return 'problem' in parsed ? parsed.problem : undefined;
}

/** Upstream: pflag's `InvalidValueError`. */
function invalidArgument(
  flag: Flag,
  value: MappedText | undefined,
  problem: string,
  name: Span,
): Finding {
  const text = value?.text ?? '';
  const message = `invalid argument ${goQuote(text)} for ${goQuote(flagNames(flag))} flag: ${problem}`;
  return finding('query', message, value === undefined || text === '' ? name : wholeOf(value));
}

/** How other tools call what a flag of kubectl takes. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['label-selector', 'selector'],
  ['labels', 'selector'],
  ['label', 'selector'],
  ['selectors', 'selector'],
  ['fields', 'field-selector'],
  ['field', 'field-selector'],
]);

/** The one that is meant, else those that are spelled nearly so, else those that end with the word. */
function nearFlags(label: string, flags: readonly Flag[]): string[] {
  const known = flags.map(({ name }) => `--${name}`);
  const meant = meantBy(label);
  if (known.includes(meant)) return [meant];
  const spelled = nearest(label, known);
  if (spelled.length > 0 || label.length < 5) return spelled;
  return known.filter((name) => name.endsWith(label.slice(1)));
}

/** With the words apart as kubectl writes them: `--fieldSelector`, `--field_selector`. */
function meantBy(label: string): string {
  const words = label
    .slice(2)
    .replace(/_/g, '-')
    .replace(/(?<=[a-z])[A-Z]/g, (letter) => `-${letter}`)
    .toLowerCase();
  return `--${OTHER_NAMES.get(words) ?? words}`;
}

/** Upstream's `%q` of one character. */
function quotedLetter(letter: string): string {
  return `'${goQuote(letter).slice(1, -1)}'`;
}

function needsArgument(letter: string, rest: string): string {
  return `flag needs an argument: ${quotedLetter(letter)} in -${rest}`;
}
