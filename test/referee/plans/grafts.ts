/** Parts of an object that protobuf lets stand twice: whole messages, and entries of maps. */
import fc from 'fast-check';
import { weighted } from './chance';
import type { GraftPlan, PutPlan } from './plan';

/** A field of bytes, text or a message, all of them short enough for lengths of one byte. */
function field(number: number, content: Uint8Array | string): Buffer {
  const bytes = Buffer.from(content);
  if (number > 15 || bytes.length > 127) throw new RangeError('too large for a graft');
  return Buffer.concat([Buffer.of((number << 3) | 2, bytes.length), bytes]);
}

const texts = (number: number, ...values: readonly string[]): fc.Arbitrary<Buffer> =>
  fc.constantFrom(...values).map((value) => field(number, value));

const several = (one: fc.Arbitrary<Buffer>): fc.Arbitrary<Buffer> =>
  fc.array(one, { maxLength: 3 }).map((fields) => Buffer.concat(fields));

const labelKey = texts(1, 'app', 'tier', 'n', '');
const labelValue = texts(2, 'web', 'api', '42', '');
/** Key and value in any order and number: what is missing is empty, the last one counts. */
const mapEntry = weighted(
  [4, fc.tuple(labelKey, labelValue).map((pair) => Buffer.concat(pair))],
  [1, several(weighted([1, labelKey], [1, labelValue]))],
);

const inMetadata = several(
  weighted(
    [5, mapEntry.map((entry) => field(11, entry))],
    [1, mapEntry.map((entry) => field(12, entry))],
    [1, texts(1, 'pod-1', 'renamed', '')],
    [1, texts(3, 'web', 'default')],
  ),
);
const inSpec = several(texts(10, 'node-1', 'node-2', ''));
const inStatus = several(
  fc.oneof(
    texts(1, 'Running', 'Pending', ''),
    texts(6, '10.0.0.1', '10.0.0.2', ''),
    texts(1, '10.0.0.1', '10.0.0.2', 'fd00::1', '').map((address) => field(12, address)),
  ),
);

const graftOf = (
  part: number,
  apart: boolean,
  content: fc.Arbitrary<Buffer>,
): fc.Arbitrary<GraftPlan> =>
  content.map((bytes) => ({ part, apart, bytes: bytes.toString('base64') }));

const graft = weighted<GraftPlan>(
  [3, graftOf(1, false, inMetadata)],
  [3, graftOf(1, true, inMetadata)],
  [1, graftOf(2, false, inSpec)],
  [1, graftOf(2, true, inSpec)],
  [2, graftOf(3, false, inStatus)],
  [2, graftOf(3, true, inStatus)],
);

export const graftedPut = (whole: fc.Arbitrary<PutPlan>): fc.Arbitrary<PutPlan> =>
  fc
    .tuple(whole, fc.array(graft, { minLength: 1, maxLength: 3 }))
    .map(([plain, grafts]) => ({ ...plain, json: false, grafts }));
