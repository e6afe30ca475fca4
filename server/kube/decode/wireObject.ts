/** A stored object of protobuf, of which nothing is made before somebody asks. */
import type { SelectableFields } from '../fields/selectableFields';
import { WireFields } from '../fields/wireFields';
import type { StringSet } from '../selectors/types';
import { defaultLabels, wireTemplateLabels } from './defaults';
import { emptyMetadata, readObjectMeta, type MetadataDraft, type ObjectMetadata } from './metadata';
import type { StoredObject } from './object';
import { WireReader, WireType } from './wire';
import { WireLabels } from './wireLabels';

/** What objects of one type share. */
export interface WireKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly selectable: SelectableFields;
}

/** Offsets in `within` of a stored value, and of the object's own message inside it. */
export interface WirePlace {
  readonly within: Uint8Array;
  readonly start: number;
  readonly end: number;
  readonly rawStart: number;
  readonly rawEnd: number;
}

/** Made of bytes that are plainly sound, or read at once with `readNow`. */
export class WireObject implements StoredObject {
  private knownMetadata: ObjectMetadata | undefined;
  private knownFields: WireFields | undefined;

  constructor(
    private readonly of: WireKind,
    private readonly place: WirePlace,
  ) {}

  get apiVersion(): string {
    return this.of.apiVersion;
  }

  get kind(): string {
    return this.of.kind;
  }

  get encoding(): 'protobuf' {
    return 'protobuf';
  }

  get value(): Uint8Array {
    const { within, start, end } = this.place;
    return view(within, start, end);
  }

  get metadata(): ObjectMetadata {
    return (this.knownMetadata ??= this.readMetadata());
  }

  get fields(): StringSet {
    return this.lookup.all;
  }

  /** The labels, looked up one by one unless they have been read. */
  get labels(): StringSet {
    return this.knownMetadata?.labels ?? new WireLabels(this.raw, this);
  }

  /** Reads the metadata, and throws if that cannot be done. */
  readNow(): void {
    this.knownMetadata = this.readMetadata();
  }

  checkFields(): void {
    this.lookup.check();
  }

  /** The selectable fields, looked up one by one. */
  get lookup(): WireFields {
    const { selectable, apiVersion, kind } = this.of;
    return (this.knownFields ??= new WireFields(
      selectable.planFor(apiVersion),
      this.raw,
      kind,
      this,
    ));
  }

  addRest(fields: Map<string, string>): void {
    addMetadataFields(fields, this.metadata, this.of.selectable);
  }

  private get raw(): Uint8Array {
    const { within, rawStart, rawEnd } = this.place;
    return view(within, rawStart, rawEnd);
  }

  private readMetadata(): ObjectMetadata {
    const { raw, kind, apiVersion } = this;
    const metadata = readMetadata(raw, kind);
    const type = { apiVersion, kind };
    defaultLabels(type, metadata, () => wireTemplateLabels(raw, type));
    return metadata;
  }
}

/** A plain array, never a Buffer, whose `slice` would share memory. */
function view({ buffer, byteOffset }: Uint8Array, start: number, end: number): Uint8Array {
  return new Uint8Array(buffer, byteOffset + start, end - start);
}

function readMetadata(raw: Uint8Array, kind: string): MetadataDraft {
  const metadata = emptyMetadata();
  const reader = new WireReader(raw);
  while (reader.next(kind)) {
    if (reader.field === 1) {
      reader.expect(WireType.bytes, 'ObjectMeta');
      readObjectMeta(reader.message(), metadata);
    } else {
      reader.skip();
    }
  }
  return metadata;
}

export function addMetadataFields(
  fields: Map<string, string>,
  { name, namespace }: ObjectMetadata,
  { namespaced, nameAlias }: SelectableFields,
): void {
  fields.set('metadata.name', name);
  if (namespaced) fields.set('metadata.namespace', namespace);
  if (nameAlias) fields.set('name', name);
}
