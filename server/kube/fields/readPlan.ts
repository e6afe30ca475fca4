/** Reads selectable fields from protobuf bytes or JSON, in one pass over what they need. */
import { DecodeError } from '../decode/errors';
import { isObject, type JsonObject, type JsonValue, member } from '../decode/jsonText';
import { type WireReader, WireType } from '../decode/wire';
import type { FieldRule, FieldSource } from './rule';

export interface Leaf {
  readonly type: FieldRule['type'];
  /** Where its text goes. */
  readonly slots: number[];
  /** The Go field's name, for upstream's error text. */
  readonly goName: string;
}

export interface Branch {
  /** By field number, as the branches. */
  readonly leaves: (Leaf | undefined)[];
  readonly branches: (Branch | undefined)[];
  readonly goName: string;
  /** Name of the message type; empty for the object itself, whose kind the reader knows. */
  readonly message: string;
  /** Of a list only the first element counts. */
  readonly firstOnly: boolean;
}

/** What to read, prepared once per resource. Immutable after `compileRules`. */
export interface FieldPlan {
  readonly rules: readonly FieldRule[];
  readonly root: Branch;
  /** Each rule, and the slot of its first source, by the rule's name. */
  readonly byName: ReadonlyMap<string, PlannedRule>;
  /** Sources of all rules. */
  readonly slotCount: number;
}

export interface PlannedRule {
  readonly rule: FieldRule;
  readonly slot: number;
}

export function compileRules(rules: readonly FieldRule[]): FieldPlan {
  const root = branch('', '', false);
  const byName = new Map<string, PlannedRule>();
  let slot = 0;
  for (const rule of rules) {
    byName.set(rule.name, { rule, slot });
    for (const source of rule.sources) plant(root, source, rule.type, slot++);
  }
  return { rules, root, byName, slotCount: slot };
}

/**
 * What the sources of a plan hold in one object: two numbers a slot, where a text starts and ends,
 * or a text and -1. Slots of what is not there are undefined.
 */
export type WireSlots = (string | number | undefined)[];

/** Finds the fields of a protobuf object. Throws `DecodeError`. */
export function findWireFields(plan: FieldPlan, object: WireReader, kind: string): WireSlots {
  const slots: WireSlots = new Array<undefined>(2 * plan.slotCount).fill(undefined);
  walk(object, plan.root, kind, { kind, slots, firsts: new Set() });
  return slots;
}

export function slotText(object: WireReader, slots: WireSlots, slot: number): string {
  const [start, end] = [slots[2 * slot], slots[2 * slot + 1]];
  if (start === undefined) return '';
  if (typeof start === 'string') return start;
  return object.textAt(start, Number(end));
}

/** Adds the fields that were found to `fields`. */
export function readWireFields(
  plan: FieldPlan,
  object: WireReader,
  slots: WireSlots,
  fields: Map<string, string>,
): void {
  collect(plan, (_, slot) => slotText(object, slots, slot), fields);
}

/** Adds the fields of a JSON object to `fields`. Throws `DecodeError`. */
export function readJsonFields(
  plan: FieldPlan,
  object: JsonObject,
  fields: Map<string, string>,
): void {
  const read = (source: FieldSource, _: number, type: FieldRule['type']) =>
    jsonText(follow(object, source.json, type === 'any'), type, source.json);
  collect(plan, read, fields);
}

function collect(
  plan: FieldPlan,
  read: (source: FieldSource, slot: number, type: FieldRule['type']) => string,
  fields: Map<string, string>,
): void {
  let slot = 0;
  for (const rule of plan.rules) {
    let text = '';
    for (const source of rule.sources) {
      const value = read(source, slot++, rule.type);
      if (text === '') text = value;
    }
    fields.set(rule.name, text === '' ? rule.absent : text);
  }
}

function branch(goName: string, message: string, firstOnly: boolean): Branch {
  return { leaves: [], branches: [], goName, message, firstOnly };
}

function plant(root: Branch, source: FieldSource, type: FieldRule['type'], slot: number): void {
  const names = source.json.filter((part): part is string => typeof part === 'string');
  let node = root;
  source.wire.forEach((field, depth) => {
    const name = names[depth] ?? '';
    if (depth === source.wire.length - 1) {
      const leaf = node.leaves[field] ?? { type, slots: [], goName: goName(name) };
      leaf.slots.push(slot);
      node.leaves[field] = leaf;
      return;
    }
    const isList = typeof source.json[depth + 1] === 'number';
    const next = node.branches[field] ?? branch(goName(name), MESSAGES.get(name) ?? '', isList);
    node.branches[field] = next;
    node = next;
  });
}

