/** A hover of the Language Server Protocol, as far as it is used. */
export interface TextPosition {
  /** From 0. */
  readonly line: number;
  /** UTF-16 offset in the line. */
  readonly character: number;
}

export interface TextRange {
  readonly start: TextPosition;
  readonly end: TextPosition;
}

export interface HoverPlace {
  readonly textDocument: { readonly uri: string };
  readonly position: TextPosition;
}

export interface HoverText {
  readonly contents: { readonly kind: 'markdown'; readonly value: string };
  readonly range: TextRange;
}
