import type { Position, TextDocument } from 'vscode';
import { describe, expect, it, vi } from 'vitest';
import { TokenHovers } from '../../../../client/hover/hoverProvider';
import { FakeServer, FakeSource } from '../support';

interface Provider {
  provideHover(document: TextDocument, position: Position, token: unknown): Promise<unknown>;
}

interface Registration {
  readonly selector: unknown;
  readonly provider: Provider;
  readonly dispose: () => void;
}

const registered = vi.hoisted((): unknown[] => []);

vi.mock('vscode', () => ({
  Hover: class {
    constructor(
      readonly contents: unknown,
      readonly range: unknown,
    ) {}
  },
  MarkdownString: class {
    isTrusted: unknown;
    constructor(readonly value: string) {}
  },
  Range: class {
    readonly numbers: readonly number[];
    constructor(...numbers: number[]) {
      this.numbers = numbers;
    }
  },
  languages: {
    // As VS Code scores: 10 for the same language, 5 for any.
    match: (selector: readonly { language: string }[], { languageId }: { languageId: string }) =>
      Math.max(
        0,
        ...selector.map(({ language }) =>
          language === languageId ? 10 : language === '*' ? 5 : 0,
        ),
      ),
    registerHoverProvider: (selector: unknown, provider: unknown) => {
      const registration = { selector, provider, dispose: vi.fn() };
      registered.push(registration);
      return registration;
    },
  },
}));

const token = Buffer.from('{"v":"meta.k8s.io/v1","rv":7,"start":"a"}').toString('base64url');

function setup({ isRunning = false, languages = ['yaml', 'log'] } = {}) {
  registered.length = 0;
  const server = Object.assign(
    new FakeServer({
      'etcdList/hoverToken': () => ({ markdown: 'facts', start: 3, end: 3 + token.length, token }),
    }),
    { isRunning },
  );
  const hovers = new TokenHovers(server, () => undefined);
  hovers.setLanguages(languages);
  const [registration] = registered as Registration[];
  const at = (languageId: string, character: number, text = `a: ${token}`) =>
    [
      { languageId, lineAt: () => ({ text }) } as unknown as TextDocument,
      { line: 4, character } as unknown as Position,
    ] as const;
  const hover = (languageId: string, character: number, text?: string) =>
    registration?.provider.provideHover(...at(languageId, character, text), new FakeSource().token);
  return { server, hovers, hover, at, registrations: registered as Registration[] };
}

describe('hovers of the extension host', () => {
  it('ask the server about the line of a candidate, in all languages while none runs', async () => {
    const { server, hover } = setup();
    for (const languageId of ['yaml', 'log']) {
      expect(await hover(languageId, 5)).toMatchObject({
        contents: { value: 'facts', isTrusted: { enabledCommands: ['etcdList.inspectToken'] } },
        range: { numbers: [4, 3, 4, 3 + token.length] },
      });
    }
    expect(server.asked).toHaveLength(2);
    expect(server.asked[0]?.params).toEqual({ line: `a: ${token}`, character: 5 });
  });

  it('ask nothing, and so start nothing, where no token can stand', async () => {
    const { server, hover } = setup();
    expect(await hover('log', 1)).toBeUndefined();
    expect(await hover('log', 5, 'a: plain')).toBeUndefined();
    expect(server.asked).toEqual([]);
  });

  it('leave documents that a running server holds to it, and no others', async () => {
    const { server, hover } = setup({ isRunning: true, languages: ['yaml', 'log', 'markdown'] });
    expect(await hover('yaml', 5)).toBeUndefined();
    expect(server.asked).toEqual([]);
    expect(await hover('log', 5)).toBeDefined();
    expect(await hover('markdown', 5)).toBeDefined();
  });
});

describe('hovers of the server', () => {
  it('are asked for at tokens in the languages of the setting, and anywhere where selectors may be', () => {
    const { server, hovers, at } = setup({ isRunning: true });
    expect(hovers.asksServer(...at('yaml', 5))).toBe(true);
    expect(hovers.asksServer(...at('yaml', 1))).toBe(true);
    expect(hovers.asksServer(...at('json', 5))).toBe(false);
    hovers.setLanguages(['json']);
    expect(hovers.asksServer(...at('yaml', 5))).toBe(false);
    expect(hovers.asksServer(...at('yaml', 1))).toBe(true);
    expect(hovers.asksServer(...at('json', 5))).toBe(true);
    // Manifests are written in JSON too.
    expect(hovers.asksServer(...at('json', 1))).toBe(true);
    expect(hovers.asksServer(...at('log', 1))).toBe(false);
    server.isRunning = false;
    expect(hovers.asksServer(...at('json', 5))).toBe(false);
  });

  it.each([['*'], ['log', '*'], ['*', 'yaml']])('are asked for in %s, which is any', (...ids) => {
    const { hovers, at } = setup({ isRunning: true, languages: ids });
    for (const language of ['yaml', 'json', 'jsonc', 'etcdlist']) {
      expect(hovers.asksServer(...at(language, 5))).toBe(true);
    }
  });

  it('are none at any moment where those of the extension host answer', async () => {
    for (const isRunning of [true, false]) {
      const { hovers, hover, at } = setup({ isRunning, languages: ['yaml'] });
      const byServer = hovers.asksServer(...at('yaml', 5));
      const byHost = (await hover('yaml', 5)) !== undefined;
      expect([byServer, byHost]).toEqual([isRunning, !isRunning]);
    }
  });
});

describe('the setting', () => {
  it('replaces the registration, and takes it away when no language is left', () => {
    const { hovers, registrations } = setup();
    expect(registrations[0]?.selector).toEqual([{ language: 'yaml' }, { language: 'log' }]);
    hovers.setLanguages(['yaml', 'log']);
    expect(registrations).toHaveLength(1);
    hovers.setLanguages([]);
    expect(registrations[0]?.dispose).toHaveBeenCalledOnce();
    expect(registrations).toHaveLength(1);
  });
});
