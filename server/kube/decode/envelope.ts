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
  const draft = readUnknown(new WireReader(value, MAGIC_LENGTH));
  const envelope = { ...draft, ...typeOr(draft, item) };
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

function readUnknown(reader: WireReader): EnvelopeDraft {
  const draft: EnvelopeDraft = {
    apiVersion: '',
    kind: '',
    raw: new Uint8Array(),
    contentEncoding: '',
    contentType: '',
  };
  while (reader.next('Unknown')) {
    switch (reader.field) {
      case 1:
        reader.expect(WireType.bytes, 'TypeMeta');
        readTypeMeta(reader.message(), draft);
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

function readTypeMeta(reader: WireReader, draft: EnvelopeDraft): void {
  while (reader.next('TypeMeta')) {
    switch (reader.field) {
      case 1:
        reader.expect(WireType.bytes, 'APIVersion');
        draft.apiVersion = reader.text();
        break;
      case 2:
        reader.expect(WireType.bytes, 'Kind');
        draft.kind = reader.text();
        break;
      default:
        reader.skip();
    }
  }
}

function requireType({ apiVersion, kind }: ItemType): void {
  const missing = kind === '' ? 'Kind' : apiVersion === '' ? 'apiVersion' : undefined;
  if (missing === undefined) return;
  const type = `runtime.TypeMeta{APIVersion:${goQuote(apiVersion)}, Kind:${goQuote(kind)}}`;
  throw new DecodeError(`Object '${missing}' is missing in '${type}'`);
}
