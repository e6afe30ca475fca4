/** Hovers in documents that the server holds. */
import { describe, expect, it } from 'vitest';
import type { HoverText } from '../../server/protocol/model';
import { refusalOf, useServer, type Client } from './client';

const json = JSON.stringify({ v: 'meta.k8s.io/v1', rv: 84213, start: 'web/nginx-009900\u0000' });
const token = Buffer.from(json).toString('base64url');
const uri = 'file:///a/list.yaml';

const server = useServer();
let client: Client;

async function open(text: string, languageId = 'yaml'): Promise<void> {
  client = await server.start();
  const textDocument = { uri, languageId, version: 1, text };
  await client.notify('textDocument/didOpen', { textDocument });
}

const hover = (line: number, character: number): Promise<HoverText | null> =>
  client.request('textDocument/hover', { textDocument: { uri }, position: { line, character } });

const change = (contentChanges: readonly unknown[], version = 2): Promise<void> =>
  client.notify('textDocument/didChange', { textDocument: { uri, version }, contentChanges });

const place = (line: number, start: number, length = token.length) => ({
  start: { line, character: start },
  end: { line, character: start + length },
});

describe('a continue token in a document', () => {
  it.each(['\n', '\r\n', '\r'])(
    'is explained on its own characters only, lines end %j',
    async (end) => {
      await open(['metadata:', `  continue: ${token}`, '  resourceVersion: "1"', ''].join(end));
      const found = await hover(1, 20);
      expect(found?.range).toEqual(place(1, 12));
      expect(found?.contents.kind).toBe('markdown');
      expect(found?.contents.value).toContain('**Kubernetes continue token**, well formed');
      expect(found?.contents.value).toContain('84213');
      const link = /\[Inspect continue token\]\(command:etcdList\.inspectToken\?([^)]*)\)$/.exec(
        found?.contents.value ?? '',
      );
      expect(JSON.parse(decodeURIComponent(link?.[1] ?? ''))).toEqual([token]);
      expect(await hover(1, 12)).not.toBeNull();
      expect(await hover(1, 12 + token.length)).not.toBeNull();
      for (const [line, character] of [
        [1, 11],
        [1, 13 + token.length],
        [0, 20],
        [2, 20],
        [3, 0],
        [99, 20],
        [2 ** 31 - 1, 2 ** 31 - 1],
      ] as const) {
        expect([line, character, await hover(line, character)]).toEqual([line, character, null]);
      }
    },
  );

  it('is found where it stands after each change, and not once the document is closed', async () => {
    await open(`a: ${token}\n`);
    const at = (line: number, character: number) => ({ line, character });
    await change([{ range: { start: at(0, 0), end: at(0, 0) }, text: '# 🎈\n# x\n' }]);
    expect(await hover(0, 5)).toBeNull();
    expect((await hover(2, 5))?.range).toEqual(place(2, 3));
    await change(
      [
        { range: { start: at(0, 0), end: at(2, 0) }, text: '' },
        { range: { start: at(0, 0), end: at(0, 1) }, text: '🎈🎈' },
      ],
      3,
    );
    expect((await hover(0, 9))?.range).toEqual(place(0, 6));
    await change([{ text: `{"continue":"${token}"}` }], 4);
    expect((await hover(0, 20))?.range).toEqual(place(0, 13));
    await client.notify('textDocument/didClose', { textDocument: { uri } });
    expect(await hover(0, 20)).toBeNull();
  });

  it.each([0, 4_999, 5_000, 2_500_000, 5_000_000])(
    'is found quickly in a line of 5 MB, %i characters into it',
    async (start) => {
      await open(`${' '.repeat(start)}${token}${' x'.repeat((5_000_000 - start) / 2)}`, 'json');
      await hover(0, 0);
      const begin = performance.now();
      expect((await hover(0, start + 3))?.range).toEqual(place(0, start));
      expect(performance.now() - begin).toBeLessThan(200);
    },
  );
});

describe('documents and places that are no such', () => {
  it('get one sentence or no hover, and the server lives', async () => {
    await open(`a: ${token}`);
    const sent = (params: unknown) =>
      refusalOf(client.rpc.sendRequest('textDocument/hover', params));
    const textDocument = { uri };
    for (const [params, sentence] of [
      [null, 'The parameters must be an object.'],
      [{ textDocument }, 'The position must be an object.'],
      [{ position: { line: 0, character: 0 } }, 'The textDocument must be an object.'],
      [
        { textDocument, position: { line: -1, character: 0 } },
        '"line" of the position must be a whole number from 0 to 2,147,483,647.',
      ],
      [
        { textDocument, position: { line: 0, character: 1.5 } },
        '"character" of the position must be a whole number from 0 to 2,147,483,647.',
      ],
      [
        { textDocument: { uri: 7 }, position: { line: 0, character: 0 } },
        '"uri" of the textDocument must be a text.',
      ],
    ] as const) {
      expect((await sent(params)).failure.sentence).toBe(sentence);
    }
    for (const strange of [
      ['didOpen', {}],
      ['didOpen', { textDocument: { uri: 'x', languageId: 1, version: 'a', text: 5 } }],
      ['didChange', { textDocument: { uri } }],
      [
        'didChange',
        { textDocument: { uri, version: 9 }, contentChanges: [{ range: 'x', text: 1 }] },
      ],
      ['didChange', { textDocument: { uri: 'file:///other', version: 1 }, contentChanges: [] }],
      ['didClose', null],
      ['didClose', { textDocument: { uri: 'file:///other' } }],
    ] as const) {
      await client.notify(`textDocument/${strange[0]}`, strange[1]);
    }
    const other = { textDocument: { uri: 'file:///other' }, position: { line: 0, character: 0 } };
    expect(await client.request('textDocument/hover', other)).toBeNull();
    const textless = { textDocument: { uri: 'x' }, position: { line: 0, character: 0 } };
    await client.rpc.sendRequest('textDocument/hover', textless).catch(() => undefined);
    await change([{ text: `b: ${token}` }], 10);
    expect((await hover(0, 5))?.range).toEqual(place(0, 3));
  });
});
