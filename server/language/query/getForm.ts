/** `GET` and an address: exactly one request to an API server, as audit logs have it. */
import { lineFrom, skipBlanks } from '../source/lines';
import type { DraftRead } from './draft';
import type { Mark } from './model';
import { urlDraft } from './urlDraft';
import { readUrl } from './urlText';

/** What may stand before an address in place of `GET`: nothing, or the member of an audit event. */
export const BEFORE_ADDRESS = /^(?:GET(?=[ \t]|$)|"?requestURI"?[ \t]*[:=])/;

/** Whether a block's first line is an address, with or without `GET`. */
export function isGet(line: string): boolean {
  const rest = line.replace(BEFORE_ADDRESS, '');
  return rest.length < line.length || /^["']?(?:\/|https?:\/\/)/.test(line);
}

/** Reads the request that starts at this offset. */
export function readGet(text: string, start: number, limit: number): DraftRead {
  const line = lineFrom(text, start, limit);
  const before = BEFORE_ADDRESS.exec(text.slice(start, Math.min(line.end, start + 200)))?.[0] ?? '';
  const from = skipBlanks(text, start + before.length, line.end);
  const { url, span, end, comment, findings } = readUrl(text, from, limit);
  const anchor = before === '' ? span : { start, end: start + before.length };
  const inner = urlDraft(url, { form: 'get', anchor, span: { start, end: span.end } });
  const marks: Mark[] = [...inner.marks];
  if (before !== '') marks.push({ span: anchor, type: 'keyword' });
  if (comment !== undefined) marks.push({ span: comment, type: 'comment' });
  const placeAt: typeof inner.placeAt = (offset) =>
    offset < span.start || offset > end ? undefined : inner.placeAt(offset);
  return { draft: { ...inner, findings: [...findings, ...inner.findings], marks, placeAt }, end };
}
