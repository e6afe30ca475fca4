/**
 * Steps over the parts of the metadata that lists do not need, refusing what upstream refuses.
 *
 * Upstream: `apimachinery/pkg/apis/meta/v1/generated.pb.go`; the names are its Go field names.
 */
import { type WireReader, WireType } from './wire';

interface Shape {
  readonly message: string;
  /** By field number. */
  readonly fields: readonly (Field | undefined)[];
}

interface Field {
  readonly name: string;
  readonly wireType: number;
  /** What the bytes hold, when upstream looks into them. */
  readonly inside?: Shape | 'entry';
}

function shape(message: string, ...fields: readonly (readonly [number, Field])[]): Shape {
  const byNumber: (Field | undefined)[] = [];
  for (const [number, field] of fields) byNumber[number] = field;
  return { message, fields: Array.from(byNumber) };
}

function bytes(number: number, name: string, inside?: Field['inside']): readonly [number, Field] {
  const field = { name, wireType: WireType.bytes };
  return [number, inside === undefined ? field : { ...field, inside }];
}

function varint(number: number, name: string): readonly [number, Field] {
  return [number, { name, wireType: WireType.varint }];
}

const TIMESTAMP = shape('Timestamp', varint(1, 'Seconds'), varint(2, 'Nanos'));

const OWNER_REFERENCE = shape(
  'OwnerReference',
  bytes(1, 'Kind'),
  bytes(3, 'Name'),
  bytes(4, 'UID'),
  bytes(5, 'APIVersion'),
  varint(6, 'Controller'),
  varint(7, 'BlockOwnerDeletion'),
);

const MANAGED_FIELDS = shape(
  'ManagedFieldsEntry',
  bytes(1, 'Manager'),
  bytes(2, 'Operation'),
  bytes(3, 'APIVersion'),
  bytes(4, 'Time', TIMESTAMP),
  bytes(6, 'FieldsType'),
  bytes(7, 'FieldsV1', shape('FieldsV1', bytes(1, 'Raw'))),
  bytes(8, 'Subresource'),
);

/** `ObjectMeta` without the fields that are read. */
const OBJECT_META = shape(
  'ObjectMeta',
  bytes(2, 'GenerateName'),
  bytes(4, 'SelfLink'),
  bytes(6, 'ResourceVersion'),
  varint(10, 'DeletionGracePeriodSeconds'),
  bytes(12, 'Annotations', 'entry'),
  bytes(13, 'OwnerReferences', OWNER_REFERENCE),
  bytes(14, 'Finalizers'),
  bytes(17, 'ManagedFields', MANAGED_FIELDS),
);

/** Steps over the current field of an `ObjectMeta`. Throws `DecodeError`. */
export function skipMetaField(reader: WireReader): void {
  skipField(reader, OBJECT_META);
}

function skipField(reader: WireReader, { fields }: Shape): void {
  const field = fields[reader.field];
  if (field !== undefined) reader.expect(field.wireType, field.name);
  if (field?.inside === undefined) reader.skip();
  else if (field.inside === 'entry') skipEntry(reader);
  else checkMessage(reader, field.inside);
}

function checkMessage(reader: WireReader, inside: Shape): void {
  const outer = reader.enter();
  while (reader.next(inside.message)) skipField(reader, inside);
  reader.leave(outer);
}

/** As `readTextEntry` reads a map's entry, without keeping it. */
function skipEntry(reader: WireReader): void {
  const end = reader.extent();
  while (reader.at < end) {
    reader.tag();
    if (reader.field === 1 || reader.field === 2) reader.at = reader.extent();
    else reader.skip(end);
  }
  reader.at = end;
}
