/** That each server finds what it is there for, before its time is taken. */
import type { PublishDiagnosticsParams } from 'vscode-languageserver/node';
import type { LspProcess } from './lspProcess';
import { placeAt, spotsOf, type Place, type Spots } from './manifest';
import type { Server } from './servers';

/** What makes the text wrong for one of them and means nothing to the other. */
const faults: Readonly<Record<Server, { readonly spot: keyof Spots; readonly text: string }>> = {
  // A label's value begins with a letter or a digit.
  ours: { spot: 'labelValue', text: '-' },
  theirs: { spot: 'replicas', text: 'x' },
};

/** Hints depend on what is stored, which is read meanwhile. */
export const errorsOf = ({ diagnostics }: PublishDiagnosticsParams): string[] =>
  diagnostics.flatMap(({ severity, message }) =>
    severity === 1 ? [typeof message === 'string' ? message : message.value] : [],
  );

async function replaced(
  server: LspProcess,
  uri: string,
  at: Place,
  text: string,
): Promise<PublishDiagnosticsParams> {
  return (await server.change(uri, { at, text })).found;
}

/** Opens the document in both. Rejects where one of them finds an error in it, or none once it is wrong. */
export async function checkedByBoth(
  uri: string,
  text: string,
  both: Readonly<Record<Server, LspProcess>>,
): Promise<void> {
  const spots = spotsOf(text);
  for (const [name, server] of Object.entries(both) as [Server, LspProcess][]) {
    const before = errorsOf(await server.open(uri, text));
    if (before.length > 0) throw new Error(`${server.name} finds ${String(before[0])}`);
    const { spot, text: fault } = faults[name];
    const at = placeAt(text, spots[spot]);
    const wrong = errorsOf(await replaced(server, uri, at, fault));
    const after = errorsOf(await replaced(server, uri, at, text.charAt(spots[spot])));
    if (wrong.length === 0) throw new Error(`${server.name} does not find what is wrong`);
    if (after.length > 0) throw new Error(`${server.name} still finds ${String(after[0])}`);
  }
}
