/**
 * `Time` and `MicroTime` in RFC 3339 and UTC.
 *
 * Upstream: `apimachinery/pkg/apis/meta/v1` (`time.go`, `micro_time.go` and their protobuf forms).
 */
import { DecodeError } from '../decode/errors';
import { type WireReader, WireType } from '../decode/wire';

/** Absent when the bytes were empty, which is Go's zero time. */
export interface Timestamp {
  readonly seconds: bigint;
  readonly nanos: number;
}

/** Go's zero time, 1 January of the year 1, in seconds from 1970. */
const GO_ZERO = -62135596800n;
/** Largest distance from 1970 in seconds that a JavaScript date can hold. */
const DATE_RANGE = 8_640_000_000_000n;
const MICROS = 1_000_000n;

/** Throws `DecodeError`. */
export function readTimestamp(reader: WireReader): Timestamp | undefined {
  const time = reader.message();
  if (time.at === time.end) return undefined;
  let seconds = 0n;
  let nanos = 0;
  while (time.next('Timestamp')) {
    switch (time.field) {
      case 1:
        time.expect(WireType.varint, 'Seconds');
        seconds = time.int64();
        break;
      case 2:
        time.expect(WireType.varint, 'Nanos');
        nanos = time.int32();
        break;
      default:
        time.skip();
    }
  }
  return { seconds, nanos };
}

/** Whole seconds; null for the zero time. Throws `DecodeError` for a year beyond 275760. */
export function printTime(time: Timestamp | undefined): string | null {
  if (time === undefined || time.seconds === GO_ZERO) return null;
  return `${dateText(time.seconds)}Z`;
}

/** Whole microseconds; null for the zero time. Throws as `printTime`. */
export function printMicroTime(time: Timestamp | undefined): string | null {
  if (time === undefined) return null;
  const total = time.seconds * MICROS + BigInt(Math.trunc(time.nanos / 1000));
  const micros = ((total % MICROS) + MICROS) % MICROS;
  const seconds = (total - micros) / MICROS;
  if (seconds === GO_ZERO && micros === 0n) return null;
  return `${dateText(seconds)}.${String(micros).padStart(6, '0')}Z`;
}

/** As Go writes it: at least four digits of the year, and a minus before those before Christ. */
function dateText(seconds: bigint): string {
  if (seconds > DATE_RANGE || seconds < -DATE_RANGE) {
    throw new DecodeError(`the time ${String(seconds)} is too far away to be shown`);
  }
  const date = new Date(Number(seconds) * 1000);
  const year = date.getUTCFullYear();
  const digits = String(Math.abs(year)).padStart(4, '0');
  const [rest = ''] = /-\d\d-\d\dT\d\d:\d\d:\d\d/.exec(date.toISOString()) ?? [];
  return (year < 0 ? '-' : '') + digits + rest;
}
