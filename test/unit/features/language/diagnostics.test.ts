import { describe, expect, it } from 'vitest';
import type { Diagnostic, PublishDiagnosticsParams } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { openDocument } from '../../../../server/language/open';
import { Analyses } from '../../../../server/features/language/analyses';
import { SiteCounts } from '../../../../server/features/language/siteCounts';
import type { Analyst } from '../../../../server/features/language/analyst';
import { Diagnostics } from '../../../../server/features/language/diagnostics';
import { isColumns, loadFiles, vectorsDir } from '../../../vectors/harness';
import { FORMS } from '../../../vectors/language/forms';
import { placeOf, Unwritten } from '../../../vectors/language/pieces';
import { labelErrorPlace } from '../../../vectors/language/places';
import { nothingStored } from './support';

/** What an editor is told of a document, without waiting and without a thread. */
async function published(document: TextDocument): Promise<PublishDiagnosticsParams> {
  const analyst = {
    ask: () =>
      Promise.resolve({
        answered: true,
        value: openDocument({
          uri: document.uri,
          languageId: '',
          text: document.getText(),
        })!.analysis(),
      }),
    forget: () => undefined,
  } as unknown as Analyst;
  return new Promise((resolve) => {
    const parts = {
      analyses: new Analyses(analyst),
      stored: nothingStored,
      counts: new SiteCounts(),
      severities: () => ({}),
      publish: resolve,
      now: () => 0,
      after: (_: number, action: () => void) => {
        action();
        return () => undefined;
      },
    };
    new Diagnostics(parts).changed(document);
  });
}

function refused(): { readonly selector: string; readonly error: string }[] {
  const file = loadFiles(vectorsDir()).find(({ topic }) => topic === 'label-parse');
  if (file === undefined || 'problem' in file) throw new Error('no vectors');
  return file.cases.flatMap((each) => {
    const [input, wanted] = isColumns(each) ? [each['input'], each['expect']] : [];
    if (!isColumns(input) || !isColumns(wanted)) return [];
    const { selector, error } = { ...input, ...wanted };
    const isPlain = typeof selector === 'string' && selector.trim() === selector;
    return isPlain && typeof error === 'string' ? [{ selector, error }] : [];
  });
}

const isError = ({ severity }: Diagnostic): boolean => severity === 1;

describe('an editor is told the refusal of a selector', () => {
  // Which place is right in which form, all cases tell of in `test/vectors/language.test.ts`.
  const cases = refused().filter((_, i) => i % 4 === 0);

  it.each(FORMS)('at its characters, as $name', async (form) => {
    let told = 0;
    for (const { selector, error } of cases) {
      const written = form.write('label', selector);
      if (written instanceof Unwritten) continue;
      const uri = `file:///x/${form.uri}`;
      const document = TextDocument.create(uri, '', 3, written.text);
      const { version, diagnostics } = await published(document);
      const right = placeOf(written, labelErrorPlace(selector, error));
      const errors = diagnostics.filter(isError).map(({ message, source, code, range }) => ({
        message,
        source,
        code,
        text: document.getText(range),
        at: document.offsetAt(range.start),
      }));
      const text = written.text.slice(right.start, right.end);
      const wanted = { source: 'etcd LIST', code: 'label-selector', text, at: right.start };
      expect({ version, errors }, written.text).toEqual({
        version: 3,
        errors: [{ message: error, ...wanted }],
      });
      told++;
    }
    expect(told).toBeGreaterThan(15);
  });
});