/** Messages not named after the kind and the field, such as `PodSpec` is. */
const MESSAGES: ReadonlyMap<string, string> = new Map([
  ['involvedObject', 'ObjectReference'],
  ['regarding', 'ObjectReference'],
  ['source', 'EventSource'],
  ['deprecatedSource', 'EventSource'],
  ['podIPs', 'PodIP'],
  ['pool', 'ResourcePool'],
]);

const GO_NAMES: ReadonlyMap<string, string> = new Map([
  ['uid', 'UID'],
  ['ip', 'IP'],
  ['apiVersion', 'APIVersion'],
  ['serviceAccount', 'DeprecatedServiceAccount'],
  ['reportingComponent', 'ReportingController'],
]);

function goName(name: string): string {
  return GO_NAMES.get(name) ?? name.charAt(0).toUpperCase() + name.slice(1);
}

interface Walk {
  readonly kind: string;
  readonly slots: WireSlots;
  /** Lists whose first element was read: what they stand in may come in several parts. */
  readonly firsts: Set<Branch>;
}

function walk(reader: WireReader, node: Branch, message: string, run: Walk): void {
  while (reader.next(message)) {
    const { field } = reader;
    const leaf = node.leaves[field];
    const below = node.branches[field];
    if (leaf !== undefined) findLeaf(reader, leaf, run.slots);
    else if (below === undefined || run.firsts.has(below)) reader.skip();
    else {
      if (below.firstOnly) run.firsts.add(below);
      reader.expect(WireType.bytes, below.goName);
      const name = below.message === '' ? `${run.kind}${below.goName}` : below.message;
      const outer = reader.enter();
      walk(reader, below, name, run);
      reader.leave(outer);
    }
  }
}

function findLeaf(
  reader: WireReader,
  { type, slots: targets, goName }: Leaf,
  slots: WireSlots,
): void {
  reader.expect(type === 'text' ? WireType.bytes : WireType.varint, goName);
  let start: string | number;
  let end = -1;
  if (type === 'bool') start = String(reader.bool());
  else if (type === 'int32') start = String(reader.int32());
  else {
    end = reader.extent();
    start = reader.at;
    reader.at = end;
  }
  for (const slot of targets) {
    slots[2 * slot] = start;
    slots[2 * slot + 1] = end;
  }
}

/** Throws `DecodeError` for a step into what has no such members, unless the object is `untyped`. */
function follow(
  object: JsonObject,
  path: readonly (string | number)[],
  untyped: boolean,
): JsonValue | undefined {
  let value: JsonValue | undefined = object;
  for (const [index, part] of path.entries()) {
    if (value === undefined || value === null) return undefined;
    if (typeof part === 'number' && Array.isArray(value)) value = elementAt(value, part);
    else if (typeof part === 'string' && isObject(value)) value = member(value, part);
    else if (untyped) return undefined;
    else throw wrongType(path.slice(0, index));
  }
  return value;
}

function wrongType(path: readonly (string | number)[]): DecodeError {
  return new DecodeError(`malformed object: ${path.join('.')} has the wrong type`);
}

function elementAt(list: readonly JsonValue[], index: number): JsonValue | undefined {
  return list[index];
}

function jsonText(
  value: JsonValue | undefined,
  type: FieldRule['type'],
  path: readonly (string | number)[],
): string {
  if (value === undefined || value === null) return '';
  if (type === 'any') return printScalar(value);
  if (type === 'text' && typeof value === 'string') return value;
  if (type === 'bool' && typeof value === 'boolean') return String(value);
  if (type === 'int32' && typeof value === 'number' && (value | 0) === value) return String(value);
  throw wrongType(path);
}

/** Go's default format of a decoded scalar; objects and lists cannot be declared and are empty. */
function printScalar(value: JsonValue): string {
  if (typeof value === 'number') return String(value).replace(/e([+-])(\d)$/, 'e$10$2');
  return typeof value === 'object' ? '' : String(value);
}
