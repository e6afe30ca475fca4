import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { describe, expect, it } from 'vitest';
import { concatBytes, toHex } from '../../../server/common/bytes';
import { openEnvelope } from '../../../server/kube/decode/envelope';
import { WireReader } from '../../../server/kube/decode/wire';
import { encodeEnvelope, encodeObjectMeta } from '../../../server/kube/encode';
import { objects, protobufOf } from './fixtures';

function field(number: number, bytes: Uint8Array): Uint8Array {
  return new BinaryWriter().tag(number, WireType.LengthDelimited).bytes(bytes).finish();
}

function metadataBytes(raw: Uint8Array): Uint8Array {
  const reader = new WireReader(raw);
  expect(reader.next('object')).toBe(true);
  expect(reader.field).toBe(1);
  return reader.view();
}

const plain = objects.filter(
  (object) => object.deletionTimestamp === undefined && object.uid !== '',
);

describe('writing objects', () => {
  it('gives the bytes of upstream for a whole object', () => {
    const fresh = objects.find((object) => object.name === 'fresh')!;
    const status = new BinaryWriter().tag(1, WireType.LengthDelimited).string('').finish();
    const meta = encodeObjectMeta({ name: 'fresh' });
    const raw = concatBytes(field(1, meta), field(2, new Uint8Array()), field(3, status));
    expect(toHex(encodeEnvelope('v1', 'Namespace', raw))).toBe(toHex(protobufOf(fresh)));
  });

  it.each(plain.map((object) => [`${object.kind} ${object.name}`, object] as const))(
    'gives the metadata bytes of upstream for %s',
    (_, object) => {
      const labels = object.kind === 'Namespace' ? [] : Object.entries(object.labels);
      const meta = encodeObjectMeta({
        name: object.name,
        namespace: object.namespace,
        uid: object.uid,
        labels,
        creationTimestamp: Date.parse(object.creationTimestamp!) / 1000,
      });
      expect(toHex(meta)).toBe(toHex(metadataBytes(openEnvelope(protobufOf(object)).raw)));
    },
  );

  it('writes envelopes that read back', () => {
    const raw = Uint8Array.of(1, 2, 3);
    expect(openEnvelope(encodeEnvelope('apps/v1', 'Deployment', raw))).toMatchObject({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      contentType: '',
    });
  });
});
