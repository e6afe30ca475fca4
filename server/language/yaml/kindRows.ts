/** The lines of `kindTable.ts`, read. */
import type { EmptyMeaning } from '../model';

/** How labels are written in a place. */
export type Form =
  /** `metav1.LabelSelector`. */
  | 'object'
  /** Labels as a map, all of which are asked for. */
  | 'map'
  /** `core/v1.NodeSelector`: alternatives. */
  | 'nodes'
  /** `core/v1.NodeSelectorTerm`: one of them. */
  | 'term'
  /** A list of requirements. */
  | 'requirements'
  /** `core/v1.TopologySelectorTerm`. */
  | 'topology'
  /** Labels that objects bear. */
  | 'labels'
  | 'labelText'
  | 'fieldText'
  /** The key of a label, or several. */
  | 'key'
  | 'keys';

/** Operators that are known beside `In`, `NotIn`, `Exists` and `DoesNotExist`, or fewer than these. */
export type OperatorSet = 'label' | 'node' | 'review' | 'karpenter' | 'inOnly';

export interface Row {
  /** With `[]` for the items of a list. */
  readonly path: string;
  readonly form: Form;
  /** The resource whose labels are meant, as kubectl names it. */
  readonly resource: string | undefined;
  readonly isInOwnNamespace: boolean;
  readonly empty: EmptyMeaning;
  readonly absent: EmptyMeaning;
  readonly options: RowOptions;
}

export interface RowOptions {
  /** Path of a template in the same object whose labels have to match. */
  readonly template?: string;
  /** What upstream calls the kind when it refuses an empty selector. */
  readonly refusal?: string;
  /** The Go type that has the field, which its decoder names. */
  readonly holder?: string;
  /** Fields beside it that lead into other namespaces. */
  readonly elsewhere?: readonly string[];
  /** What upstream calls the field in its errors. */
  readonly shown?: string;
  readonly operators?: OperatorSet;
  /** An empty selector means what people may not expect. */
  readonly isSurprising?: boolean;
  /** `*` and `?` stand for other characters. */
  readonly hasWildcards?: boolean;
  /** Its reader knows that labels are texts, and makes them of numbers. */
  readonly isTyped?: boolean;
  readonly isDeprecated?: boolean;
  /** The API server takes it as it is; what is wrong with it shows later. */
  readonly isUnchecked?: boolean;
  /** The same for its values alone. */
  readonly isLenient?: boolean;
  /** The API server warns of old keys, with the key after the field or without it. */
  readonly warns?: 'key' | 'whole';
  /** The field beside it that takes the same in the other form, in place of this one. */
  readonly other?: string;
  /** Of which kind the objects are stands beside it. */
  readonly isToldBeside?: boolean;
  /** Whose selector Kubernetes makes. */
  readonly generated?: 'job' | 'cronJob';
}

const EMPTY_MEANINGS: ReadonlyMap<string, EmptyMeaning> = new Map(
  (['all', 'none', 'own', 'refused', 'filled', 'unknown'] as const).map((meaning) => [
    meaning,
    meaning,
  ]),
);

const FORMS: ReadonlyMap<string, Form> = new Map(
  (
    [
      'object',
      'map',
      'nodes',
      'term',
      'requirements',
      'topology',
      'labels',
      'labelText',
      'fieldText',
      'key',
      'keys',
    ] as const
  ).map((form) => [form, form]),
);

export interface Section {
  readonly title: string;
  readonly lines: readonly string[];
}

export function sectionsOf(table: string): Section[] {
  const sections: { title: string; lines: string[] }[] = [];
  for (const line of table.split('\n').filter((each) => each.trim() !== '')) {
    if (line.startsWith(' ')) sections.at(-1)?.lines.push(line.trim());
    else sections.push({ title: line, lines: [] });
  }
  return sections;
}

