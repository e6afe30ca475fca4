/** Objects made where they stand in a reply, without a view of their bytes. */
import type { SelectableFields } from '../fields/selectableFields';
import type { ItemType } from './envelope';
import type { StoredObject } from './object';
import { isUsual, PlainEnvelope } from './plainEnvelope';
import { isPlainlySound } from './skim';
import { WireObject } from './wireObject';

export interface InPlace {
  /** Whether the bytes are plainly those of a sound object; if not, `decodeObject` knows. */
  isSound(bytes: Uint8Array, start: number, end: number): boolean;
  /** The object of such bytes. */
  make(bytes: Uint8Array, start: number, end: number): StoredObject;
}

/** For values as Kubernetes writes them, of one built-in type. Undefined where the type is unusual. */
export function inPlaceOf(item: ItemType, selectable: SelectableFields): InPlace | undefined {
  if (!isUsual(item)) return undefined;
  const envelope = new PlainEnvelope(item);
  const of = { ...item, selectable };
  return {
    isSound: (bytes, start, end) => {
      const from = envelope.messageAt(bytes, start, end);
      return from >= 0 && isPlainlySound(bytes, from, envelope.endOf(end));
    },
    make: (within, start, end) => {
      const rawStart = envelope.messageAt(within, start, end);
      return new WireObject(of, { within, start, end, rawStart, rawEnd: envelope.endOf(end) });
    },
  };
}
