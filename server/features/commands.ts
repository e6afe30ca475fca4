/** The commands request. A custom resource's definition is read when there is a connection. */
import type { CommandsParams, QueryCommands } from '../protocol/model';
import type { ListTarget } from '../targets/target';
import { commandsOf } from './commandTexts';
import type { ConnectionHolder } from './connectionHolder';
import { refuse } from './failures';
import { knownTarget } from './knownTargets';
import { listOptionsOf, targetOf } from './query';
import { readCommandsParams } from './queryParams';
import type { Router } from './router';

export function registerCommands(router: Router, holder: ConnectionHolder): void {
  router.handle('etcdList/commands', readCommandsParams, async (query, { signal }) => {
    const target = await findTarget(query, holder, signal);
    return commandTexts(query, target, holder);
  });
}

function commandTexts(
  { follow = false, ...query }: CommandsParams,
  target: ListTarget,
  { current }: ConnectionHolder,
): QueryCommands {
  const options = listOptionsOf(query, target);
  return commandsOf({ query, target, options, connection: current, follow });
}

async function findTarget(
  query: CommandsParams,
  { current }: ConnectionHolder,
  signal: AbortSignal,
): Promise<ListTarget> {
  if (current !== undefined) return targetOf(query, current, signal, () => undefined);
  const known = knownTarget(query.resource.trim(), undefined);
  if (known.kind === 'target') return known.target;
  throw refuse('Only the commands of built-in resources are known without a connection.');
}
