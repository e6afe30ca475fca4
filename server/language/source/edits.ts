/** Edits of a text that stands in a document in another form. */
import type { Edit } from '../findings';
import type { MappedText } from './mappedText';
import { written } from './writing';

/** A text with these edits made; they are in order and do not overlap. */
export function withEdits(text: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { span, text: put } of edits) {
    parts.push(text.slice(at, span.start), put);
    at = span.end;
  }
  return parts.join('') + text.slice(at);
}

/**
 * The same edits of the document; undefined where they cannot be written there. A plain scalar of YAML
 * is written anew as a whole, since what it may hold depends on all of it.
 */
export function placedEdits(mapped: MappedText, edits: readonly Edit[]): Edit[] | undefined {
  const { text, writing, place } = mapped;
  if (writing === undefined) return undefined;
  if (writing === 'yaml') {
    const whole = written(withEdits(text, edits), writing);
    const span = place({ start: 0, end: text.length });
    return whole === undefined ? undefined : [{ span, text: whole }];
  }
  // Nothing within a word of a shell needs no quotes; a word of nothing does.
  const isWord = writing === 'shell' && withEdits(text, edits) !== '';
  const placed = edits.flatMap(({ span, text: put }) => {
    const form = isWord && put === '' ? '' : written(put, writing);
    return form === undefined ? [] : [{ span: place(span), text: form }];
  });
  return placed.length === edits.length ? placed : undefined;
}

/**
 * Another text on one line in the place of all of a text; undefined where it cannot be written there.
 * What ends a block scalar stays.
 */
export function rewritten({ text, writing, place }: MappedText, put: string): Edit[] | undefined {
  const form = writing === undefined ? undefined : written(put, writing);
  if (form === undefined) return undefined;
  const isScalar = writing === 'yaml';
  const end = isScalar ? text.length : text.trimEnd().length;
  return [{ span: place({ start: 0, end }), text: form }];
}
