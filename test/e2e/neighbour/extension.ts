/**
 * Runs npm's yaml-language-server over the YAML that is open, as the YAML extension of Red Hat does.
 * `server.json` beside it says where the server, its Node.js and the Kubernetes schema lie.
 */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { extensions, Uri, type ExtensionContext } from 'vscode';
import { LanguageClient, RevealOutputChannelOn } from 'vscode-languageclient/node';

interface Server {
  readonly node: string;
  readonly entry: string;
  readonly schemas: string;
}

interface Association {
  readonly fileMatch: readonly string[];
  readonly uri: string;
}

interface YamlValidation {
  readonly fileMatch: string | readonly string[];
  readonly url: string;
}

/** What other extensions contribute as `yamlValidation`. */
function associations(): Association[] {
  return extensions.all.flatMap(({ extensionUri, packageJSON }) => {
    const { contributes } = packageJSON as {
      contributes?: { yamlValidation?: readonly YamlValidation[] };
    };
    return (contributes?.yamlValidation ?? []).map(({ fileMatch, url }) => ({
      fileMatch: [fileMatch].flat().map((name) => (name.startsWith('/') ? name : `/${name}`)),
      uri: url.startsWith('./') ? Uri.joinPath(extensionUri, url).toString() : url,
    }));
  });
}

export async function activate(context: ExtensionContext): Promise<void> {
  const file = context.asAbsolutePath('server.json');
  const { node, entry, schemas } = JSON.parse(readFileSync(file, 'utf8')) as Server;
  const client = new LanguageClient(
    'yaml',
    'YAML Support',
    { command: node, args: [entry, '--stdio'] },
    {
      documentSelector: [{ language: 'yaml' }],
      revealOutputChannelOn: RevealOutputChannelOn.Never,
    },
  );
  context.subscriptions.push({ dispose: () => void client.stop() });
  // The server has a word for an address of Kubernetes' schema, and asks its client for what is there.
  client.onRequest('vscode/content', (address: string) => {
    const name = basename(address.split('#')[0] ?? '');
    return readFileSync(join(schemas, name), 'utf8');
  });
  await client.start();
  await client.sendNotification('yaml/registerContentRequest', {});
  await client.sendNotification('json/schemaAssociations', associations());
}
