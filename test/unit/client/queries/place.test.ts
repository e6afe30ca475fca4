import { describe, expect, it } from 'vitest';
import { nameOf, placeIn, QueryFiles, runnable } from '../../../../client/queries/place';
import { FakeServer } from '../support';
import { fileOf, request, uri } from './support';

const file = fileOf(request(), null, request());

function files(line: number | undefined, answer: unknown = file) {
  const server = new FakeServer({ 'etcdList/queries': () => answer });
  const cursor = line === undefined ? undefined : { uri, line };
  return { server, files: new QueryFiles(server, () => cursor) };
}

describe('the query that a command is about', () => {
  it.each<[unknown, number | undefined]>([
    [{ uri, version: 1, index: 2 }, 2],
    // Keybindings and menus hand over other things, or nothing.
    [undefined, 0],
    [{ fsPath: '/a' }, 0],
    [{ uri, version: 1, index: '2' }, 0],
    [null, 0],
  ])('is that of a lens, else the one at the cursor: %j', async (argument, index) => {
    const chosen = await files(1).files.chosen(argument);
    expect(chosen).toEqual({ file, index });
  });

  it.each([
    [0, 0],
    [2, 0],
    [3, 1],
    [8, 2],
    [99, 2],
  ])('at line %i is number %i', async (line, index) => {
    expect((await files(line).files.chosen(undefined)).index).toBe(index);
  });

  it.each([
    ['of a file that changed', 1, { uri, version: 2, index: 0 }, file, /has changed since/],
    ['that is no longer there', 1, { uri, version: 1, index: 3 }, file, /has changed since/],
    ['without an editor', undefined, undefined, file, /No query file is open/],
    ['of a file that the server does not hold', 1, undefined, null, /open it in an editor/],
    ['in a file without any', 1, undefined, fileOf(), /No query stands at the cursor/],
  ])('%s is refused in a sentence', async (_, line, argument, answer, sentence) => {
    await expect(files(line, answer).files.chosen(argument)).rejects.toThrow(sentence);
  });

  it('with errors is not run', () => {
    expect(runnable({ file, index: 2 }).request).toBe(file.queries[2]?.request);
    expect(() => runnable({ file, index: 1 })).toThrow(/has errors/);
    expect([nameOf({ file, index: 0 }), nameOf({ file, index: 1 })]).toEqual([
      '"first"',
      'query 2',
    ]);
  });

  it('is asked for by its file alone to run all', async () => {
    const { files: found, server } = files(1);
    expect(await found.file({ uri, version: 1, index: 0 })).toEqual(file);
    expect(await found.file(undefined)).toEqual(file);
    expect(server.asked.map(({ params }) => params)).toEqual([{ uri }, { uri }]);
    expect(placeIn({ uri, version: 1.5, index: 0 })).toBeUndefined();
  });
});
