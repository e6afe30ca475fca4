/** Quick picks of the commands. */
import { commands, QuickPickItemKind, window } from 'vscode';
import type { QuickPickItem } from 'vscode';
import { menuItems } from '../status/menu';
import { copyForms, type CopyForm } from '../queries/copies';
import type { NamedEndpoints } from '../connections/connections';
import type { StatusFacts } from '../status/statusText';

type Choice =
  | { readonly kind: 'named'; readonly name: string }
  | { readonly kind: 'demo' }
  | { readonly kind: 'add' };

export async function chooseConnection(
  connections: readonly NamedEndpoints[],
): Promise<Choice | undefined> {
  const items: (QuickPickItem & { choice?: Choice })[] = [
    ...connections.map(({ name, endpoints }) => ({
      label: `$(plug) ${withoutIcons(name)}`,
      description: withoutIcons(endpoints.join(', ')),
      choice: { kind: 'named', name } as const,
    })),
    { label: '', kind: QuickPickItemKind.Separator },
    {
      label: '$(beaker) Demo cluster',
      detail: 'An etcd inside this extension, with a seeded cluster',
      choice: { kind: 'demo' },
    },
    {
      label: '$(add) Add connection…',
      detail: 'Endpoints of an etcd; nothing is read before you connect',
      choice: { kind: 'add' },
    },
  ];
  const picked = await window.showQuickPick(items, {
    title: 'etcd LIST: Connect',
    placeHolder: 'Connection',
    matchOnDescription: true,
  });
  return picked?.choice;
}

/** VS Code would draw an icon for `$(x)`. */
function withoutIcons(text: string): string {
  return text.replaceAll('$(', '$ (');
}

export async function runFromMenu(facts: StatusFacts, gateOn: boolean): Promise<void> {
  const items = menuItems(facts, gateOn);
  const picked = await window.showQuickPick([...items], { title: 'etcd LIST' });
  if (picked) await commands.executeCommand(picked.command);
}

/** What a query is copied as; undefined when the question was closed. */
export async function chooseForm(): Promise<CopyForm | undefined> {
  const forms = Object.entries(copyForms) as [CopyForm, string][];
  const items = forms.map(([form, label]) => ({ label, form }));
  const picked = await window.showQuickPick(items, { title: 'etcd LIST: Copy query as' });
  return picked?.form;
}
