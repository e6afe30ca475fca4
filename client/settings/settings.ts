/** The typed way to VS Code's configuration. */
import { commands, ConfigurationTarget, workspace } from 'vscode';
import type { ConnectionSetting, FeatureGateSettings, Settings } from '../../server/protocol/names';
import { settingsSection } from '../../server/protocol/names';
import { showWarning } from '../common/notices';
import { plainText } from '../common/plainText';
import { refused } from '../lsp/failure';
import { checkSettings, summary } from './validate';

const openSettings = 'Open settings';
const showLog = 'Show log';
/** Problems written into the log at a time. */
const mostLogged = 100;

/** The log of the extension. */
export interface SettingsLog {
  warn(text: string): void;
  show(): void;
}

export class SettingsReader {
  /** What was already said in this session. */
  private said = '';

  constructor(private readonly log: SettingsLog) {}

  /** Never throws; nonsense is told once, with the default in its place; all of it stands in the log. */
  read(): Settings {
    const configuration = workspace.getConfiguration(settingsSection);
    const { settings, problems } = checkSettings((name) => configuration.get(name));
    const all = problems.join('\n');
    if (all !== '' && all !== this.said) void this.tell(problems);
    this.said = all;
    return settings;
  }

  /** Appends to the list that is in force, leaving what stands there as it is. */
  async addConnection(connection: ConnectionSetting): Promise<void> {
    const configuration = workspace.getConfiguration(settingsSection);
    const name = 'connections' satisfies keyof Settings;
    const inspected = configuration.inspect<unknown>(name);
    const inWorkspace = workspace.isTrusted && inspected?.workspaceValue !== undefined;
    const before = (inWorkspace ? inspected.workspaceValue : inspected?.globalValue) ?? [];
    if (!Array.isArray(before)) {
      throw refused('The setting etcdList.connections is not a list: mend it before adding to it.');
    }
    await this.write(name, [...(before as unknown[]), connection], inWorkspace);
  }

  /** Where the gate is named among the others it is set there, which is where it is read. */
  async setRangeStream(on: boolean): Promise<void> {
    const configuration = workspace.getConfiguration(settingsSection);
    const named = 'featureGates' satisfies keyof Settings;
    const gates = configuration.inspect<unknown>(named);
    const inWorkspace = namesStream(gates?.workspaceValue);
    if (inWorkspace || namesStream(gates?.globalValue)) {
      const before = (inWorkspace ? gates?.workspaceValue : gates?.globalValue) as object;
      await this.write(named, { ...before, EtcdRangeStream: on }, inWorkspace);
      return;
    }
    const name = 'rangeStream' satisfies keyof Settings;
    const inspected = configuration.inspect(name);
    await this.write(name, on, inspected?.workspaceValue !== undefined);
  }

  open(): void {
    void commands.executeCommand('workbench.action.openSettings', settingsSection);
  }

  private async write(name: keyof Settings, value: unknown, inWorkspace: boolean): Promise<void> {
    const target = inWorkspace ? ConfigurationTarget.Workspace : ConfigurationTarget.Global;
    try {
      await workspace.getConfiguration(settingsSection).update(name, value, target);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw refused(
        `The settings could not be written (${plainText(why).replace(/\.$/, '')}): mend settings.json, and try again.`,
      );
    }
  }

  private async tell(problems: readonly string[]): Promise<void> {
    for (const problem of problems.slice(0, mostLogged)) this.log.warn(problem);
    const more = problems.length - mostLogged;
    if (more > 0) this.log.warn(`${more} more of etcdList's settings are wrong in the same way.`);
    const actions = [openSettings, ...(problems.length > 1 ? [showLog] : [])];
    const choice = await showWarning(summary(problems), ...actions);
    if (choice === openSettings) this.open();
    if (choice === showLog) this.log.show();
  }
}

function namesStream(gates: unknown): boolean {
  const name = 'EtcdRangeStream' satisfies keyof FeatureGateSettings;
  return typeof gates === 'object' && gates !== null && Object.hasOwn(gates, name);
}
