/** Protobuf fields by number, for kinds whose message type is not known here. */
import { isUtf8 } from 'node:buffer';
import { utf8Strict } from '../../common/bytes';
import type { Budget } from '../decode/budget';
import type { JsonObject, JsonValue } from '../decode/jsonText';
import { WireReader, WireType } from '../decode/wire';

/** Deeper nesting is shown as base64. */
const MAX_DEPTH = 40;
/** Larger field numbers mean that bytes only look like a message; Kubernetes uses small ones. */
const LARGEST_FIELD = 1000;

/** Turns one field's value, the reader standing behind its tag, into something printable. */
export type FieldPrinter = (reader: WireReader) => JsonValue;

/**
 * All fields the reader has left, by number; repeated ones as a list. Throws `DecodeError` when
 * the bytes are no message.
 */
function numberedFields(reader: WireReader, print: FieldPrinter): JsonObject {
  const fields = new Map<string, JsonValue[]>();
  while (reader.next('message')) addField(fields, reader.field, print(reader));
  return joinFields(fields);
}

export function addField(fields: Map<string, JsonValue[]>, field: number, value: JsonValue): void {
  const values = fields.get(String(field));
  if (values === undefined) fields.set(String(field), [value]);
  else values.push(value);
}

export function joinFields(fields: ReadonlyMap<string, readonly JsonValue[]>): JsonObject {
  return Object.fromEntries(
    [...fields].map(([field, values]) => {
      const [first] = values;
      return [field, values.length === 1 && first !== undefined ? first : values];
    }),
  );
}

/**
 * Prints any field: integers as numbers (as text beyond 2^53), bytes by guessing what they are.
 * Throws `DecodeError` once the budget, of the whole object, is spent.
 */
export function printField(budget: Budget, depth = 0): FieldPrinter {
  return (reader) => {
    budget.spend(1);
    switch (reader.wireType) {
      case WireType.varint:
        return printInteger(reader.int64());
      case WireType.fixed64:
        return printInteger(reader.fixed(8));
      case WireType.fixed32:
        return printInteger(reader.fixed(4));
      case WireType.bytes:
        return printBytes(reader.view(), budget, depth + 1);
      default:
        return skippedBytes(reader);
    }
  };
}

function printInteger(value: bigint): JsonValue {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

function skippedBytes(reader: WireReader): string {
  const start = reader.at;
  reader.skip();
  return base64(reader.bytes.subarray(start, reader.at));
}

/**
 * Text, a nested message, or base64. Bytes can be both text and message; printable text that does
 * not begin with a control character counts as text, since most such bytes are.
 */
function printBytes(bytes: Uint8Array, budget: Budget, depth: number): JsonValue {
  const text = printableText(bytes);
  if (text !== undefined && !/^[\n\r\t]/.test(text)) return text;
  return nested(bytes, budget, depth) ?? text ?? base64(bytes);
}

const UNPRINTABLE = /[^\P{Cc}\n\r\t]/u;

function printableText(bytes: Uint8Array): string | undefined {
  // Bytes are mostly no text, and finding that out by an exception costs the most.
  const text = isUtf8(bytes) ? utf8Strict(bytes) : undefined;
  return text === undefined || UNPRINTABLE.test(text) ? undefined : text;
}

function nested(bytes: Uint8Array, budget: Budget, depth: number): JsonObject | undefined {
  if (depth > MAX_DEPTH || budget.isSpent) return undefined;
  const print = printField(budget, depth);
  try {
    return numberedFields(new WireReader(bytes), (reader) => {
      if (reader.field > LARGEST_FIELD) throw new RangeError('not a message');
      return print(reader);
    });
  } catch {
    return undefined;
  }
}

export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
