/** Command lines as a person can paste them. */
import { shellWord } from '../common/shellWord';

export { shellWord };

/** How this run was started. */
export interface Invocation {
  /** What stands before the arguments: `etcd-list`, or `npm start --` in a checkout. */
  readonly program: string;
  readonly argv: readonly string[];
}

/** Flags that do not go with a continue token. */
const DROPPED = ['--continue', '--resource-version', '--resource-version-match'];

/** The same command, going on at this token. */
export function continueCommand({ program, argv }: Invocation, token: string): string {
  const kept: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] ?? '';
    if (DROPPED.includes(word)) i++;
    else if (!DROPPED.some((flag) => word.startsWith(`${flag}=`))) kept.push(word);
  }
  return [program, ...kept.map(shellWord), `--continue=${token}`].join(' ');
}
