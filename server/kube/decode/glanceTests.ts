/** Requirements of selectors as tests on bytes. Each may hold when it cannot tell, never fail wrongly. */
import { utf8 } from '../../common/bytes';
import type { LabelRequirement } from '../selectors/types';
import { isSame, NUMBER } from './quickLook';

/** `found` has two numbers a slot, see `QuickLook`. */
export type Glance = (bytes: Uint8Array, found: Int32Array) => boolean;

const always: Glance = () => true;

const startOf = (found: Int32Array, slot: number): number => found[2 * slot] ?? -1;
const endOf = (found: Int32Array, slot: number): number => found[2 * slot + 1] ?? -1;

/** The label of the requirement stands in this slot. */
export function labelTest({ operator, values }: LabelRequirement, slot: number): Glance {
  const texts = values.map((value) => utf8(value));
  const isThere: Glance = (_, found) => startOf(found, slot) >= 0;
  const isListed: Glance = (bytes, found) => {
    const [start, end] = [startOf(found, slot), endOf(found, slot)];
    return start >= 0 && texts.some((text) => isSame(bytes, start, end, text));
  };
  switch (operator) {
    case '=':
    case '==':
    case 'in':
      return isListed;
    case '!=':
    case 'notin':
      return (bytes, found) => !isListed(bytes, found);
    case '!':
      return (bytes, found) => !isThere(bytes, found);
    case 'exists':
    case 'gt':
    case 'lt':
      // A label that is not there is in no order; one that is, is left to who reads numbers.
      return isThere;
    default:
      return always;
  }
}

export interface FieldLook {
  /** The first that is not empty counts. */
  readonly slots: readonly number[];
  readonly type: 'text' | 'bool' | 'int32';
  /** Its text where every slot is empty. */
  readonly absent: string;
}

export function fieldTest(look: FieldLook, value: string, isWanted: boolean): Glance {
  const text = utf8(value);
  const { slots, type, absent } = look;
  const isAbsent = absent === value;
  const isValue: Glance = (bytes, found) => {
    for (const slot of slots) {
      const [start, end] = [startOf(found, slot), endOf(found, slot)];
      if (end === NUMBER) return numberText(start, type) === value;
      if (start >= 0 && end > start) return isSame(bytes, start, end, text);
    }
    return isAbsent;
  };
  return (bytes, found) => isValue(bytes, found) === isWanted;
}

const numberText = (number: number, type: FieldLook['type']): string =>
  type === 'bool' ? String(number !== 0) : String(number);
