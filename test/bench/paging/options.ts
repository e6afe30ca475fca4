/** The command line of the bench of page sizes. */
import { parseArgs } from 'node:util';

export interface PagingOptions {
  readonly pods: number;
  readonly rounds: number;
  /** The client's limits. */
  readonly limits: readonly number[];
  /** Seconds for one comparison. */
  readonly patience: number;
  readonly markdown: string | undefined;
  /** Where the pictures go. */
  readonly images: string | undefined;
  /** As it was typed, for the report. */
  readonly command: string;
}

const usage = `npm run bench:paging -- [options]

  --pods N          Pods of about 2 KB (100000)
  --rounds N        runs of each way (3)
  --limit N         the client's limit; may be repeated (100 and 500)
  --patience N      seconds that one comparison may take (600)
  --markdown FILE   the tables into that file, between its markers
  --images DIR      the pictures
  --help
`;

const usual = { pods: 100_000, rounds: 3, patience: 600 };
const most = { pods: 1_000_000, rounds: 100, patience: 86_400, limit: 9_999 };

function whole(name: keyof typeof most, text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < 1 || number > most[name]) {
    throw new Error(`--${name} takes a whole number from 1 to ${most[name]}`);
  }
  return number;
}

function parse(args: readonly string[]): PagingOptions | undefined {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      pods: text,
      rounds: text,
      limit: { type: 'string', multiple: true },
      patience: text,
      markdown: text,
      images: text,
      help: { type: 'boolean' },
    },
  });
  if (values.help === true) {
    console.log(usage);
    return undefined;
  }
  const given = (name: keyof typeof usual): number =>
    values[name] === undefined ? usual[name] : whole(name, values[name]);
  return {
    pods: given('pods'),
    rounds: given('rounds'),
    limits: (values.limit ?? ['100', '500']).map((limit) => whole('limit', limit)),
    patience: given('patience'),
    markdown: values.markdown,
    images: values.images,
    command: ['npm run bench:paging', ...(args.length === 0 ? [] : ['--', ...args])].join(' '),
  };
}

/** Undefined, and the exit code set, when there is nothing to run. */
export function parseOptions(args: readonly string[]): PagingOptions | undefined {
  try {
    return parse(args);
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`);
    process.exitCode = 2;
    return undefined;
  }
}
