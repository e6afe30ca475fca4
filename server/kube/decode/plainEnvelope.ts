/** The envelope that Kubernetes writes around the objects of one type, told by its bytes where it stands. */
import { isAscii, utf8 } from '../../common/bytes';
import { hasDefaultLabels } from './defaults';
import { TAIL, type ItemType } from './envelope';
import { contentAt, lengthAt } from './skim';

/** Whether the type's text fits where its length is one byte, and what is stored is all that counts. */
export function isUsual(item: ItemType): boolean {
  const text = item.apiVersion + item.kind;
  return isAscii(text) && text.length < 0x60 && !hasDefaultLabels(item);
}

/** Of a usual type. */
export class PlainEnvelope {
  /** The bytes up to the length of the object's own message. */
  private readonly head: Uint8Array;

  constructor({ apiVersion, kind }: ItemType) {
    const [version, name] = [utf8(apiVersion), utf8(kind)];
    const type = [0x0a, version.length, ...version, 0x12, name.length, ...name];
    this.head = Uint8Array.of(0x6b, 0x38, 0x73, 0x00, 0x0a, type.length, ...type, 0x12);
  }

  /** Where the object's own message begins, which ends at `endOf(end)`; -1 in any other envelope. */
  messageAt(bytes: Uint8Array, start: number, end: number): number {
    const { head } = this;
    for (let i = 0; i < head.length; i++) if (bytes[start + i] !== head[i]) return -1;
    const at = start + head.length;
    const content = contentAt(bytes, at);
    const stop = content + lengthAt(bytes, at);
    if (stop !== end - TAIL.length) return -1;
    for (let i = 0; i < TAIL.length; i++) if (bytes[stop + i] !== TAIL[i]) return -1;
    return content;
  }

  /** Where the message ends in a value that ends there. */
  endOf(end: number): number {
    return end - TAIL.length;
  }
}
