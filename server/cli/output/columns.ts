/** The table's columns for objects and for values that are none. */
import type { Clock } from '../../common/clock';
import { isMasked, MASK } from '../../kube/print/printable';
import { printAge, thousands } from '../quantities';
import { foreignEncoding } from './encoding';
import { cell, keyText } from './text';
import type { Item } from './rows';
import type { Column } from './table';

export interface ColumnChoice {
  readonly kind: 'objects' | 'values';
  readonly wide: boolean;
  /** The rows come from more than one namespace. */
  readonly namespaces: boolean;
  /** Thousands separators, for people. */
  readonly grouped: boolean;
  /** Labels of what stands under a Secret's key and is none are shown too. */
  readonly showSecrets: boolean;
}

export function columnsFor(choice: ColumnChoice, clock: Clock): Column[] {
  const digits = (value: number | bigint): string =>
    choice.grouped ? thousands(value) : value.toString();
  const shared: Column[] = [
    { header: 'REVISION', right: true, cell: (item) => digits(item.modRevision) },
    { header: 'SIZE', right: true, cell: (item) => digits(item.size) },
  ];
  if (choice.kind === 'values') {
    return [
      { header: 'KEY', cell: (item) => keyText(item.key) },
      ...shared,
      ...wideOnly(choice, kind),
    ];
  }
  return [
    ...(choice.namespaces ? [{ header: 'NAMESPACE', cell: namespace }] : []),
    { header: 'NAME', cell: (item) => cell(item.object.object?.metadata.name ?? '') },
    { header: 'AGE', cell: (item) => age(item, clock.now()) },
    ...shared,
    ...wideOnly(choice, labels(choice.showSecrets)),
  ];
}

const kind: Column = { header: 'KIND', cell: ({ object }) => kindText(object) };

/** The kind of an object; what else a value is, in brackets, where that can be told. */
function kindText({ object, value }: Item['object']): string {
  if (object !== undefined) return cell(object.kind);
  const foreign = foreignEncoding(value);
  return foreign === '' ? '' : `(${foreign})`;
}

const labels = (showSecrets: boolean): Column => ({
  header: 'LABELS',
  cell: (item) => labelText(item, showSecrets),
});
const namespace = (item: Item): string => cell(item.object.object?.metadata.namespace ?? '');

function wideOnly(choice: ColumnChoice, column: Column): Column[] {
  return choice.wide ? [column] : [];
}

function age(item: Item, now: number): string {
  const created = item.object.object?.metadata.creationTimestamp;
  const at = created === undefined ? NaN : Date.parse(created);
  return Number.isNaN(at) ? '<unknown>' : printAge(now - at);
}

function labelText({ key, object: { object } }: Item, showSecrets: boolean): string {
  const pairs = [...(object?.metadata.labels ?? [])];
  if (pairs.length === 0) return '<none>';
  if (object !== undefined && !showSecrets && isMasked(object, key)) return MASK;
  return cell(pairs.map(([key, value]) => `${key}=${value}`).join(','));
}
