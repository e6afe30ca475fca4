/** What may be done with a selector that stands in a document as one text. */
import type { Edit, Fix } from '../findings';
import { rewritten } from '../source/edits';
import type { MappedText } from '../source/mappedText';
import { textOffset, wholeOf } from '../source/parts';
import { written } from '../source/writing';
import { rewritesAt } from './rewrites';

export interface SelectorText {
  readonly kind: 'label' | 'field';
  readonly text: MappedText;
}

/** `offset` is one of the document's, as are the places of the text. */
export function textActions({ kind, text }: SelectorText, document: string, offset: number): Fix[] {
  const { start, end } = wholeOf(text);
  if (offset < start || offset > end || text.text.trim() === '') return [];
  const rewrites = kind === 'label' ? rewritesAt(text.text, textOffset(text, offset)) : [];
  return [
    ...rewrites.flatMap((each) => fixOf(each.title, rewritten(text, each.text))),
    ...fixOf('Put it into quotes for the shell', quoted(text)),
    ...fixOf('Percent-encode it', encoded(text, document)),
  ];
}

function fixOf(title: string, edits: readonly Edit[] | undefined): Fix[] {
  return edits === undefined ? [] : [{ title, edits, preferred: false }];
}

/** Undefined for what stands in quotes. */
function quoted(text: MappedText): Edit[] | undefined {
  if (text.writing !== 'shell' || /['\r\n]/.test(text.text)) return undefined;
  return [{ span: wholeOf(text), text: `'${text.text}'` }];
}

/** Undefined outside of addresses, and where all of it is encoded. */
function encoded(text: MappedText, document: string): Edit[] | undefined {
  if (text.writing !== 'percent') return undefined;
  const span = wholeOf(text);
  const form = written(text.text, 'percent');
  if (form === undefined || form === document.slice(span.start, span.end)) return undefined;
  return [{ span, text: form }];
}
