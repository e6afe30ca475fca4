import { describe, expect, it } from 'vitest';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { concatBytes, utf8 } from '../../../../server/common/bytes';
import type { JsonObject } from '../../../../server/kube/decode/jsonText';
import { KINDS, MESSAGES } from '../../../../server/kube/kinds/descriptor';
import { kindShape, readNamed } from '../../../../server/kube/kinds/readObject';
import { shapeOf } from '../../../../server/kube/kinds/shapes';

function bytes(number: number, value: Uint8Array | string): Uint8Array {
  const content = typeof value === 'string' ? utf8(value) : value;
  return new BinaryWriter().tag(number, WireType.LengthDelimited).bytes(content).finish();
}

function varint(number: number, value: bigint | number): Uint8Array {
  return new BinaryWriter().tag(number, WireType.Varint).int64(value).finish();
}

const read = (message: string, ...parts: readonly Uint8Array[]) =>
  readNamed(shapeOf({ message }), concatBytes(...parts));

const many = (part: Uint8Array, times: number): Uint8Array =>
  Buffer.concat(Array.from({ length: times }, () => part));

describe('the descriptor', () => {
  it('has every message that it names', () => {
    const names = MESSAGES.map((line) => line.split(': ')[0]!);
    for (const message of [...names, ...Object.values(KINDS)]) {
      for (const { type } of shapeOf({ message }).fields) {
        if (typeof type !== 'string') expect(names).toContain(type.message);
      }
    }
  });

  it('knows kinds by group and version', () => {
    expect(kindShape('v1', 'Pod')?.name).toBe('Pod');
    expect(kindShape('v2', 'Pod')).toBeUndefined();
    expect(kindShape('__proto__', 'toString')).toBeUndefined();
    expect(kindShape('events.k8s.io/v1', 'Event')?.name).toBe('Event');
  });
});

