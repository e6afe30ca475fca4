import { beforeEach, expect, it, vi, type Mock } from 'vitest';
import { SettingsReader } from '../../../../client/settings/settings';

interface Mocked {
  values: Record<string, unknown>;
  readonly showWarningMessage: Mock<(text: string, ...actions: string[]) => Promise<unknown>>;
}

const vscode = vi.hoisted((): Mocked => ({ values: {}, showWarningMessage: vi.fn() }));

vi.mock('vscode', () => ({
  ProgressLocation: {},
  commands: { executeCommand: () => undefined },
  window: { showWarningMessage: vscode.showWarningMessage },
  workspace: { getConfiguration: () => ({ get: (name: string) => vscode.values[name] }) },
}));

const log = { warn: vi.fn<(text: string) => void>(), show: vi.fn<() => void>() };

beforeEach(() => {
  vi.clearAllMocks();
  vscode.showWarningMessage.mockResolvedValue(undefined);
});

it('tells the first mistake and has all of them in the log, once', async () => {
  vscode.values = { byteBudgetMiB: 'lots', deadlineSeconds: 0, rangeStream: 'yes' };
  vscode.showWarningMessage.mockResolvedValue('Show log');
  const settings = new SettingsReader(log);
  settings.read();
  settings.read();
  expect(log.warn.mock.calls.map(([text]) => text)).toEqual([
    expect.stringContaining('etcdList.rangeStream must be'),
    expect.stringContaining('etcdList.byteBudgetMiB must be'),
    expect.stringContaining('etcdList.deadlineSeconds must be'),
  ]);
  expect(vscode.showWarningMessage.mock.calls).toEqual([
    [expect.stringContaining("(2 more in etcdList's settings"), 'Open settings', 'Show log'],
  ]);
  await vi.waitFor(() => {
    expect(log.show).toHaveBeenCalledTimes(1);
  });
});

it('tells of another mistake behind the same first one', () => {
  vscode.values = { rangeStream: 'yes', byteBudgetMiB: 'lots' };
  const settings = new SettingsReader(log);
  settings.read();
  vscode.values = { rangeStream: 'yes', deadlineSeconds: 0 };
  settings.read();
  expect(vscode.showWarningMessage).toHaveBeenCalledTimes(2);
});

it('does not fill the log with ten thousand of them', () => {
  vscode.values = { connections: Array.from({ length: 10_000 }, () => 7) };
  new SettingsReader(log).read();
  expect(log.warn).toHaveBeenCalledTimes(101);
  expect(log.warn.mock.lastCall?.[0]).toContain('9900 more');
});
