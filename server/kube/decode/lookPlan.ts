/** What a quick look needs for a list's selectors; none where it could not tell. */
import type { Branch, FieldPlan, Leaf } from '../fields/readPlan';
import type { SelectableFields } from '../fields/selectableFields';
import { isAscii, utf8 } from '../../common/bytes';
import type { FieldSelector, LabelSelector } from '../selectors/types';
import type { ItemType } from './envelope';
import { fieldTest, labelTest, type FieldLook, type Glance } from './glanceTests';
import { isUsual } from './plainEnvelope';
import { Act, QuickLook, type LookShape } from './quickLook';
import { ANY_FIELD, META_KNOWN, TAGS } from './skim';

export interface LookSelectors {
  readonly label: LabelSelector | undefined;
  readonly field: FieldSelector | undefined;
}

export interface LookObjects {
  readonly selectable: SelectableFields;
  /** Whether damage in the bytes of selectable fields counts, whatever is selected. */
  readonly readsFields: boolean;
  /** The type that the objects name. */
  readonly item: ItemType;
}

/** Undefined where the objects or the selectors are not of the usual kind. */
export function quickLookFor(
  { label, field }: LookSelectors,
  { selectable, readsFields, item }: LookObjects,
): QuickLook | undefined {
  if (!isUsual(item) || isOfNothing(label) || isOfNothing(field)) return undefined;
  const draft = new Draft(selectable, selectable.planFor(item.apiVersion));
  const object = draft.add({ label, field })
    ? draft.objectShape(readsFields || field?.empty() === false)
    : undefined;
  if (object === undefined) return undefined;
  const { labels, slotCount, tests } = draft;
  return new QuickLook(item, { object, labels, slotCount, tests });
}

/** Selects nothing, which no requirement says. */
const isOfNothing = (selector: LabelSelector | FieldSelector | undefined): boolean =>
  selector !== undefined && !selector.empty() && selector.requirements.length === 0;

const Meta = { name: 1, namespace: 3, labels: 11 } as const;
const METADATA = 1;
/** Slots of labels go first; so many selectors are none that a person writes. */
const MOST_LABELS = 32;
const MOST_SLOTS = 128;
const MOST_FIELDS = TAGS / 8;

class Draft {
  readonly labels: Uint8Array[] = [];
  readonly tests: Glance[] = [];
  private readonly keys: string[] = [];
  /** Slots of fields by their places, field numbers with dots between. */
  private readonly places = new Map<string, number>();

  constructor(
    private readonly selectable: SelectableFields,
    private readonly plan: FieldPlan,
  ) {}

  get slotCount(): number {
    return MOST_LABELS + this.places.size;
  }

  /** False when there is a requirement that a quick look cannot judge. */
  add({ label, field }: LookSelectors): boolean {
    return (
      (label?.requirements ?? []).every((requirement) => this.addLabel(requirement)) &&
      (field?.requirements ?? []).every((requirement) => this.addField(requirement))
    );
  }

  private addLabel(requirement: LabelSelector['requirements'][number]): boolean {
    const { key, values } = requirement;
    if (![key, ...values].every(isAscii)) return false;
    let slot = this.keys.indexOf(key);
    if (slot < 0) {
      slot = this.keys.push(key) - 1;
      this.labels.push(utf8(key));
    }
    this.tests.push(labelTest(requirement, slot));
    return slot < MOST_LABELS;
  }

  private addField({ field, operator, value }: FieldSelector['requirements'][number]): boolean {
    const look = this.lookFor(field);
    if (look === undefined || !isAscii(value)) return false;
    this.tests.push(fieldTest(look, value, operator === '='));
    return this.places.size <= MOST_SLOTS;
  }

  /** The metadata and, when fields are read, all that they stand in. */
  objectShape(readsFields: boolean): LookShape | undefined {
    const { root } = this.plan;
    if (root.leaves[METADATA] !== undefined || root.branches[METADATA] !== undefined) {
      return undefined;
    }
    const object = readsFields ? this.branchShape(root, '') : anyShape();
    if (object !== undefined) enter(object, METADATA, this.metadataShape(), Act.inside);
    return object;
  }

