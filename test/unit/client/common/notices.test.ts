import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import * as notices from '../../../../client/common/notices';
import { noticeText } from '../../../../client/common/noticeText';

interface Box {
  readonly prompt: string;
  readonly validateInput: (text: string) => string | undefined;
}

type Work = (
  progress: { readonly report: (value: { message: string }) => void },
  token: unknown,
) => Promise<void>;

const window = vi.hoisted(() => ({
  showInformationMessage: vi.fn<(text: string, ...more: unknown[]) => Promise<unknown>>(),
  showWarningMessage: vi.fn<(text: string, ...more: unknown[]) => Promise<unknown>>(),
  showErrorMessage: vi.fn<(text: string, ...more: unknown[]) => Promise<unknown>>(),
  showInputBox: vi.fn<(box: Box) => Promise<string | undefined>>(),
  withProgress: vi.fn<(how: unknown, work: Work) => Promise<void>>(),
}));
vi.mock('vscode', () => ({ window, ProgressLocation: { Notification: 15 } }));

const evil = 'There is no object /registry/[x](command:evil) now.';
const harmless = 'There is no object /registry/[x] (command:evil) now.';
/** What VS Code makes a link in such a text. */
const link = /\[[^\]]+\]\(\s*(?:command|https?|file):/i;

beforeEach(() => {
  vi.clearAllMocks();
});

describe('notices', () => {
  it.each(['[x](command:y)', '[x]](command:y)', '[[x](command:y)](command:z)', '](](command:x)'])(
    'have no link of %s',
    (text) => {
      expect(noticeText(text)).not.toMatch(link);
      expect(noticeText(text)).not.toContain('](');
      expect(noticeText(text).replaceAll(' ', '')).toBe(text);
    },
  );

  it('show every text so, with its actions', async () => {
    window.showErrorMessage.mockResolvedValue('b');
    expect(await notices.showError(evil, 'a', 'b')).toBe('b');
    await notices.showWarning(evil, 'a');
    await notices.showInformation(evil);
    expect(window.showErrorMessage).toHaveBeenCalledWith(harmless, 'a', 'b');
    expect(window.showWarningMessage).toHaveBeenCalledWith(harmless, 'a');
    expect(window.showInformationMessage).toHaveBeenCalledWith(harmless);
    window.showWarningMessage.mockResolvedValue('Yes');
    expect(await notices.confirmed(evil, 'Yes')).toBe(true);
    expect(window.showWarningMessage).toHaveBeenLastCalledWith(harmless, { modal: true }, 'Yes');
  });

  it('tell so how far something is, which can be stopped', async () => {
    const [report, token] = [vi.fn(), {}];
    window.withProgress.mockImplementation((_, work) => work({ report }, token));
    const tokens: unknown[] = [];
    await notices.showProgress(evil, (shown) => {
      tokens.push(shown.token);
      shown.report(evil);
      return Promise.resolve();
    });
    const [how] = window.withProgress.mock.calls[0] ?? [];
    expect(how).toEqual({ location: 15, title: harmless, cancellable: true });
    expect(report.mock.calls).toEqual([[{ message: harmless }]]);
    expect(tokens).toEqual([token]);
  });

  it('ask so, also where an answer is refused', async () => {
    const problem = (text: string) => (text === '' ? undefined : text);
    await notices.askText({ title: 't', prompt: evil, problem });
    const [box] = window.showInputBox.mock.calls[0] ?? [];
    expect(box).toMatchObject({ title: 't', prompt: harmless, ignoreFocusOut: true });
    expect(box?.validateInput(evil)).toBe(harmless);
    expect(box?.validateInput('')).toBeUndefined();
  });
});

it('nothing in the extension host shows a text past them', () => {
  const root = resolve(import.meta.dirname, '../../../../client');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts'));
  const calls =
    /\b(?:show(?:Information|Warning|Error)Message|showInputBox|createInputBox|createQuickPick|withProgress)\b/;
  const found = files.filter((file) => calls.test(readFileSync(join(root, file), 'utf8')));
  expect(found).toEqual(['common/notices.ts']);
  // Labels of a quick pick are drawn without links.
  const picks = files.filter((file) =>
    /showQuickPick/.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(picks.sort()).toEqual(['commands/choices.ts', 'metrics/choice.ts']);
});
