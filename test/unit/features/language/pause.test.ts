/** When documents are looked at: latest wins, and nobody who types is disturbed. */
import { describe, expect, it } from 'vitest';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Analyses, Looked } from '../../../../server/features/language/analyses';
import { LONGEST_MS, pauseAfter, SHORTEST_MS } from '../../../../server/features/language/pause';
import { finding } from '../../../../server/language/findings';
import { NOTHING_FOUND } from '../../../../server/language/model';
import { change, diagnosticsOf, documentOf, Timers } from './support';

const told = (message: string): Looked => ({
  done: true,
  analysis: {
    ...NOTHING_FOUND,
    findings: [finding('label-value', message, { start: 0, end: 1 })],
  },
});

/** `of` is how documents are looked at, and may let the clock go on. */
function setUp(of: (document: TextDocument, timers: Timers) => Promise<Looked>) {
  const timers = new Timers();
  const analyses = {
    of: (document: TextDocument) => of(document, timers),
    forget: () => undefined,
  } as unknown as Analyses;
  const { diagnostics, published } = diagnosticsOf(analyses, { timers });
  const pass = async (ms: number): Promise<void> => {
    timers.pass(ms);
    await new Promise(setImmediate);
  };
  const shown = () =>
    published.map(({ version, diagnostics: [first] }) => [version, first?.message]);
  return { diagnostics, pass, shown };
}

const ofText = (document: TextDocument) => Promise.resolve(told(document.getText()));

/** Opened and looked at; the look took that long. */
async function opened(tookMs: number) {
  const all = setUp((document, timers) => {
    timers.pass(tookMs);
    return ofText(document);
  });
  const document = documentOf('a');
  all.diagnostics.changed(document);
  await all.pass(0);
  return { ...all, document };
}

function type({ diagnostics, document }: Awaited<ReturnType<typeof opened>>, text: string): void {
  change(document, text);
  diagnostics.changed(document);
}

describe('a document', () => {
  it('that is opened is looked at without a pause, and so when it is opened anew', async () => {
    const all = await opened(1);
    expect(all.shown()).toEqual([[1, 'a']]);
    all.diagnostics.closed(all.document.uri);
    all.diagnostics.changed(documentOf('b'));
    await all.pass(0);
    expect(all.shown().slice(1)).toEqual([
      [undefined, undefined],
      [1, 'b'],
    ]);
  });

  it('in which somebody types is looked at after a pause, once for all that was typed', async () => {
    const all = await opened(1);
    for (let i = 0; i < 20; i++) {
      type(all, `b${i}`);
      await all.pass(SHORTEST_MS - 1);
    }
    expect(all.shown()).toEqual([[1, 'a']]);
    await all.pass(1);
    expect(all.shown()).toEqual([
      [1, 'a'],
      [21, 'b19'],
    ]);
    await all.pass(10 * LONGEST_MS);
    expect(all.shown()).toHaveLength(2);
  });

  it.each([
    ['costs little', 10, SHORTEST_MS],
    ['costs much', 120, 240],
    ['costs very much', 9_000, LONGEST_MS],
  ])('that %s waits for it', async (_, tookMs, pauseMs) => {
    const all = await opened(tookMs);
    type(all, 'b');
    await all.pass(pauseMs - 1);
    expect(all.shown()).toEqual([[1, 'a']]);
    await all.pass(1);
    expect(all.shown()).toEqual([
      [1, 'a'],
      [2, 'b'],
    ]);
  });

  it('that is typed in while it is looked at is not told of by its old text', async () => {
    const looks: ((looked: Looked) => void)[] = [];
    const { diagnostics, pass, shown } = setUp(() => new Promise((resolve) => looks.push(resolve)));
    const document = documentOf('a');
    diagnostics.changed(document);
    await pass(0);
    change(document, 'b');
    diagnostics.changed(document);
    looks[0]?.(told('a'));
    await pass(SHORTEST_MS);
    expect(shown()).toEqual([]);
    looks[1]?.(told('b'));
    await pass(0);
    expect(shown()).toEqual([[2, 'b']]);
  });

  it('that is looked at again is told of by the later look alone, whichever ends first', async () => {
    const looks: ((looked: Looked) => void)[] = [];
    const { diagnostics, pass, shown } = setUp(() => new Promise((resolve) => looks.push(resolve)));
    diagnostics.changed(documentOf('a'));
    await pass(LONGEST_MS);
    diagnostics.again();
    await pass(LONGEST_MS);
    looks[1]?.(told('known now'));
    await pass(0);
    looks[0]?.(told('known before'));
    await pass(0);
    expect(shown()).toEqual([[1, 'known now']]);
  });
});

it('the pause is never shorter or longer than said, whatever a look took', () => {
  const pauses = [undefined, 0, 75, 76, 249, 250, 1e9].map((tookMs) => pauseAfter(tookMs));
  expect(pauses).toEqual([150, 150, 150, 152, 498, 500, 500]);
});