  private lookFor(field: string): FieldLook | undefined {
    const planned = this.plan.byName.get(field)?.rule;
    if (planned !== undefined) {
      const { sources, type, absent } = planned;
      if (type === 'any') return undefined;
      return { slots: sources.map(({ wire }) => this.slotOf(wire.join('.'))), type, absent };
    }
    const own = this.metadataField(field);
    if (own === undefined) return undefined;
    return { slots: [this.slotOf(`${METADATA}.${own}`)], type: 'text', absent: '' };
  }

  private metadataField(field: string): number | undefined {
    const { namespaced, nameAlias } = this.selectable;
    if (field === 'metadata.name' || (nameAlias && field === 'name')) return Meta.name;
    return namespaced && field === 'metadata.namespace' ? Meta.namespace : undefined;
  }

  private slotOf(place: string): number {
    const slot = this.places.get(place) ?? this.slotCount;
    this.places.set(place, slot);
    return slot;
  }

  private metadataShape(): LookShape {
    const made = metaShape();
    for (const field of [Meta.name, Meta.namespace]) {
      const slot = this.places.get(`${METADATA}.${field}`);
      if (slot !== undefined) mark(made, field * 8 + 2, Act.text, slot);
    }
    if (this.keys.length > 0) mark(made, Meta.labels * 8 + 2, Act.label, 0);
    return made;
  }

  private branchShape(branch: Branch, above: string): LookShape | undefined {
    const made = anyShape();
    for (const [field, leaf] of branch.leaves.entries()) {
      if (leaf === undefined) continue;
      if (field >= MOST_FIELDS || leaf.type === 'any') return undefined;
      this.addLeaf(made, field, leaf, above);
    }
    let lists = 0;
    for (const [field, below] of branch.branches.entries()) {
      if (below === undefined) continue;
      if (below.firstOnly) lists++;
      const inside = this.branchShape(below, `${above}${field}.`);
      if (inside === undefined || field >= MOST_FIELDS || lists > 1) return undefined;
      enter(made, field, inside, below.firstOnly ? Act.first : Act.inside);
    }
    return made;
  }

  private addLeaf(made: LookShape, field: number, { type }: Leaf, above: string): void {
    const isText = type === 'text';
    made.acts[field * 8 + (isText ? 0 : 2)] = Act.stop;
    const slot = this.places.get(`${above}${field}`);
    if (slot === undefined) return;
    mark(made, field * 8 + (isText ? 2 : 0), isText ? Act.text : Act.flag, slot);
  }
}

const emptyShape = (): LookShape => ({
  acts: new Uint8Array(TAGS),
  slots: new Uint8Array(TAGS),
  checked: Array.from({ length: TAGS }, () => undefined),
  inside: Array.from({ length: TAGS }, () => undefined),
});

/** Of a message whose fields do not count: integers and lengths of whatever number. */
function anyShape(): LookShape {
  const made = emptyShape();
  for (const field of ANY_FIELD) {
    made.acts[field * 8] = Act.pass;
    made.acts[field * 8 + 2] = Act.bytes;
  }
  return made;
}

function metaShape(): LookShape {
  const made = emptyShape();
  for (const field of META_KNOWN.varints) made.acts[field * 8] = Act.pass;
  for (const field of META_KNOWN.bytes) made.acts[field * 8 + 2] = Act.bytes;
  for (const [field, message] of META_KNOWN.messages) {
    made.acts[field * 8 + 2] = Act.check;
    made.checked[field * 8 + 2] = message;
  }
  return made;
}

function mark({ acts, slots }: LookShape, tag: number, act: number, slot: number): void {
  acts[tag] = act;
  slots[tag] = slot;
}

function enter({ acts, inside }: LookShape, field: number, below: LookShape, act: number): void {
  acts[field * 8] = Act.stop;
  acts[field * 8 + 2] = act;
  inside[field * 8 + 2] = below;
}
