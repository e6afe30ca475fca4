import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import type { ExtensionContext, TerminalOptions } from 'vscode';
import { openTerminal } from '../../../../client/terminal/openTerminal';
import { FakeServer } from '../support';

const createTerminal = vi.hoisted(() => vi.fn<(options: TerminalOptions) => object>());

vi.mock('vscode', () => ({ window: { createTerminal } }));

beforeEach(() => {
  createTerminal.mockReset();
  createTerminal.mockReturnValue({ show: () => undefined, sendText: () => undefined });
});

async function opened(isStarted: boolean, variables: object | null) {
  const folder = mkdtempSync(join(tmpdir(), 'etcd-list-terminal-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const context = { globalStorageUri: { fsPath: folder }, asAbsolutePath: (path: string) => path };
  const server = new FakeServer({ 'etcdList/accessVariables': () => variables });
  const lsp = { isStarted, request: server.request.bind(server) };
  await openTerminal(context as unknown as ExtensionContext, lsp);
  expect(existsSync(join(folder, 'bin'))).toBe(true);
  return { env: createTerminal.mock.calls[0]?.[0].env ?? {}, asked: server.asked };
}

it('hands over how the open connection is reached', async () => {
  const { env } = await opened(true, { ETCDCTL_ENDPOINTS: '10.0.0.1:2379', ETCDCTL_USER: null });
  expect(env).toMatchObject({ ETCDCTL_ENDPOINTS: '10.0.0.1:2379', ETCDCTL_USER: null });
  expect(env['PATH']).toContain('etcd-list-terminal-');
});

it('leaves the environment as it is without a connection, and starts nothing for it', async () => {
  expect(Object.keys((await opened(true, null)).env)).toEqual(['PATH']);
  createTerminal.mockClear();
  const { env, asked } = await opened(false, null);
  expect(Object.keys(env)).toEqual(['PATH']);
  expect(asked).toEqual([]);
});
