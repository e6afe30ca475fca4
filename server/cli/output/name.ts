/** kubectl's `-o name`: `pod/web-1`, `deployment.apps/web`. */
import { cell, keyText } from './text';
import type { Item } from './rows';

export function nameLine(item: Item): string {
  const { object } = item.object;
  if (object === undefined) return keyText(item.key);
  const slash = object.apiVersion.indexOf('/');
  const group = slash < 0 ? '' : `.${object.apiVersion.slice(0, slash)}`;
  return cell(`${object.kind.toLowerCase()}${group}/${object.metadata.name}`);
}
