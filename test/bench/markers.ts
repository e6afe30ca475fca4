/** The part of a document that a run writes. */

const begin = '<!-- bench: begin -->';
const end = '<!-- bench: end -->';

/** Where the markers stand; throws when the document has none. */
export function checkMarkers(document: string): readonly [number, number] {
  const [from, to] = [document.indexOf(begin), document.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`the document has no ${begin} … ${end}`);
  return [from, to];
}

/** Throws when the document has no markers. */
export function putBetweenMarkers(document: string, body: string): string {
  const [from, to] = checkMarkers(document);
  return `${document.slice(0, from + begin.length)}\n\n${body}\n\n${document.slice(to)}`;
}
