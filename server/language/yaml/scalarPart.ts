/** Scalars that can be replaced by others. */
import type { SitePart } from '../model';
import { wholeOf } from '../source/parts';
import type { Content, Tree, Value } from './tree';

/** Undefined for what stands elsewhere, holds places that cannot be told, or is not there at all. */
export function scalarPart(
  tree: Tree,
  node: Content | undefined,
  { isDirect }: Pick<Value, 'isDirect'>,
): SitePart | undefined {
  const mapped = isDirect ? tree.mapped(node) : undefined;
  const writing = mapped?.writing;
  if (mapped === undefined || writing === undefined) return undefined;
  // Nothing to replace: a blank might have to come before it.
  if (writing === 'yaml' && mapped.text === '') return undefined;
  return { span: wholeOf(mapped), writing };
}
