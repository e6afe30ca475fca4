/**
 * The protobuf envelope of stored objects: four magic bytes and a `runtime.Unknown`.
 *
 * Upstream: `apimachinery/pkg/runtime/serializer/protobuf/protobuf.go`, whose texts these are.
 */
import { goQuote } from '../../common/goText';
import { DecodeError } from './errors';
import { WireReader, WireType } from './wire';

export interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  /** The object's own message, a view into the value. */
  readonly raw: Uint8Array;
  readonly contentEncoding: string;
  readonly contentType: string;
}

const MAGIC_LENGTH = 4;

/** What a list's items are; stands in for a type that a stored object does not name. */
export interface ItemType {
  readonly apiVersion: string;
  readonly kind: string;
}

/**
 * Opens a value that starts with the protobuf magic. A type that is missing is the item's. Throws
 * `DecodeError`.
 */
export function openEnvelope(value: Uint8Array, item?: ItemType): Envelope {
  if (value.length === MAGIC_LENGTH) throw new DecodeError('empty body');
  const plain = item && plainEnvelope(value, item);
  if (plain !== undefined) return plain;
  const envelope = readUnknown(new WireReader(value, MAGIC_LENGTH), item);
  const { apiVersion, kind } = typeOr(envelope, item);
  envelope.apiVersion = apiVersion;
  envelope.kind = kind;
  requireType(envelope);
  return envelope;
}

/** The type as stored, with the item's where a part is missing. */
export function typeOr({ apiVersion, kind }: ItemType, item: ItemType | undefined): ItemType {
  return {
    apiVersion: apiVersion === '' ? (item?.apiVersion ?? '') : apiVersion,
    kind: kind === '' ? (item?.kind ?? '') : kind,
  };
}

interface EnvelopeDraft {
  apiVersion: string;
  kind: string;
  raw: Uint8Array;
  contentEncoding: string;
  contentType: string;
}

/** Behind the object's own message: content encoding and type, both empty. */
export const TAIL = [0x1a, 0x00, 0x22, 0x00] as const;

/** The envelope that upstream puts around this type, told by its bytes; undefined when it is another. */
function plainEnvelope(value: Uint8Array, { apiVersion, kind }: ItemType): Envelope | undefined {
  const reader = new WireReader(value, MAGIC_LENGTH);
  const versionAt = MAGIC_LENGTH + 4;
  const kindAt = versionAt + apiVersion.length + 2;
  const rawAt = kindAt + kind.length;
  const isType =
    kindAt + kind.length < 0x7f &&
    isField(value, MAGIC_LENGTH, 0x0a, rawAt - versionAt + 2) &&
    isField(value, versionAt - 2, 0x0a, apiVersion.length) &&
    isField(value, kindAt - 2, 0x12, kind.length) &&
    value[rawAt] === 0x12 &&
    reader.isAsciiAt(versionAt, kindAt - 2, apiVersion) &&
    reader.isAsciiAt(kindAt, rawAt, kind);
  if (!isType || apiVersion === '' || kind === '') return undefined;
  reader.at = rawAt + 1;
  const raw = reader.view();
  const end = value.length - TAIL.length;
  if (reader.at !== end || TAIL.some((byte, i) => value[end + i] !== byte)) return undefined;
  return { apiVersion, kind, raw, contentEncoding: '', contentType: '' };
}

/** A tag and a length of one byte each. */
function isField(value: Uint8Array, at: number, tag: number, length: number): boolean {
  return value[at] === tag && value[at + 1] === length;
}

const NOTHING = new Uint8Array(0);

function readUnknown(reader: WireReader, item: ItemType | undefined): EnvelopeDraft {
  const draft: EnvelopeDraft = {
    apiVersion: '',
    kind: '',
    raw: NOTHING,
    contentEncoding: '',
    contentType: '',
  };
  while (reader.next('Unknown')) {
    switch (reader.field) {
      case 1:
        reader.expect(WireType.bytes, 'TypeMeta');
        readTypeMeta(reader, draft, item);
        break;
      case 2:
        reader.expect(WireType.bytes, 'Raw');
        draft.raw = reader.view();
        break;
      case 3:
        reader.expect(WireType.bytes, 'ContentEncoding');
        draft.contentEncoding = reader.text();
        break;
      case 4:
        reader.expect(WireType.bytes, 'ContentType');
        draft.contentType = reader.text();
        break;
      default:
        reader.skip();
    }
  }
  return draft;
}

function readTypeMeta(reader: WireReader, draft: EnvelopeDraft, item: ItemType | undefined): void {
  const outer = reader.enter();
  while (reader.next('TypeMeta')) {
    switch (reader.field) {
      case 1:
        reader.expect(WireType.bytes, 'APIVersion');
        draft.apiVersion = textLike(reader, item?.apiVersion);
        break;
      case 2:
        reader.expect(WireType.bytes, 'Kind');
        draft.kind = textLike(reader, item?.kind);
        break;
      default:
        reader.skip();
    }
  }
  reader.leave(outer);
}

/** The current field's text, which is nearly always the one that is likely. */
function textLike(reader: WireReader, likely: string | undefined): string {
  const end = reader.extent();
  const start = reader.at;
  reader.at = end;
  const isLikely = likely !== undefined && reader.isAsciiAt(start, end, likely);
  return isLikely ? likely : reader.textAt(start, end);
}

function requireType({ apiVersion, kind }: ItemType): void {
  const missing = kind === '' ? 'Kind' : apiVersion === '' ? 'apiVersion' : undefined;
  if (missing === undefined) return;
  const type = `runtime.TypeMeta{APIVersion:${goQuote(apiVersion)}, Kind:${goQuote(kind)}}`;
  throw new DecodeError(`Object '${missing}' is missing in '${type}'`);
}
