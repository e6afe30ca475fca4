/** Objects of a resource, as they are named in a sentence. */

export interface Noun {
  readonly one: string;
  readonly many: string;
}

export const OBJECTS: Noun = { one: 'object', many: 'objects' };

/**
 * `Pod` and `Pods`, `NetworkPolicy` and `NetworkPolicies`: the kind in the form of the plural. Where
 * the plural is another word, or the kind is not known, the plural stands for both.
 */
export function nounOf(kind: string, plural: string): Noun {
  const lower = kind.toLowerCase();
  let shared = 0;
  while (shared < lower.length && lower[shared] === plural[shared]) shared++;
  if (shared < 2) return { one: plural, many: plural };
  return { one: kind, many: kind.slice(0, shared) + plural.slice(shared) };
}

/** `1 Pod`, `4,210 Pods`. */
export function counted(count: number, { one, many }: Noun): string {
  return `${shownNumber(count)} ${count === 1 ? one : many}`;
}

export function shownNumber(count: number): string {
  return count.toLocaleString('en-US');
}
