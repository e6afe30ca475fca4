/** Whether selectors may stand in a document, told without parsing it. */

export interface Glimpse {
  readonly languageId: string;
  /** Its first lines. */
  readonly beginning: () => string;
}

/** A manifest's type, Kustomize's, or a key that holds a selector in other files. */
const SIGN =
  /^\s*(?:- )?(?:apiVersion|kind)\s*:|[sS]elector\s*:|\bkubectl\s|^\s*match(?:Labels|Expressions)\s*:/m;

export function mayHoldSelectors({ languageId, beginning }: Glimpse): boolean {
  if (languageId === 'etcdlist') return true;
  return languageId === 'yaml' && SIGN.test(beginning());
}
