import { expect, it, vi } from 'vitest';
import type { QuickPickItem } from 'vscode';
import { chooseConnection } from '../../../../client/commands/choices';

const showQuickPick = vi.hoisted(() =>
  vi.fn<(items: readonly QuickPickItem[], options: object) => Promise<unknown>>(),
);

vi.mock('vscode', () => ({
  QuickPickItemKind: { Separator: -1 },
  commands: {},
  window: { showQuickPick },
}));

it('shows the endpoints of each connection, in which no icon is drawn', async () => {
  showQuickPick.mockImplementation(([, second]) => Promise.resolve(second));
  const choice = await chooseConnection([
    { name: 'prod', endpoints: ['https://10.0.0.1:2379', '10.0.0.2:2379'] },
    { name: '$(x)', endpoints: ['$(y):1'] },
  ]);
  expect(choice).toEqual({ kind: 'named', name: '$(x)' });
  const [items = [], options] = showQuickPick.mock.calls[0] ?? [];
  expect(items.slice(0, 2).map(({ label, description }) => [label, description])).toEqual([
    ['$(plug) prod', 'https://10.0.0.1:2379, 10.0.0.2:2379'],
    ['$(plug) $ (x)', '$ (y):1'],
  ]);
  expect(options).toMatchObject({ matchOnDescription: true });
});
