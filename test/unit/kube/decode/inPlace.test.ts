import { describe, expect, it } from 'vitest';
import { Random } from '../../../../server/demo/seedRandom';
import { inPlaceOf } from '../../../../server/kube/decode/inPlace';
import { decodeObject, type StoredObject } from '../../../../server/kube/decode/object';
import { selectableFieldsOf } from '../../../../server/kube/fields/selectableFields';
import { corpusEntries } from '../../../bench/corpus';

const item = { apiVersion: 'v1', kind: 'Pod' };
const selectable = selectableFieldsOf({ group: '', resource: 'pods' }, true);
const reader = inPlaceOf(item, selectable)!;

const pods = [...corpusEntries({ root: '/registry', pods: 20, size: 'small' })].map(
  ([, value]) => value,
);

/** The value inside a larger message, read where it stands there. */
function inPlace(value: Uint8Array): StoredObject | undefined {
  const message = Buffer.concat([Buffer.from('before'), value, Buffer.from('behind')]);
  const [start, end] = [6, 6 + value.length];
  return reader.isSound(message, start, end) ? reader.make(message, start, end) : undefined;
}

const partsOf = ({ apiVersion, kind, encoding, metadata, fields, value }: StoredObject) => ({
  apiVersion,
  kind,
  encoding,
  metadata,
  fields: new Map(fields),
  value,
});

describe('an object read where it stands', () => {
  it('is the one that is decoded', () => {
    for (const value of pods) {
      const object = inPlace(value);
      expect(partsOf(object!)).toEqual(partsOf(decodeObject(value, selectable, item)));
    }
  });

  it('is no view of the reply that could be changed through a Buffer', () => {
    const value = inPlace(pods[0]!)!.value;
    expect(Buffer.isBuffer(value)).toBe(false);
    expect(value.slice().buffer).not.toBe(value.buffer);
  });

  it('is left to the decoder, or is the one that is decoded, whatever byte is damaged', () => {
    const random = new Random(7);
    let left = 0;
    const tries = 6000;
    for (let i = 0; i < tries; i++) {
      const value = Uint8Array.from(pods[i % pods.length]!);
      // Most of a Pod is its spec, which this does not look into.
      const at = random.below(i % 2 === 0 ? 900 : value.length);
      value[at] = random.below(256);
      const damaged = i % 5 === 0 ? value.subarray(0, random.below(value.length)) : value;
      const object = inPlace(damaged);
      if (object === undefined) left++;
      else expect(object.metadata).toEqual(decodeObject(damaged, selectable, item).metadata);
    }
    expect(left).toBeGreaterThan(tries / 10);
    expect(left).toBeLessThan((tries * 9) / 10);
  });

  it.each([
    ['empty', new Uint8Array(0)],
    ['JSON', Buffer.from('{"kind":"Pod","apiVersion":"v1"}')],
    ['encrypted', Buffer.from('k8s:enc:aescbc:v1:key:…')],
    ['the magic alone', Buffer.from('k8s\0')],
  ])('is left to the decoder when it is %s', (_name, value) => {
    expect(inPlace(value)).toBeUndefined();
  });

  it('is left to the decoder when it is of another type, or of one with labels by default', () => {
    const events = inPlaceOf({ apiVersion: 'v1', kind: 'Event' }, selectable);
    expect(events!.isSound(pods[0]!, 0, pods[0]!.length)).toBe(false);
    expect(inPlaceOf({ apiVersion: 'batch/v1', kind: 'Job' }, selectable)).toBeUndefined();
  });
});
