/** Flags of a command, as data. */
import type { SpotChoice } from '../model';

/** What a flag's value is; `switch` has none, or one behind `=`. An `int` is read by pflag itself. */
export type FlagValue =
  | 'switch'
  | 'labels'
  | 'fields'
  | 'namespace'
  | 'int'
  | 'whole'
  | 'version'
  | 'match'
  | 'token'
  | 'stream'
  | 'url'
  | 'text';

export interface Flag {
  readonly name: string;
  /** One letter, or empty. */
  readonly short: string;
  readonly value: FlagValue;
  /** One short line. */
  readonly about: string;
  /**
   * `stated`: it is part of the request. `silent`: it changes nothing that is stored or read, and
   * everybody knows. `idle`: it changes nothing here, which is said. `refused`: `why` says what to do.
   */
  readonly effect: 'stated' | 'silent' | 'idle' | 'refused';
  /** For `idle` and `refused`: a sentence. */
  readonly why: string;
}

/** `-n, --namespace` as pflag names a flag in errors. */
export function flagNames({ name, short }: Flag): string {
  return short === '' ? `--${name}` : `-${short}, --${name}`;
}

type Names = `--${string}` | `-${string} --${string}`;

export function stated(names: Names, value: FlagValue, about: string): Flag {
  return flag(names, value, about, 'stated', '');
}

export function silent(names: Names, value: FlagValue, about: string): Flag {
  return flag(names, value, about, 'silent', '');
}

export function idle(names: Names, value: FlagValue, about: string, why: string): Flag {
  return flag(names, value, about, 'idle', why);
}

/** Why a flag is idle that says how the command shows what it read. */
export const PRINTED =
  'What is printed is chosen where the query runs: this flag has no effect here.';
/** Why a flag is idle that says where the command reads, or as whom. */
export const CONNECTED = 'The connected etcd is read: this flag has no effect here.';

/** Such a flag, with a text. */
export function access(name: string, about: string): Flag {
  return idle(`--${name}`, 'text', about, CONNECTED);
}

export function refused(names: Names, value: FlagValue, about: string, why: string): Flag {
  return flag(names, value, about, 'refused', why);
}

function flag(
  names: Names,
  value: FlagValue,
  about: string,
  effect: Flag['effect'],
  why: string,
): Flag {
  const [first = '', second] = names.split(' ');
  const long = second ?? first;
  const short = second === undefined ? '' : first.slice(1);
  return { name: long.slice(2), short, value, about, effect, why };
}

/** Flags to offer: those that are part of a request. */
export function flagChoices(flags: readonly Flag[]): SpotChoice[] {
  return flags
    .filter(({ effect }) => effect === 'stated')
    .flatMap(({ name, short, about }) => [
      { text: `--${name}`, detail: about },
      ...(short === '' ? [] : [{ text: `-${short}`, detail: about }]),
    ]);
}
