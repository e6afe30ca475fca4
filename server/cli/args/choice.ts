/** A flag that takes one of a few words. */
import { nearest } from '../../common/nearest';
import { usageError } from '../exit';
import { cell } from '../output/text';

export function oneOf<T extends string>(flag: string, text: string, allowed: readonly T[]): T {
  const found = allowed.find((value) => value === text);
  if (found !== undefined) return found;
  const close = nearest(text, allowed, 1)[0];
  const hint = close === undefined ? '' : `; did you mean ${close}?`;
  throw usageError(`${flag} "${cell(text)}" is none of ${allowed.join(', ')}${hint}`);
}
