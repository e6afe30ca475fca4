/** Values of one field: scalars, and the messages that JSON shows as a scalar. */
import { goUtf8 } from '../../common/goText';
import { DecodeError } from '../decode/errors';
import { isDeeper, type JsonValue, parseJsonValue } from '../decode/jsonText';
import { type WireReader, WireType } from '../decode/wire';
import { base64 } from '../print/undecoded';
import { printQuantity } from './quantity';
import type { Scalar } from './shapes';
import { printMicroTime, printTime, readTimestamp } from './times';

/** Levels of field ownership that are shown as such; the kinds have far fewer. */
const MAX_DEPTH = 200;

/** How the value stands on the wire. */
export function wireTypeOf(type: Scalar): number {
  return type === 'bool' || type === 'int32' || type === 'int64' ? WireType.varint : WireType.bytes;
}

/** Reads the current field's value. Throws `DecodeError`. */
export function readScalar(reader: WireReader, type: Scalar): JsonValue {
  switch (type) {
    case 'string':
      return readText(reader);
    case 'bytes':
      return base64(reader.view());
    case 'bool':
      return reader.bool();
    case 'int32':
      return reader.int32();
    case 'int64':
      return exact(reader.int64());
    case 'time':
      return printTime(readTimestamp(reader));
    case 'microtime':
      return printMicroTime(readTimestamp(reader));
    case 'quantity':
      return readQuantity(reader.message());
    case 'intstr':
      return readIntOrString(reader.message());
    case 'fieldsv1':
      return readFieldsV1(reader.message());
  }
}

/** Text as Go's JSON encoder writes it: U+FFFD for each byte that is not UTF-8. */
export function readText(reader: WireReader): string {
  const start = reader.at;
  const text = reader.text();
  if (!text.includes('\ufffd')) return text;
  reader.at = start;
  return goUtf8(reader.view());
}

/** A number where a double holds it exactly. */
function exact(value: bigint): JsonValue {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

function readQuantity(reader: WireReader): string {
  let printed = '0';
  while (reader.next('Quantity')) {
    if (reader.field === 1) {
      reader.expect(WireType.bytes, 'String_');
      printed = printQuantity(reader.text());
    } else {
      reader.skip();
    }
  }
  return printed;
}

function readIntOrString(reader: WireReader): JsonValue {
  let type = 0n;
  let number = 0;
  let text = '';
  while (reader.next('IntOrString')) {
    switch (reader.field) {
      case 1:
        reader.expect(WireType.varint, 'Type');
        type = reader.int64();
        break;
      case 2:
        reader.expect(WireType.varint, 'IntVal');
        number = reader.int32();
        break;
      case 3:
        reader.expect(WireType.bytes, 'StrVal');
        text = readText(reader);
        break;
      default:
        reader.skip();
    }
  }
  if (type === 0n) return number;
  if (type === 1n) return text;
  throw new DecodeError('impossible IntOrString.Type');
}

/** Bytes that hold JSON, shown as what they say; kept as text when they hold something else. */
function readFieldsV1(reader: WireReader): JsonValue {
  let raw: Uint8Array = new Uint8Array();
  while (reader.next('FieldsV1')) {
    if (reader.field === 1) {
      reader.expect(WireType.bytes, 'Raw');
      raw = reader.view();
    } else {
      reader.skip();
    }
  }
  if (raw.length === 0) return null;
  const text = goUtf8(raw);
  try {
    const value = parseJsonValue(text);
    return isDeeper(value, MAX_DEPTH) ? text : value;
  } catch (error) {
    if (error instanceof DecodeError) return text;
    throw error;
  }
}
