/** Where an index is of: a resource and a namespace, whatever names a document has for them. */
import { nearestText } from '../../kube/resources/suggest';
import { namespaceNameErrors } from '../../kube/selectors';
import { plainText } from '../failures';
import { knownTarget } from '../knownTargets';
import type { OpenConnection } from '../openConnection';

export interface Place {
  /** Equal for the same resource and namespace. */
  readonly id: string;
  /** As `PLURAL.GROUP`. */
  readonly name: string;
  /** As it was named; the list finds its target by it. */
  readonly word: string;
  /** Empty for all. */
  readonly namespace: string;
}

export type FoundPlace =
  | { readonly place: Place; readonly sentence?: never }
  | {
      readonly place?: never;
      /** Why nothing is read there. */
      readonly sentence: () => string;
      /** It may be a custom resource that is not known yet. */
      readonly isUnsure?: boolean;
    };

/** In UTF-16 units; no name of a resource is longer. */
const LONGEST = 1000;

/** Sends nothing. What does not name a resource for certain is not read: a person may still be typing. */
export function placeOf(
  resource: string,
  namespace: string | undefined,
  connection: OpenConnection,
): FoundPlace {
  const word = resource.trim();
  if (word === '' || word.length > LONGEST || word.startsWith('/')) {
    return { sentence: () => 'No resource is named: labels are known by resource.' };
  }
  const known = knownTarget(word, connection);
  if (known.kind === 'unknown') {
    return { sentence: () => unknownText(word, known.nearest()), isUnsure: !known.certain };
  }
  const isNamespaced = known.kind === 'custom' || known.target.namespaced;
  const within = isNamespaced ? (namespace ?? '') : '';
  if (within !== '' && namespaceNameErrors(within).length > 0) {
    return { sentence: () => `"${plainText(within)}" is no name of a namespace.` };
  }
  const name = known.kind === 'custom' ? known.name : known.target.name;
  return { place: { id: JSON.stringify([name, within]), name, word, namespace: within } };
}

function unknownText(word: string, nearest: readonly string[]): string {
  const near = nearest.length === 0 ? '' : `; ${nearestText(nearest.map(plainText))}`;
  return `There is no resource "${plainText(word)}" that is known by this name${near}.`;
}
