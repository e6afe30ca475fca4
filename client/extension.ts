import { commands } from 'vscode';
import type { ExtensionContext } from 'vscode';
import * as names from '../server/protocol/names';
import { openTerminal } from './openTerminal';

export function activate(context: ExtensionContext): void {
  context.subscriptions.push(
    commands.registerCommand(names.commands.openTerminal, () => openTerminal(context)),
  );
}
