/** Where a text of metrics comes from, as the language server takes it. */
import { randomUUID } from 'node:crypto';
import { workspace } from 'vscode';
import type { CancellationToken, TextDocument, Uri } from 'vscode';
import { LONGEST_PART, type ScrapeSource } from '../../server/protocol/metrics';
import type { LspCaller } from '../lsp/lspClient';

export type ChosenText =
  | { readonly kind: 'file'; readonly uri: Uri }
  | { readonly kind: 'text'; readonly name: string; readonly text: string };

/** A document that is on disk as it stands is read from there; its text is not sent. */
export function ofDocument(document: TextDocument): ChosenText {
  const { uri, isDirty } = document;
  if (uri.scheme === 'file' && !isDirty) return { kind: 'file', uri };
  return { kind: 'text', name: nameOf(uri), text: document.getText() };
}

export function nameOf({ path }: Uri): string {
  return path.split('/').at(-1) ?? path;
}

export function chosenName(chosen: ChosenText): string {
  return chosen.kind === 'file' ? nameOf(chosen.uri) : chosen.name;
}

/** Files that are elsewhere are read through VS Code. */
export async function handOver(
  chosen: ChosenText,
  lsp: LspCaller,
  token: CancellationToken,
): Promise<ScrapeSource> {
  if (chosen.kind === 'text') return sendParts(chosen.name, chosen.text, lsp, token);
  const { uri } = chosen;
  if (uri.scheme === 'file') return { kind: 'file', path: uri.fsPath };
  const bytes = await workspace.fs.readFile(uri);
  return sendParts(nameOf(uri), new TextDecoder().decode(bytes), lsp, token);
}

/** One part after another, so that nothing else has to wait for a large text. */
async function sendParts(
  name: string,
  text: string,
  lsp: LspCaller,
  token: CancellationToken,
): Promise<ScrapeSource> {
  const scrape = randomUUID();
  for (let at = 0; at === 0 || at < text.length; at += LONGEST_PART) {
    const part = text.slice(at, at + LONGEST_PART);
    await lsp.request('etcdList/scrapePart', { scrape, name, text: part, first: at === 0 }, token);
  }
  return { kind: 'parts', scrape };
}