/** The rows of some lines, those of fragments among them, with their whole paths. */
export function rowsOf(
  lines: readonly string[],
  fragments: ReadonlyMap<string, readonly string[]>,
  above = '',
): Row[] {
  return lines.flatMap((line) => {
    const words = line.split(' ');
    const included = words.at(-1)?.startsWith('+') === true ? words.pop()?.slice(1) : undefined;
    if (included === undefined) return [rowOf(words, above)];
    const path = joined(above, words[0] ?? '');
    const found = fragments.get(included);
    if (found === undefined) throw new Error(`no fragment ${included}`);
    return rowsOf(found, fragments, path);
  });
}

function joined(above: string, path: string): string {
  return above === '' || path === '' ? above + path : `${above}.${path}`;
}

function rowOf(words: readonly string[], above: string): Row {
  const [path = '', formText = '', selects = '-', meanings = '-', ...optionTexts] = words;
  const form = FORMS.get(formText);
  if (form === undefined) throw new Error(`no form ${formText} in ${words.join(' ')}`);
  const [empty = '', absent = ''] = meanings.split('/');
  const [resource = '', namespace] = selects.split('@');
  return {
    path: joined(above, path),
    form,
    resource: resource === '-' ? undefined : resource,
    isInOwnNamespace: namespace === 'own',
    empty: EMPTY_MEANINGS.get(empty) ?? 'unknown',
    absent: EMPTY_MEANINGS.get(absent) ?? 'unknown',
    options: optionsOf(optionTexts),
  };
}

const OPERATOR_SETS: ReadonlyMap<string, OperatorSet> = new Map([
  ['karpenter', 'karpenter'],
  ['review', 'review'],
  ['inOnly', 'inOnly'],
]);

function optionsOf(texts: readonly string[]): RowOptions {
  return texts.reduce<RowOptions>((options, text) => ({ ...options, ...optionOf(text) }), {});
}

const TEXT_OPTIONS: ReadonlyMap<string, (value: string) => RowOptions> = new Map<
  string,
  (value: string) => RowOptions
>([
  ['template', (template) => ({ template })],
  ['refusal', (refusal) => ({ refusal })],
  ['holder', (holder) => ({ holder })],
  ['shown', (shown) => ({ shown })],
  ['other', (other) => ({ other })],
]);

function optionOf(text: string): RowOptions {
  const [name = '', value = ''] = text.split('=');
  switch (name) {
    case 'elsewhere':
      return { elsewhere: value.split(',') };
    case 'operators':
      return { operators: OPERATOR_SETS.get(value) ?? 'label' };
    case 'warns':
      return { warns: value === 'whole' ? 'whole' : 'key' };
    default:
      return TEXT_OPTIONS.get(name)?.(value) ?? flagOf(name);
  }
}

function flagOf(name: string): RowOptions {
  switch (name) {
    case 'surprising':
      return { isSurprising: true };
    case 'wildcards':
      return { hasWildcards: true };
    case 'typed':
      return { isTyped: true };
    case 'deprecated':
      return { isDeprecated: true };
    case 'unchecked':
      return { isUnchecked: true };
    case 'lenient':
      return { isLenient: true };
    case 'beside':
      return { isToldBeside: true };
    case 'job':
    case 'cronJob':
      return { generated: name };
    default:
      throw new Error(`no option ${name}`);
  }
}

/** The rows that both have, each with what both say of it. */
export function sharedRows(some: readonly Row[], others: readonly Row[]): Row[] {
  return some.flatMap((row) => {
    const other = others.find(({ path, form }) => path === row.path && form === row.form);
    return other === undefined ? [] : [sharedRow(row, other)];
  });
}

function sharedRow(row: Row, other: Row): Row {
  const options = Object.entries(row.options).filter(
    ([name, value]) => String(value) === String(optionNamed(other.options, name)),
  );
  return {
    ...row,
    resource: row.resource === other.resource ? row.resource : undefined,
    isInOwnNamespace: row.isInOwnNamespace && other.isInOwnNamespace,
    empty: row.empty === other.empty ? row.empty : 'unknown',
    absent: row.absent === other.absent ? row.absent : 'unknown',
    options: Object.fromEntries(options),
  };
}

function optionNamed(options: RowOptions, name: string): unknown {
  return Object.entries(options).find(([each]) => each === name)?.[1];
}
