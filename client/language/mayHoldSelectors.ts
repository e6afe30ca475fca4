/** Whether selectors may stand in a document, told without parsing it. */
import { manifestLanguages, queryLanguage } from '../../server/protocol/names';

export interface Glimpse {
  readonly languageId: string;
  /** A path or URI; its end is what counts. */
  readonly uri: string;
  /** Its text, or lines of it. */
  readonly text: () => string;
}

/** A manifest says its version, other files have a selector by its key, or a command that may have one. */
const SIGN =
  /\bapiVersion\b|(?:label|field)[-_]?selectors?["']?[ \t]*:|match(?:Labels|Expressions)["']?[ \t]*:|kubectl|\boc\b/i;

/** Query files written as YAML, and kustomizations, which need not say what they are. */
const BY_NAME = /\.etcdlist\.ya?ml$|(?:^|[\\/])(?:kustomization\.ya?ml|Kustomization)$/;

/** True wherever the language server would find something: what it looks at, it is started for. */
export function mayHoldSelectors({ languageId, uri, text }: Glimpse): boolean {
  if (languageId === queryLanguage) return true;
  if (!manifestLanguages.includes(languageId)) return false;
  if (BY_NAME.test(uri)) return true;
  const given = text();
  // A template may write the version with its key.
  return SIGN.test(given) || (given.includes('{{') && /\bkind["']?[ \t]*:/.test(given));
}
