/** The two language servers, each as its extension starts it, on the same Node.js. */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { SHORTEST_MS } from '../../../server/features/language/pause';
import type { FoundYamlServer } from '../../yamlServer/find.mjs';
import { LspProcess, type ServerProgram } from './lspProcess';
import type { Surroundings } from './sideProcess';

export type Server = 'ours' | 'theirs';

export interface ServerParts {
  /** Our bundle. */
  readonly main: string;
  readonly theirs: FoundYamlServer;
}

/** Milliseconds that each waits before it looks at a document: one that is opened, and one in which a key was pressed. */
export const pauses: Readonly<Record<Server, Readonly<Record<'open' | 'diagnostics', number>>>> = {
  ours: { open: 0, diagnostics: SHORTEST_MS },
  theirs: { open: 200, diagnostics: 200 },
};

const refuse = (address: string): never => {
  throw new Error(`${address} is not there`);
};

const ours = ({ main, theirs }: ServerParts): ServerProgram => ({
  name: 'our language server',
  path: theirs.node,
  args: [main, '--stdio'],
  initializationOptions: { trusted: true, rangeStreamGate: true },
  settings: {},
  contentOf: refuse,
  // Their server may be asked for minutes; what is stored is not read again meanwhile.
  afterStart: (rpc) =>
    rpc.sendNotification('etcdList/settings', {
      rangeStreamGate: true,
      completion: { maxAgeSeconds: 86_400 },
    }),
});

/** The address that they know by the word `kubernetes`, and those beside it, are answered from our cache. */
const theirs = ({ theirs: { node, entry, schemas } }: ServerParts): ServerProgram => ({
  name: 'yaml-language-server',
  path: node,
  args: [entry, '--stdio'],
  initializationOptions: {},
  settings: {
    yaml: {
      schemas: { kubernetes: '*.yaml' },
      schemaStore: { enable: false },
      validate: true,
      completion: true,
      hover: true,
    },
  },
  contentOf: (address) => {
    const name = basename(address.split('#')[0] ?? '');
    return name === 'all.json' || name === '_definitions.json'
      ? readFileSync(join(schemas, name), 'utf8')
      : refuse(address);
  },
  afterStart: (rpc) => rpc.sendNotification('yaml/registerContentRequest', {}),
});

/** Pods of the demo cluster that ours reads labels from. */
export const demoPods = 20_000;

export async function startServers(
  parts: ServerParts,
  { children, patienceMs }: Surroundings,
): Promise<Readonly<Record<Server, LspProcess>>> {
  const both = {
    ours: await LspProcess.start(ours(parts), children, patienceMs),
    theirs: await LspProcess.start(theirs(parts), children, patienceMs),
  };
  await both.ours.request('etcdList/connectDemo', { pods: demoPods });
  return both;
}
