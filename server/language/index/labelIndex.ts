/**
 * Labels and selectable fields of stored objects of one resource: which there are, how many objects
 * have them, and how many a selector matches. Made by `LabelIndexBuilder`, never changed.
 */
import {
  matchesNothing,
  requirementMatcher,
  type FieldRequirement,
  type FieldTransform,
  type LabelRequirement,
  type Operator,
} from '../../kube/selectors';
import type { Predicate } from '../../store/interfaces';
import { CountedTexts } from './countedTexts';
import type { Noun } from './nouns';
import { ObjectSet } from './objectSet';
import type { Postings } from './postings';

/** What was read. */
export interface Coverage {
  /** Objects that are counted here. */
  readonly objects: number;
  /** Objects that are stored. */
  readonly total: number;
  /** Read, and not counted since they are unreadable. */
  readonly unreadable: number;
  /** Places in the order of keys that reading began at; 1 when it began at the first key alone. */
  readonly places: number;
}

/** What the objects are. */
export interface IndexedResource {
  readonly noun: Noun;
  /** Undefined for all namespaces, and for a resource without. */
  readonly namespace: string | undefined;
  readonly namespaced: boolean;
  /** From a field as it is written to the one that is stored; throws `SelectorError` for others. */
  readonly fieldTransform: FieldTransform;
}

/** A label and a field selector that must match both; undefined ones match all. */
export type Selection = Pick<Predicate, 'label' | 'field'>;

export class LabelIndex {
  /** Objects with each label. */
  readonly labelKeys: CountedTexts;
  /** Objects with each selectable field, by its internal name. */
  readonly fieldNames: CountedTexts;

  constructor(
    readonly resource: IndexedResource,
    readonly coverage: Coverage,
    private readonly labels: ReadonlyMap<string, Postings>,
    private readonly fields: ReadonlyMap<string, Postings>,
  ) {
    this.labelKeys = keysOf(labels);
    this.fieldNames = keysOf(fields);
  }

  /** Whether every stored object is counted. */
  get isExact(): boolean {
    return this.coverage.objects >= this.coverage.total;
  }

  /** Pairs of an object and a label or field of it: what the index costs in memory. */
  get pairs(): number {
    const all = [...this.labels.values(), ...this.fields.values()];
    return all.reduce((sum, { count }) => sum + count, 0);
  }

  /** Undefined when no object has the label. */
  labelValues(key: string): CountedTexts | undefined {
    return this.labels.get(key)?.values;
  }

  /** By the field's internal name; undefined when no object has it. */
  fieldValues(name: string): CountedTexts | undefined {
    return this.fields.get(name)?.values;
  }

  /** Objects that at least one of these selects. */
  matching(selections: readonly Selection[]): number {
    const [first, ...others] = selections.map((selection) => this.selected(selection));
    if (first === undefined) return 0;
    return others.reduce((all, more) => all.unite(more), first).count;
  }

  /** Objects that meet this one requirement. */
  labelMatches(requirement: LabelRequirement): number {
    return this.labelled(requirement).count;
  }

  /** As above; the field is the internal one. */
  fieldMatches(requirement: FieldRequirement): number {
    return this.withField(requirement).count;
  }

  private selected({ label, field }: Selection): ObjectSet {
    if (label !== undefined && matchesNothing(label)) return this.none();
    const all = ObjectSet.all(this.coverage.objects);
    for (const requirement of label?.requirements ?? []) all.intersect(this.labelled(requirement));
    for (const requirement of field?.requirements ?? []) all.intersect(this.withField(requirement));
    return all;
  }

  private none(): ObjectSet {
    return new ObjectSet(this.coverage.objects);
  }

  private labelled(requirement: LabelRequirement): ObjectSet {
    const { key, operator } = requirement;
    const set = this.none();
    const postings = this.labels.get(key);
    if (postings !== undefined) addNamed(set, postings, requirement);
    return NEGATIVE.has(operator) ? set.complement() : set;
  }

  /** A field that is not there equals the empty text. */
  private withField({ field, operator, value }: FieldRequirement): ObjectSet {
    const set = this.none();
    const postings = this.fields.get(field);
    if (value === '') {
      postings?.addAllTo(set);
      set.complement();
    }
    postings?.addValueTo(set, value);
    return operator === '=' ? set : set.complement();
  }
}

/** These hold where their positive forms do not, hence also without the label. */
const NEGATIVE: ReadonlySet<Operator> = new Set<Operator>(['!=', 'notin', '!']);

/** Adds the objects whose label is one that the requirement names, whether it asks for those or for others. */
function addNamed(set: ObjectSet, postings: Postings, requirement: LabelRequirement): void {
  const { key, operator, values } = requirement;
  switch (operator) {
    case 'exists':
    case '!':
      postings.addAllTo(set);
      break;
    case 'gt':
    case 'lt': {
      const matches = requirementMatcher(requirement);
      const labels = new Map<string, string>();
      postings.addWhere(set, (value) => matches(labels.set(key, value)));
      break;
    }
    default:
      for (const value of values) postings.addValueTo(set, value);
  }
}

function keysOf(all: ReadonlyMap<string, Postings>): CountedTexts {
  const keys = [...all.keys()].sort();
  return new CountedTexts(
    keys,
    Uint32Array.from(keys, (key) => all.get(key)?.count ?? 0),
  );
}
