/** What a measured process is asked, and what it answers. */

/** What an index is made of. */
export type IndexShape =
  /** 100,000 objects, one of whose labels has 50,000 values. */
  | 'values'
  /** 100,000 objects, each with a label key of its own. */
  | 'keys';

export type Ask =
  /** The file is what is gone over from now on. */
  | { readonly op: 'read'; readonly file: string }
  /** By the `yaml` package: as everybody calls it, or with all left out that can be. */
  | { readonly op: 'parse'; readonly how: ParseHow }
  | { readonly op: 'parseTouched' }
  /** As a text that is seen for the first time. */
  | { readonly op: 'analyse' }
  /** As a text that is seen again with one character changed. */
  | { readonly op: 'change' }
  | { readonly op: 'buildIndex'; readonly shape: IndexShape }
  /** Beside the index, for the whole file. */
  | { readonly op: 'lenses' }
  /** One hover, or one completion, behind a keystroke in the file. */
  | { readonly op: 'hover' }
  | { readonly op: 'complete' }
  /** Many completions from the index alone. */
  | { readonly op: 'offers'; readonly shape: IndexShape; readonly times: number };

export type ParseHow = 'usual' | 'lean';

/** Beside the time: what was counted, bytes of memory, and of many times their middle and their tail. */
export interface Outcome {
  readonly ms: number;
  readonly counts: Readonly<Record<string, number>>;
}

export type Answer = Outcome | { readonly failure: string };
