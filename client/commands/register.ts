/** The commands of `names.ts`, every one of them. */
import { commands } from 'vscode';
import type { Command } from '../../server/protocol/names';
import { showError, showWarning } from '../common/notices';
import { failureOf } from '../lsp/failure';

/** A handler's argument comes from keybindings and links: it may be anything. */
export type CommandHandlers = Readonly<Record<Command, (argument: unknown) => unknown>>;

const manageTrust = 'Manage workspace trust';
const showLog = 'Show log';

export function registerCommands(handlers: CommandHandlers, log: { show(): void }) {
  return Object.entries(handlers).map(([id, handler]) =>
    commands.registerCommand(id, async (argument: unknown) => {
      try {
        await handler(argument);
      } catch (error) {
        await showFailure(error, log);
      }
    }),
  );
}

/** One sentence, with what helps; a person who closed a question knows it already. */
export async function showFailure(error: unknown, log: { show(): void }): Promise<void> {
  const { code, sentence } = failureOf(error);
  if (code === 'cancelled') return;
  if (code === 'untrusted') {
    const choice = await showWarning(sentence, manageTrust);
    if (choice === manageTrust) await commands.executeCommand('workbench.trust.manage');
    return;
  }
  const choice = await showError(sentence, showLog);
  if (choice === showLog) log.show();
}
