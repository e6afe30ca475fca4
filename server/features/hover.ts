/** Hovers in documents that the language server holds: a token in the line under the pointer, else what others tell. */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { HoverText, TextPosition } from '../protocol/model';
import type { ConnectionHolder } from './connectionHolder';
import { readHoverPlace } from './queryParams';
import type { Router } from './router';
import { hoverToken } from './token';

/** Documents by URI; undefined for one that was not handed over. */
export interface HeldDocuments {
  get(uri: string): TextDocument | undefined;
}

/** Beyond this, in UTF-16 units, a line is cut around the pointer. */
const LONGEST_LINE = 10_000;

/** What else is told of a place; null where there is nothing. */
export type HoverOther = (
  document: TextDocument,
  position: TextPosition,
  signal: AbortSignal,
) => Promise<HoverText | null>;

/** A token goes before the selector that it stands in. */
export function registerHover(
  router: Router,
  documents: HeldDocuments,
  holder: ConnectionHolder,
  other: HoverOther,
): void {
  router.handle('textDocument/hover', readHoverPlace, async (params, { signal }) => {
    const { textDocument, position } = params;
    const document = documents.get(textDocument.uri);
    if (document === undefined) return null;
    return hoverOnToken(document, position, holder) ?? other(document, position, signal);
  });
}

function hoverOnToken(
  document: TextDocument,
  position: TextPosition,
  holder: ConnectionHolder,
): HoverText | null {
  const { text, offset } = lineAround(document, position);
  const character = position.character - offset;
  const found = hoverToken({ line: text, character }, holder.current);
  if (found === null) return null;
  const at = (end: number): TextPosition => ({ line: position.line, character: offset + end });
  const range = { start: at(found.start), end: at(found.end) };
  return { contents: { kind: 'markdown', value: found.markdown }, range };
}

/** The line under the pointer, or its part around it, and where that begins in the line. */
function lineAround(
  document: TextDocument,
  { line, character }: TextPosition,
): { readonly text: string; readonly offset: number } {
  const longestSide = LONGEST_LINE / 2;
  const offset = Math.max(0, character - longestSide);
  const text = document.getText({
    start: { line, character: offset },
    end: { line, character: character + longestSide },
  });
  return { text, offset };
}
