/** The command line of the bench of the language side. */
import { parseArgs } from 'node:util';

export interface LanguageOptions {
  /** Of the manifest that is gone over, and of the larger of the two that both servers get. */
  readonly lines: number;
  /** Of each of the large texts; 0 for none. */
  readonly megabytes: number;
  readonly rounds: number;
  /** Seconds for each answer. */
  readonly patience: number;
  readonly markdown: string | undefined;
  /** As it was typed, for the report. */
  readonly command: string;
}

const usage = `npm run bench:language -- [options]

  --lines N         lines of the manifest (20000)
  --megabytes N     size of each of the two large texts (50; 0 for none)
  --rounds N        measured runs of each way, after one to warm up (7)
  --patience N      seconds that one answer may take (600)
  --markdown FILE   the tables into that file, between its markers
  --help
`;

const least = { lines: 200, megabytes: 0, rounds: 1, patience: 1 };
const usual = { lines: 20_000, megabytes: 50, rounds: 7, patience: 600 };
const most = { lines: 1_000_000, megabytes: 400, rounds: 1000, patience: 86_400 };

function whole(name: keyof typeof usual, text: string | undefined): number {
  if (text === undefined) return usual[name];
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < least[name] || number > most[name]) {
    throw new Error(`--${name} takes a whole number from ${least[name]} to ${most[name]}`);
  }
  return number;
}

function parse(args: readonly string[]): LanguageOptions | undefined {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      lines: text,
      megabytes: text,
      rounds: text,
      patience: text,
      markdown: text,
      help: { type: 'boolean' },
    },
  });
  if (values.help === true) {
    console.log(usage);
    return undefined;
  }
  return {
    lines: whole('lines', values.lines),
    megabytes: whole('megabytes', values.megabytes),
    rounds: whole('rounds', values.rounds),
    patience: whole('patience', values.patience),
    markdown: values.markdown,
    command: ['npm run bench:language', ...(args.length === 0 ? [] : ['--', ...args])].join(' '),
  };
}

/** Undefined, and the exit code set, when there is nothing to run. */
export function parseOptions(args: readonly string[]): LanguageOptions | undefined {
  try {
    return parse(args);
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`);
    process.exitCode = 2;
    return undefined;
  }
}
