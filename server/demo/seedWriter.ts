/**
 * Protobuf messages by hand, as far as the seeded objects need them. Fields are written in the order
 * of the calls; Kubernetes writes them in the order of their numbers.
 */
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { writeEnvelope, writeObjectMeta } from '../kube/encode';
import type { MetaInput } from '../kube/encode';
import type { Random } from './seedRandom';

export type Entries = Iterable<readonly [string, string]>;

export class Fields {
  private readonly writer = new BinaryWriter();

  text(no: number, text: string): this {
    this.writer.tag(no, WireType.LengthDelimited).string(text);
    return this;
  }

  bytes(no: number, bytes: Uint8Array): this {
    this.writer.tag(no, WireType.LengthDelimited).bytes(bytes);
    return this;
  }

  int(no: number, value: number): this {
    this.writer.tag(no, WireType.Varint).int64(value);
    return this;
  }

  bool(no: number, value: boolean): this {
    this.writer.tag(no, WireType.Varint).bool(value);
    return this;
  }

  /** An embedded message. */
  message(no: number, write: (fields: Fields) => void): this {
    this.writer.tag(no, WireType.LengthDelimited).fork();
    write(this);
    this.writer.join();
    return this;
  }

  /** A message made elsewhere, its fields as part of this one. */
  raw(encoded: Uint8Array): this {
    this.writer.raw(encoded);
    return this;
  }

  map(no: number, entries: Entries): this {
    for (const [key, value] of entries) this.message(no, (f) => f.text(1, key).text(2, value));
    return this;
  }

  /** A map of resource quantities, such as cpu and memory. */
  quantities(no: number, entries: Entries): this {
    for (const [key, value] of entries) {
      this.message(no, (f) => f.text(1, key).message(2, (quantity) => quantity.text(1, value)));
    }
    return this;
  }

  /** `ObjectMeta` with what the object's managers own. */
  meta(no: number, meta: MetaInput, ...managers: readonly Manager[]): this {
    return this.message(no, (f) => {
      writeObjectMeta(this.writer, meta);
      for (const manager of managers)
        f.message(17, (entry) => {
          writeManager(entry, manager);
        });
    });
  }

  /** Takes out what was written as the stored value of an object, and starts anew. */
  object(apiVersion: string, kind: string, write: (fields: this) => void): Uint8Array {
    writeEnvelope(this.writer, apiVersion, kind, () => {
      write(this);
    });
    return this.finish();
  }

  /** Takes out what was written, and starts anew in the same memory. */
  finish(): Uint8Array {
    return this.writer.finish();
  }

  /** `metav1.Time`, from whole seconds since 1970. */
  time(no: number, seconds: number): this {
    return this.message(no, (f) => f.int(1, seconds).int(2, 0));
  }
}

export interface Manager {
  readonly name: string;
  readonly apiVersion: string;
  /** Whole seconds since 1970. */
  readonly time: number;
  /** `metadata.managedFields[].fieldsV1`, which is JSON. */
  readonly fields: Uint8Array;
  /** Such as `status`; none when absent. */
  readonly subresource?: string;
}

function writeManager(f: Fields, manager: Manager): void {
  f.text(1, manager.name).text(2, 'Update').text(3, manager.apiVersion).time(4, manager.time);
  f.text(6, 'FieldsV1')
    .message(7, (fields) => fields.bytes(1, manager.fields))
    .text(8, manager.subresource ?? '');
}

/** What every object is made with: one writer, so that its memory is used again. */
export interface Seeding {
  readonly random: Random;
  readonly out: Fields;
}

/** One message. */
export function encoded(write: (fields: Fields) => void): Uint8Array {
  const fields = new Fields();
  write(fields);
  return fields.finish();
}