describe('objects by name', () => {
  it('print what upstream prints of empty ones', () => {
    expect(read('core.v1.Pod').value).toEqual({
      metadata: {},
      spec: { containers: null },
      status: {},
    });
    expect(read('core.v1.Event').value).toMatchObject({ eventTime: null, involvedObject: {} });
    expect(read('core.v1.TypedLocalObjectReference').value).toEqual({
      apiGroup: null,
      kind: '',
      name: '',
    });
  });

  it('keep zero behind a pointer, and drop it elsewhere', () => {
    const { value } = read('apps.v1.DeploymentSpec', varint(1, 0), varint(5, 0));
    expect(value).toHaveProperty('replicas', 0);
    expect(value).not.toHaveProperty('minReadySeconds');
  });

  it('merge a message that comes twice, and replace scalars', () => {
    const spec = (part: Uint8Array): Uint8Array => bytes(2, part);
    const { value } = read('core.v1.Pod', spec(bytes(10, 'n1')), spec(bytes(3, 'Never')));
    expect(value).toMatchObject({ spec: { nodeName: 'n1', restartPolicy: 'Never' } });
  });

  it('read integers exactly, packed ones too', () => {
    const packed = bytes(4, Uint8Array.of(1, 0x80, 0x01));
    const { value } = read(
      'core.v1.PodSecurityContext',
      varint(4, 7),
      packed,
      varint(2, 2n ** 62n),
    );
    expect(value).toEqual({ supplementalGroups: [7, 1, 128], runAsUser: 2n ** 62n });
  });

  it('put members of embedded messages in their place', () => {
    const source = bytes(2, bytes(6, bytes(1, 'tls')));
    const { value } = read('core.v1.Volume', bytes(1, 'v'), source);
    expect(value).toEqual({ name: 'v', secret: { secretName: 'tls' } });
  });

  it('keep what has no name by number, where it stands', () => {
    const inner = concatBytes(bytes(6, bytes(1, 'tls')), varint(99, 5));
    const volume = concatBytes(bytes(1, 'v'), bytes(2, inner), varint(98, 4));
    const { value, hasUnknown, damage } = read('core.v1.PodSpec', bytes(1, volume), varint(97, 3));
    expect(value).toMatchObject({
      volumes: [{ name: 'v', 'x-undecoded': { '2': { '99': 5 }, '98': 4 } }],
      'x-undecoded': { '97': 3 },
    });
    expect(hasUnknown).toBe(true);
    expect(damage).toEqual([]);
  });

  it('hold any key of a map as data', () => {
    const entry = (key: string): Uint8Array => bytes(2, concatBytes(bytes(1, key), bytes(2, 'x')));
    const { value } = read('core.v1.ConfigMap', entry('__proto__'), entry('toString'), entry(''));
    expect(Object.keys(value['data'] as JsonObject)).toEqual(['__proto__', 'toString', '']);
    expect(Object.getPrototypeOf(value['data'])).toBe(Object.prototype);
  });

  it('show times in UTC, of any year a date can hold', () => {
    const at = (seconds: bigint, nanos = 0): string | undefined => {
      const time = concatBytes(varint(1, seconds), varint(2, nanos));
      const { value, damage } = read('core.v1.Event', bytes(7, time), bytes(10, time));
      if (damage.length > 0) return damage[0]!.message;
      return [value['lastTimestamp'], value['eventTime']]
        .map((text) => JSON.stringify(text))
        .join(' ');
    };
    expect(at(1_800_000_000n, 123_456_789)).toBe(
      '"2027-01-15T08:00:00Z" "2027-01-15T08:00:00.123456Z"',
    );
    expect(at(0n, -1000)).toBe('"1970-01-01T00:00:00Z" "1969-12-31T23:59:59.999999Z"');
    expect(at(-62135596800n)).toBe('null null');
    expect(at(-62135596801n)).toMatch(/^"0000-12-31T23:59:59Z" /);
    expect(at(-62200000000n * 2n)).toMatch(/^"-1973-/);
    expect(at(253402300800n)).toMatch(/^"10000-01-01T00:00:00Z" /);
    expect(at(2n ** 62n)).toBe('the time 4611686018427387904 is too far away to be shown');
  });

  it('say where each damage is, and go on behind it', () => {
    const broken = bytes(2, concatBytes(bytes(1, 'a'), Uint8Array.of(0x12, 0x7f)));
    const wrong = bytes(2, concatBytes(bytes(1, 'b'), varint(7, 1)));
    const { value, damage } = read(
      'core.v1.Pod',
      bytes(2, concatBytes(broken, wrong)),
      bytes(3, bytes(1, 'Running')),
    );
    expect(damage).toEqual([
      { path: 'spec.containers[0].image', message: 'unexpected EOF' },
      { path: 'spec.containers[1].env', message: 'proto: wrong wireType = 0 for field Env' },
    ]);
    expect(value).toMatchObject({
      spec: { containers: [{ name: 'a' }, { name: 'b' }] },
      status: { phase: 'Running' },
    });
  });

  it('name a bounded number of damages', () => {
    const { damage } = read('core.v1.PodSpec', many(bytes(2, Uint8Array.of(0x12, 0x7f)), 1000));
    expect(damage.length).toBeLessThan(50);
  });

  it.each([
    ['elements', 'core.v1.PodSpec', bytes(2, '')],
    ['map entries', 'core.v1.ConfigMap', bytes(2, '')],
    ['packed numbers', 'core.v1.PodSecurityContext', bytes(4, new Uint8Array(100))],
    ['unknown fields', 'core.v1.Pod', varint(90, 1)],
  ])('stop at too many %s', (_, message, part) => {
    const { damage } = read(message, many(part, 400_000));
    expect(damage.at(-1)?.message).toBe('there are too many fields and elements to show all');
  });

  it('show field ownership as JSON, and as text what is none', () => {
    const owned = (text: string): unknown => {
      const entry = bytes(17, bytes(7, bytes(1, text)));
      const { value } = read('meta.v1.ObjectMeta', entry);
      return (value['managedFields'] as readonly JsonObject[])[0]!['fieldsV1'];
    };
    expect(owned('{"f:a":{}}')).toEqual({ 'f:a': {} });
    expect(owned('')).toBeNull();
    expect(owned('{"f:a":')).toBe('{"f:a":');
    expect(owned('['.repeat(5000) + ']'.repeat(5000))).toMatch(/^\[{5000}/);
  });

  it('show texts that are not UTF-8 as upstream does', () => {
    const { value } = read('core.v1.ObjectReference', bytes(1, Uint8Array.of(0xe6, 0xbc, 0x41)));
    expect(value).toEqual({ kind: '\ufffd\ufffdA' });
  });
});
