/** Selectors of manifests as the rest of the language side sees them. */
import {
  fieldSelectorOf,
  labelSelectorOf,
  sortRequirements,
  type LabelSelectorExpression,
  type Span,
} from '../../kube/selectors';
import type { EmptyMeaning, SelectedFrom, SelectorSite, SiteRequirement } from '../model';
import { resourceOfKind, type KubeObject } from './kubeObject';
import type { WrittenLabel } from './labels';
import { readingOf, textOf, type Tree, type Value } from './tree';
import type { Place } from './walk';

/** What a selector asks for, as far as it can be told. */
export interface ReadSelector {
  /** Those that are valid. */
  readonly requirements: readonly SiteRequirement[];
  readonly labels: readonly WrittenLabel[];
  readonly expressions: readonly LabelSelectorExpression[];
  /** Nothing else is asked for, and nothing in it is wrong. */
  readonly isWhole: boolean;
  /** The same but for values that are no texts, which are wrong by themselves. */
  readonly isSound: boolean;
}

/** From where the selector of a place selects. */
export function selectedFrom(tree: Tree, object: KubeObject, place: Place): SelectedFrom {
  const { row, parent } = place;
  if (row.options.isToldBeside === true) return toldBeside(tree, parent);
  const isLedAway = (row.options.elsewhere ?? []).some((name) => {
    const beside = tree.field(parent, name);
    return beside !== undefined && !isCertainlyNull(tree, beside);
  });
  const isOwn = row.isInOwnNamespace && !isLedAway;
  const resource = row.resource ?? (row.form === 'labels' ? object.resource : undefined);
  return { resource, namespace: isOwn ? object.namespace : undefined };
}

function isCertainlyNull(tree: Tree, value: Value): boolean {
  return readingOf(value.node)?.as === 'null' && tree.isCertain(value);
}

function toldBeside(tree: Tree, parent: Value): SelectedFrom {
  const text = (name: string): string | undefined => {
    const entry = tree.field(parent, name);
    return entry === undefined || tree.isCertain(entry) ? textOf(entry) : '{{ }}';
  };
  return fromBeside(text('kind') ?? '', text('group'), text('namespace'));
}

/** What is said of objects beside their selector; undefined for a pattern, which may mean several. */
export function fromBeside(
  kind: string,
  group: string | undefined,
  namespace: string | undefined,
): SelectedFrom {
  const isPattern = namespace === undefined || !/^[a-z0-9-]+$/.test(namespace);
  return { resource: resourceOfKind(kind, group), namespace: isPattern ? undefined : namespace };
}

/** From the key to the value's end, in the place where it stands itself. */
export function siteSpan({ anchor, value }: Place): Span {
  return { start: anchor.start, end: Math.max(anchor.end, value.span.end) };
}

type Selects = NonNullable<SelectorSite['selects']>[number];

/**
 * What the alternatives select, as texts; undefined where one of them is not certain or not valid.
 * `empty` is what one means that asks for nothing.
 */
export function alternatives(
  read: readonly Pick<ReadSelector, 'requirements' | 'isWhole'>[],
  empty: EmptyMeaning,
): SelectorSite['selects'] {
  const found: Selects[] = [];
  for (const { requirements, isWhole } of read) {
    if (!isWhole) return undefined;
    if (requirements.length > 0 || empty === 'all') found.push(selectsOf(requirements));
    else if (empty !== 'none') return undefined;
  }
  return found;
}

function selectsOf(requirements: readonly SiteRequirement[]): Selects {
  const labels = requirements.filter(({ kind }) => kind === 'label');
  const fields = requirements.flatMap(({ kind, key, operator, values }) =>
    kind === 'label'
      ? []
      : [{ field: key, operator: operator === 'in' ? '=' : '!=', value: values[0] ?? '' } as const],
  );
  return {
    labels: labelSelectorOf(sortRequirements(labels)).toString(),
    fields: fields.length === 0 ? '' : fieldSelectorOf(fields).toString(),
  };
}

/** What it means where nothing is asked for: an empty selector, or none. */
export function emptyMeaning({ row, value }: Place): SelectorSite['empty'] {
  return readingOf(value.node)?.as === 'null' ? row.absent : row.empty;
}
