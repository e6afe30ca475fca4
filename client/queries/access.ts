/** Whether lists can be run now; a person who is not connected may connect first. */
import { RpcError } from '../../server/protocol/rpc';
import { untrusted } from '../connections/connections';
import { refused } from '../lsp/failure';
import type { StatusFacts } from '../status/statusText';

const connect = 'Connect…';

export interface Access {
  /** Asked anew each time. */
  facts(): StatusFacts;
  /** Resolves with the action that was chosen. */
  ask(text: string, action: string): Promise<string | undefined>;
  /** The command: asks which connection, and says by itself what went wrong. */
  connect(): PromiseLike<unknown>;
}

/** False when the person did not connect. Throws a sentence when nothing could be connected now. */
export async function canRun(access: Access): Promise<boolean> {
  const { status, trusted } = access.facts();
  if (!trusted) throw new RpcError(untrusted);
  if (status.state === 'connected') return true;
  if (status.state === 'connecting') {
    throw refused(`Still connecting to "${status.name}": run again once it is connected.`);
  }
  const choice = await access.ask('Not connected, so nothing was listed.', connect);
  if (choice !== connect) return false;
  await access.connect();
  return access.facts().status.state === 'connected';
}
