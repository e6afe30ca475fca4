/** The command line of the bench. */
import { parseArgs } from 'node:util';
import { chosenCases } from './cases';
import { growthSizes } from './growthSizes';

export interface BenchOptions {
  /** Which cases, by the beginning of their names; empty for all. */
  readonly cases: readonly string[];
  /** Pods of about 2 KB and of about 20 KB. */
  readonly pods: number;
  readonly largePods: number;
  readonly rounds: number;
  readonly rates: boolean;
  /** Most Pods of the growth figures; 0 for none. */
  readonly growthTo: number;
  /** Seconds for each answer of a measured process. */
  readonly patience: number;
  readonly json: string | undefined;
  readonly markdown: string | undefined;
  /** Where the pictures of growth go; without it, and with `markdown`, into the repository's. */
  readonly images: string | undefined;
  /** A folder for CPU profiles of the engine. */
  readonly profile: string | undefined;
  /** As it was typed, for the report. */
  readonly command: string;
}

const usage = `npm run bench -- [options]

  --case NAME       only cases whose name begins so: b, c, c-stream, d, e, …; may be repeated
  --pods N          Pods of about 2 KB (100000)
  --large-pods N    Pods of about 20 KB (20000; 0 for none)
  --rounds N        measured runs of each side, after one to warm up (5)
  --growth-to N     growth figures of 1000, 10000, 100000 and 500000 Pods, up to N (500000; 0 for none)
  --patience N      seconds that one run of a side may take (300)
  --no-rates        without selectors, tokens and metadata read per second
  --json FILE       all figures as JSON
  --markdown FILE   the tables into that file, between its markers
  --images DIR      the pictures of growth (this repository's docs/images when --markdown is given)
  --profile DIR     CPU profiles of the engine; its times are not to be trusted then
  --help

Growth and rates are left out when --case is given, unless asked for with --growth-to.
`;

const defaults = { pods: 100_000, largePods: 20_000, rounds: 5, growthTo: 500_000, patience: 300 };
/** The oracle ends what takes ten minutes. */
const mostPatience = 590;

function whole(
  name: string,
  text: string | undefined,
  otherwise: number,
  least: number,
  most = Number.MAX_SAFE_INTEGER,
): number {
  if (text === undefined) return otherwise;
  const number = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(number) || number < least || number > most) {
    const range = most === Number.MAX_SAFE_INTEGER ? `from ${least}` : `from ${least} to ${most}`;
    throw new Error(`--${name} takes a whole number ${range}`);
  }
  return number;
}

/** Less than the least size would be no growth, asked for in vain. */
function growthTo(text: string | undefined, otherwise: number): number {
  const most = whole('growth-to', text, otherwise, 0);
  const [least] = growthSizes;
  if (most > 0 && most < least) throw new Error(`--growth-to takes 0 or a number from ${least}`);
  return most;
}

function parse(args: readonly string[]): BenchOptions | undefined {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      case: { type: 'string', multiple: true },
      pods: text,
      'large-pods': text,
      rounds: text,
      'growth-to': text,
      patience: text,
      'no-rates': { type: 'boolean' },
      json: text,
      markdown: text,
      images: text,
      profile: text,
      help: { type: 'boolean' },
    },
  });
  if (values.help === true) {
    console.log(usage);
    return undefined;
  }
  const cases = values.case ?? [];
  chosenCases(cases);
  const whole_ = cases.length === 0;
  return {
    cases,
    pods: whole('pods', values.pods, defaults.pods, 1),
    largePods: whole('large-pods', values['large-pods'], whole_ ? defaults.largePods : 0, 0),
    rounds: whole('rounds', values.rounds, defaults.rounds, 1),
    rates: whole_ && values['no-rates'] !== true,
    growthTo: growthTo(values['growth-to'], whole_ ? defaults.growthTo : 0),
    patience: whole('patience', values.patience, defaults.patience, 1, mostPatience),
    json: values.json,
    markdown: values.markdown,
    images: values.images,
    profile: values.profile,
    command: ['npm run bench', ...(args.length === 0 ? [] : ['--', ...args])].join(' '),
  };
}

/** Undefined, and the exit code set, when there is nothing to run. */
export function parseOptions(args: readonly string[]): BenchOptions | undefined {
  try {
    return parse(args);
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`);
    process.exitCode = 2;
    return undefined;
  }
}
