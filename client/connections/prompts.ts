/** The questions of `Connections`, asked in VS Code. */
import type { ConnectionSetting } from '../../server/protocol/names';
import { askText, showError, showInformation, showWarning } from '../common/notices';
import { plainText } from '../common/plainText';
import type { Prompts, Refused } from './connections';
import { endpointsProblem, nameProblem, suggestName } from './endpointText';
import type { SecretKind } from './secrets';

const title = 'etcd LIST: Add connection';

const labels: Record<SecretKind, (connection: ConnectionSetting) => string> = {
  password: ({ name, user = '' }) => `Password of etcd user "${user}" for connection "${name}"`,
  passphrase: ({ name }) => `Passphrase of the client key of connection "${name}"`,
};

/** A name that was only suggested follows the endpoints. */
function nameFor(endpoints: string, taken: readonly string[], refused?: Refused): string {
  const chosen = refused && refused.name !== suggestName(refused.endpoints, taken);
  return chosen ? refused.name : suggestName(endpoints, taken);
}

export const prompts: Prompts = {
  endpoints: async (refused) =>
    askText({
      title: `${title} (1/2)`,
      prompt:
        refused?.sentence ?? 'Endpoints of etcd, separated by commas; they are tried at once.',
      ...(refused && { value: refused.endpoints }),
      placeHolder: '127.0.0.1:2379',
      problem: endpointsProblem,
    }),
  name: async (endpoints, taken, refused) =>
    askText({
      title: `${title} (2/2)`,
      prompt: 'A name for this connection. It is kept in the setting etcdList.connections.',
      value: nameFor(endpoints, taken, refused),
      problem: (text) => nameProblem(text, taken),
    }),
  keepAnyway: async (name) => {
    const keep = 'Keep in settings';
    const choice = await showWarning(
      `"${plainText(name)}" did not connect and was not added. Keep it in etcdList.connections, to complete it there?`,
      keep,
    );
    return choice === keep;
  },
  notKept: (sentence) => {
    void showError(sentence);
  },
  secret: async (kind, connection, again) =>
    askText({
      title: `etcd LIST: Connect to ${connection.name}`,
      prompt: `${again ? `That ${kind} was refused. ` : ''}${labels[kind](connection)}`,
      password: true,
    }),
  remember: async (kind, { name }) => {
    const choice = await showInformation(
      `Remember the ${kind} of "${name}"? VS Code keeps it in its secret storage, not in settings.`,
      'Remember',
      'Not now',
    );
    return choice === 'Remember';
  },
  notRemembered: (error) => {
    const why = plainText(error instanceof Error ? error.message : String(error));
    void showWarning(
      `The secret could not be kept (${why.replace(/\.$/, '')}): it is used until VS Code is closed, and asked for again then.`,
    );
  },
};
