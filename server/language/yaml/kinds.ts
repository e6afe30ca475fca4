/** What is known of a kind of object, as a tree to walk along with the document. */
import { BUILT_IN_KINDS, CUSTOM_FRAGMENTS, CUSTOM_KINDS, FRAGMENTS } from './kindTable';
import { rowsOf, sectionsOf, sharedRows, type Row } from './kindRows';

export interface KindNode {
  readonly row: Row | undefined;
  readonly fields: ReadonlyMap<string, KindNode>;
  /** Of a list's items. */
  readonly items: KindNode | undefined;
}

export interface TableKind {
  /** `apps`, or `policy/v1` where the version matters; `core` for the empty group. */
  readonly group: string;
  /** `*` for all of the group. */
  readonly kind: string;
  readonly rows: readonly Row[];
}

const fragments: ReadonlyMap<string, readonly string[]> = new Map(
  sectionsOf(FRAGMENTS + CUSTOM_FRAGMENTS).map(({ title, lines }) => [title, lines]),
);

function kindsOf(table: string): TableKind[] {
  return sectionsOf(table).flatMap(({ title, lines }) => {
    const [groups = '', kinds = ''] = title.split(' ');
    const rows = rowsOf(lines, fragments);
    return groups
      .split(',')
      .flatMap((group) => kinds.split(',').map((kind) => ({ group, kind, rows })));
  });
}

export const BUILT_IN_TABLE: readonly TableKind[] = kindsOf(BUILT_IN_KINDS);
export const CUSTOM_TABLE: readonly TableKind[] = kindsOf(CUSTOM_KINDS);

const LABELS = rowsOf(['metadata.labels labels'], fragments);

interface KnownTable extends TableKind {
  readonly node: KindNode;
}

const tables: readonly KnownTable[] = [...BUILT_IN_TABLE, ...CUSTOM_TABLE].map((each) => ({
  ...each,
  node: treeOf([...LABELS, ...each.rows]),
}));

const byGroupAndKind: ReadonlyMap<string, KnownTable> = new Map(
  tables.map((each) => [`${each.group} ${each.kind}`, each]),
);

/** Of an object that is in no table. */
const PLAIN_OBJECT = treeOf(LABELS);

interface Growing {
  row: Row | undefined;
  fields: Map<string, Growing>;
  items: Growing | undefined;
}

function growing(): Growing {
  return { row: undefined, fields: new Map(), items: undefined };
}

function treeOf(rows: readonly Row[]): KindNode {
  const root = growing();
  for (const row of rows) {
    let at = root;
    for (const step of row.path.split(/\.|(?=\[\])/)) at = stepInto(at, step);
    at.row = row;
  }
  return root;
}

function stepInto(at: Growing, step: string): Growing {
  if (step === '[]') return (at.items ??= growing());
  const known = at.fields.get(step) ?? growing();
  at.fields.set(step, known);
  return known;
}

export interface KnownKind {
  readonly node: KindNode;
  /** The kind itself is in the table. */
  readonly isInTable: boolean;
}

export function kindOf(apiVersion: string, kind: string): KnownKind {
  const found = tableOf(apiVersion, kind);
  return { node: found?.node ?? PLAIN_OBJECT, isInTable: found !== undefined };
}

function tableOf(apiVersion: string, kind: string): KnownTable | undefined {
  const group = groupOf(apiVersion);
  return (
    byGroupAndKind.get(`${apiVersion} ${kind}`) ??
    byGroupAndKind.get(`${group} ${kind}`) ??
    byGroupAndKind.get(`${group} *`)
  );
}

/** What is written of an object's kind; several where a template chooses among them. */
export interface WrittenKind {
  readonly versions: readonly WrittenVersion[];
  /** None where a template fills it in. */
  readonly kinds: readonly string[];
}

/** Each is undefined where a template fills it in. */
export interface WrittenVersion {
  readonly apiVersion: string | undefined;
  readonly group: string | undefined;
}

/** The places that all have which may be meant, with what they agree upon. */
export function placesOf({ versions, kinds }: WrittenKind): KindNode {
  const meant = versions.flatMap((version) => kinds.flatMap((kind) => tablesOf(version, kind)));
  const [first, ...others] = meant;
  if (first === undefined || others.includes(undefined)) return PLAIN_OBJECT;
  const known = others.flatMap((each) => each ?? []);
  if (known.every(({ rows }) => rows === first.rows)) return first.node;
  const shared = known.reduce((rows, each) => sharedRows(rows, each.rows), first.rows);
  return treeOf([...LABELS, ...shared]);
}

/** With undefined for one that is in no table. */
function tablesOf({ apiVersion, group }: WrittenVersion, kind: string): (KnownTable | undefined)[] {
  if (apiVersion !== undefined) return [tableOf(apiVersion, kind)];
  const mayBe = (each: KnownTable): boolean =>
    group === undefined || each.group.replace(/\/.*/, '') === group;
  const named = tables.filter((each) => each.kind === kind && mayBe(each));
  return named.length > 0 ? named : [byGroupAndKind.get(`${group ?? ''} *`)];
}

/** `core` for the empty group, as in the table. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? 'core' : apiVersion.slice(0, slash);
}

export const KUSTOMIZATION = 'kustomize.config.k8s.io/v1beta1';
