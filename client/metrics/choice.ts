/** Asks which texts of metrics are to be read. */
import { env, Uri, window } from 'vscode';
import type { QuickPickItem } from 'vscode';
import { chosenName, ofDocument, type ChosenText } from './sources';

export interface ChosenTexts {
  readonly newer: readonly ChosenText[];
  /** Older ones of the same servers; empty where all since their start is asked for. */
  readonly older: readonly ChosenText[];
}

type Ask = () => Promise<ChosenTexts | undefined>;

/** A link or a keybinding may name the file; undefined when a question was closed. */
export async function chooseTexts(argument: unknown): Promise<ChosenTexts | undefined> {
  if (argument instanceof Uri) return only([{ kind: 'file', uri: argument }]);
  const picked = await window.showQuickPick(choices(), {
    title: 'etcd LIST: Read metrics',
    placeHolder: 'What an API server says at /metrics (kubectl get --raw /metrics)',
  });
  return picked?.ask();
}

function choices(): (QuickPickItem & { ask: Ask })[] {
  const document = window.activeTextEditor?.document;
  const own = document === undefined ? [] : [editorChoice(ofDocument(document))];
  return [
    ...own,
    {
      label: '$(folder-opened) Files…',
      detail: 'One scrape, or one of each API server',
      ask: async () => only(await chooseFiles('Read')),
    },
    {
      label: '$(diff) Two scrapes of the same servers…',
      detail: 'What came in between: first the older, then the newer',
      ask: chooseTwo,
    },
    {
      label: '$(clippy) Clipboard',
      ask: async () => {
        const text = await env.clipboard.readText();
        return only([{ kind: 'text', name: 'the clipboard', text }]);
      },
    },
  ];
}

function editorChoice(chosen: ChosenText): QuickPickItem & { ask: Ask } {
  return {
    label: `$(file) ${chosenName(chosen).replaceAll('$(', '$ (')}`,
    detail: 'The text of the active editor',
    ask: () => Promise.resolve(only([chosen])),
  };
}

function only(newer: readonly ChosenText[]): ChosenTexts | undefined {
  return newer.length === 0 ? undefined : { newer, older: [] };
}

async function chooseTwo(): Promise<ChosenTexts | undefined> {
  const older = await chooseFiles('Older');
  const newer = older.length === 0 ? [] : await chooseFiles('Newer');
  return newer.length === 0 ? undefined : { newer, older };
}

async function chooseFiles(openLabel: string): Promise<ChosenText[]> {
  const title = `etcd LIST: ${openLabel === 'Read' ? 'Scrapes' : `${openLabel} scrape`}`;
  const uris = await window.showOpenDialog({ title, openLabel, canSelectMany: true });
  return (uris ?? []).map((uri) => ({ kind: 'file', uri }));
}
