/** Values that more than one command takes. */
import { nearest } from '../../common/nearest';
import { usageError } from '../exit';
import { cell } from '../output/text';

/** One of a few words. */
export function oneOf<T extends string>(flag: string, text: string, allowed: readonly T[]): T {
  const found = allowed.find((value) => value === text);
  if (found !== undefined) return found;
  const close = nearest(text, allowed, 1)[0];
  const hint = close === undefined ? '' : `; did you mean ${close}?`;
  throw usageError(`${flag} "${cell(text)}" is none of ${allowed.join(', ')}${hint}`);
}

export function namespaceOf(text: string): string {
  if (text === '' || text === '.' || text === '..' || text.includes('/')) {
    throw usageError(`--namespace "${cell(text)}" is not the name of a namespace`);
  }
  return text;
}
