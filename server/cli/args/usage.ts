/** Words the parser's complaints as ours, with the nearest flag and where help is. */
import { cell } from '../output/text';
import type { Command, CommanderError } from 'commander';
import { ExitCode, usageError } from '../exit';
import { nearest } from '../../common/nearest';
import { PASSWORD_REFUSED } from './connection';

/** The parser ended with help or the version: text for standard output. */
export class HelpShown extends Error {
  override readonly name = 'HelpShown';
}

export function translateParserError(command: Command, error: CommanderError): Error {
  if (error.exitCode === ExitCode.done) return new HelpShown();
  const path = commandPath(command);
  const said = wording(command, error);
  return usageError(`${said}${said.endsWith('?') ? ' See' : '; see'} "${path} --help"`);
}

function wording(command: Command, error: CommanderError): string {
  const quoted = /'(.*)'/s.exec(error.message.split('\n(Did you mean')[0] ?? '')?.[1] ?? '';
  switch (error.code) {
    case 'commander.unknownOption':
      return unknownFlag(command, quoted);
    case 'commander.unknownCommand':
      return unknownCommand(command, quoted);
    case 'commander.optionMissingArgument':
      return longName(quoted) === '--password'
        ? PASSWORD_REFUSED
        : `${longName(quoted)} needs a value`;
    case 'commander.missingArgument':
      return `${quoted.toUpperCase()} is missing`;
    case 'commander.help':
      return 'no command is given';
    default:
      return error.message.replace(/^error: /, '').replace(/\.$/, '');
  }
}

function unknownFlag(command: Command, given: string): string {
  const flag = given.split('=')[0] ?? given;
  const known = longFlags(command);
  if (command.commands.some((each) => longFlags(each).includes(flag))) {
    return `${flag} goes after the command it belongs to`;
  }
  return `unknown flag ${flag}${didYouMean(nearest(flag, known, 1))}`;
}

function longFlags(command: Command): string[] {
  const options = command.createHelp().visibleOptions(command);
  return options.flatMap((option) => (option.long === undefined ? [] : [option.long]));
}

function unknownCommand(command: Command, given: string): string {
  const names = command.commands.flatMap((each) => [each.name(), ...each.aliases()]);
  const close = nearest(given, names, 1);
  return `unknown command "${cell(given)}"${didYouMean(close)}`;
}

function didYouMean(names: readonly string[]): string {
  return names[0] === undefined ? '' : `; did you mean ${names[0]}?`;
}

/** `-n, --namespace <name>` is `--namespace`. */
function longName(flags: string): string {
  return /--[a-z-]+/.exec(flags)?.[0] ?? flags;
}

export function commandPath(command: Command): string {
  const parent = command.parent;
  return parent ? `${commandPath(parent)} ${command.name()}` : command.name();
}
