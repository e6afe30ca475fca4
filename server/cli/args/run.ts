/** The arguments of `run`. */
import { Option, type Command } from 'commander';
import type { Environment } from '../context';
import { usageError } from '../exit';
import { namespaceOf, oneOf } from './choice';
import {
  addConnectionFlags,
  connectionPlan,
  connectionWords,
  type ConnectionFlags,
} from './connection';
import { readGates } from './gates';
import { addMetricsFlag, metricsFileOf } from './metrics';
import { outputFormats, receiptForms, type RunPlan } from './plan';

export interface RunFlags extends ConnectionFlags {
  readonly namespace?: string;
  readonly output?: string;
  readonly keepGoing?: boolean;
  readonly skipUnreadable?: boolean;
  readonly showSecrets?: boolean;
  readonly featureGates?: string;
  readonly receipt?: string;
  readonly metrics?: string;
}

const flags: readonly (readonly [string, string])[] = [
  [
    '-n, --namespace <name>',
    'what kubectl\'s current namespace would be, for kubectl get without -n (default: "default")',
  ],
  ['-o, --output <format>', `${outputFormats.join('|')} (default: "table")`],
  ['--keep-going', 'run the other queries when one fails'],
  [
    '--feature-gates <list>',
    'gates of the API server that all lists obey: EtcdRangeStream, AllowUnsafeMalformedObjectDeletion (both on by default)',
  ],
  ['--skip-unreadable', 'in all queries: leave out objects that cannot be read, and name them'],
  ['--show-secrets', 'show the values of Secrets, which are masked otherwise'],
  ['--receipt <form>', 'how the cost is printed on standard error: text or json (default: "text")'],
];

export function addRunFlags(command: Command): void {
  command.argument('[file]', 'a query file (.etcdlist, .etcdlist.yaml), or - for standard input');
  command.argument('[names...]', 'queries to run, with those whose tokens they take; all without');
  command.optionsGroup('What to run:');
  for (const [flag, description] of flags) command.addOption(new Option(flag, description));
  addConnectionFlags(command);
  addMetricsFlag(command);
}

export function runPlan(
  [file, ...names]: readonly (string | undefined)[],
  given: RunFlags,
  env: Environment,
): RunPlan {
  if (file === undefined || file === '') {
    throw usageError('FILE is missing: give a query file, or - for standard input');
  }
  return {
    command: 'run',
    file,
    names: names.filter((name) => name !== undefined),
    namespace: namespaceOf(given.namespace ?? 'default'),
    output: oneOf('--output', given.output ?? 'table', outputFormats),
    receipt: oneOf('--receipt', given.receipt ?? 'text', receiptForms),
    skipUnreadable: given.skipUnreadable ?? false,
    showSecrets: given.showSecrets ?? false,
    gates: readGates(given.featureGates),
    featureGates: given.featureGates ?? '',
    keepGoing: given.keepGoing ?? false,
    metricsFile: metricsFileOf(given),
    connection: connectionPlan(given, env),
    connectionWords: connectionWords(given),
  };
}
