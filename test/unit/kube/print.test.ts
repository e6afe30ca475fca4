import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { parse, stringify } from 'yaml';
import { concatBytes, utf8 } from '../../../server/common/bytes';
import { DecodeError } from '../../../server/kube/decode/errors';
import { type JsonObject, parseJsonObject } from '../../../server/kube/decode/jsonText';
import { decodeObject, type StoredObject } from '../../../server/kube/decode/object';
import { encodeEnvelope, encodeObjectMeta } from '../../../server/kube/encode';
import { metadataFields } from '../../../server/kube/fields/selectableFields';
import { KINDS } from '../../../server/kube/kinds/descriptor';
import {
  cellText,
  printJson,
  toPrintable,
  UNDECODED_WARNING,
} from '../../../server/kube/print/printable';
import { MASK } from '../../../server/kube/print/secrets';
import { jsonOf, objects, protobufOf } from './fixtures';

const NAMED = Object.keys(KINDS);
const modRevision = 9007199254740995n;

function print(value: Uint8Array, reveal = false, key = '/registry/things/a') {
  const options = { modRevision, reveal, key: utf8(key) };
  return toPrintable(decodeObject(value, metadataFields(true)), options);
}

function fixture(kind: string, name: string) {
  return objects.find((object) => object.kind === kind && object.name === name)!;
}

function metadataOf(value: JsonObject): Record<string, unknown> {
  return value['metadata'] as Record<string, unknown>;
}

describe('protobuf objects', () => {
  it.each(objects.map((object) => [`${object.kind} ${object.name}`, object] as const))(
    'print %s as upstream does',
    (_, object) => {
      const { value, warning, damage } = print(protobufOf(object), true);
      const upstream = parseJsonObject(jsonOf(object));
      const metadata = { ...metadataOf(upstream), resourceVersion: String(modRevision) };
      expect(damage).toBeUndefined();
      expect(metadataOf(value)).toEqual(metadata);
      if (NAMED.includes(`${object.apiVersion}/${object.kind}`)) {
        expect(value).toEqual({ ...upstream, metadata });
        expect(warning).toBeUndefined();
      } else {
        expect(Object.keys(value)).toEqual(['apiVersion', 'kind', 'metadata', 'x-undecoded']);
        expect(warning).toBe(UNDECODED_WARNING);
      }
    },
  );

  it('show fields of other kinds by number, nested ones too', () => {
    const spec = field(2, concatBytes(field(3, utf8('10.2.0.1')), field(1, field(3, utf8('x')))));
    const { value } = print(encodeEnvelope('example.com/v1', 'Odd', spec));
    expect(value['x-undecoded']).toEqual({ '2': { '1': { '3': 'x' }, '3': '10.2.0.1' } });
  });

  it('show integers exactly, text as text, other bytes as base64', () => {
    const data = new BinaryWriter();
    data.tag(2, WireType.Varint).int64('9223372036854775807');
    data.tag(3, WireType.Varint).int64(-1);
    data.tag(4, WireType.LengthDelimited).string('hi');
    data.tag(4, WireType.LengthDelimited).string('two\nlines');
    data.tag(5, WireType.LengthDelimited).bytes(Uint8Array.of(0xff, 0xfe));
    data.tag(6, WireType.Bit32).fixed32(7);
    data.tag(7, WireType.Bit64).fixed64(8);
    data.tag(8, WireType.LengthDelimited).string('\ntext');
    const raw = concatBytes(field(1, encodeObjectMeta({ name: 'a' })), data.finish());
    const { value } = print(encodeEnvelope('example.com/v1', 'Odd', raw));
    expect(value['x-undecoded']).toEqual({
      '2': '9223372036854775807',
      '3': -1,
      '4': ['hi', 'two\nlines'],
      '5': '//4=',
      '6': 7,
      '7': 8,
      '8': '\ntext',
    });
  });

  it('keep unknown metadata fields under the mark', () => {
    const meta = concatBytes(encodeObjectMeta({ name: 'a' }), field(77, utf8('x')));
    for (const kind of ['ConfigMap', 'Odd']) {
      const { value } = print(encodeEnvelope('v1', kind, field(1, meta)));
      expect(metadataOf(value)['x-undecoded']).toEqual({ '77': 'x' });
    }
  });

  it('say where metadata is damaged, and keep what was read', () => {
    const owner = field(13, concatBytes(field(1, utf8('Job')), Uint8Array.of(0x18)));
    const meta = concatBytes(encodeObjectMeta({ name: 'a' }), owner, field(14, utf8('hold')));
    const stored = encodeEnvelope('v1', 'Odd', field(1, encodeObjectMeta({ name: 'a' })));
    const object = decodeObject(stored, metadataFields(true));
    const bytes = encodeEnvelope('v1', 'Odd', field(1, meta));
    const damaged: StoredObject = {
      apiVersion: 'v1',
      kind: 'Odd',
      encoding: 'protobuf',
      metadata: object.metadata,
      fields: object.fields,
      value: bytes,
    };
    const { value, damage } = toPrintable(damaged, { modRevision, key: utf8('/a') });
    expect(damage).toBe(
      'metadata.ownerReferences[0].name: proto: wrong wireType = 0 for field Name',
    );
    expect(value['x-damaged']).toEqual([damage]);
    expect(metadataOf(value)).toMatchObject({ finalizers: ['hold'] });
  });

  it('end in an object or a DecodeError, whatever the bytes', () => {
    const nest = (depth: number): Uint8Array => {
      let bytes: Uint8Array = Uint8Array.of(8, 1);
      for (let i = 0; i < depth; i++) bytes = field(2, bytes);
      return bytes;
    };
    print(encodeEnvelope('v1', 'Deep', nest(3000)));
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), (bytes, inMeta) => {
        const raw = inMeta ? field(1, bytes) : bytes;
        for (const kind of ['Pod', 'Secret']) {
          try {
            printJson(print(encodeEnvelope('v1', kind, raw)).value);
          } catch (error) {
            expect(error).toBeInstanceOf(DecodeError);
          }
        }
      }),
      { numRuns: 2000 },
    );
  });
});

function field(number: number, bytes: Uint8Array): Uint8Array {
  return new BinaryWriter().tag(number, WireType.LengthDelimited).bytes(bytes).finish();
}

describe('JSON objects', () => {
  it('print whole, with the revision as resourceVersion and no warning', () => {
    const text =
      '{"apiVersion":"example.com/v1","kind":"W","metadata":{"name":"a"},"big":9007199254740993,"f":1.5}';
    const { value, warning } = print(utf8(text));
    expect(warning).toBeUndefined();
    expect(metadataOf(value)).toEqual({ name: 'a', resourceVersion: '9007199254740995' });
    expect(printJson(value)).toContain('"big": 9007199254740993');
    expect(stringify(value)).toContain('big: 9007199254740993');
  });

  it('print as JSON.stringify does', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const value = JSON.parse(text) as JsonObject;
        expect(printJson(value)).toBe(JSON.stringify(value, null, 2));
        expect(printJson(value, 0)).toBe(JSON.stringify(value));
      }),
    );
  });

  it('refuse a depth that no printer could take', () => {
    const deep = `{"apiVersion":"v1","kind":"W","a":${'['.repeat(9000)}${']'.repeat(9000)}}`;
    expect(() => print(utf8(deep))).toThrow('nested too deeply');
  });

  it('keep members named as parts of a prototype', () => {
    const text =
      '{"apiVersion":"v1","kind":"W","metadata":{"labels":{"__proto__":"x"}},"__proto__":{"a":1}}';
    const { value } = print(utf8(text));
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(parse(stringify(value))).toHaveProperty(['metadata', 'labels']);
    expect(printJson(value)).toContain('"__proto__": {');
  });
});

describe('secrets', () => {
  const leaks = [
    'PRIVATE',
    'hunter2',
    'c2VjcmV0',
    Buffer.from('PRIVATE').toString('base64'),
    'AAH/',
  ];

  it.each(['token', 'plain'])('hide the values of %s in both forms', (name) => {
    const secret = fixture('Secret', name);
    for (const value of [protobufOf(secret), jsonOf(secret)]) {
      const text = printJson(print(value).value);
      for (const leak of leaks) expect(text).not.toContain(leak);
      expect(text).toContain(MASK);
      expect(text).toContain(name === 'token' ? 'tls.key' : 'password');
      const shown = printJson(print(value, true).value);
      expect(shown).not.toContain(MASK);
    }
  });

  it('reveal them when asked', () => {
    const shown = printJson(print(protobufOf(fixture('Secret', 'token')), true).value);
    expect(shown).toContain(Buffer.from('PRIVATE').toString('base64'));
    expect(shown).toContain('c2VjcmV0');
  });

  it('keep type, names and other annotations', () => {
    const { value } = print(protobufOf(fixture('Secret', 'token')));
    expect(value).toMatchObject({ type: 'kubernetes.io/tls', data: { 'tls.key': MASK } });
    expect(metadataOf(value)['annotations']).toMatchObject({ note: 'héllo \x1b[31m' });
    expect(metadataOf(value)['managedFields']).toHaveLength(1);
  });

  it.each([
    '{"apiVersion":"v1","kind":"Secret","data":"oops-secret"}',
    '{"apiVersion":"v1","kind":"Secret","Data":{"a":"oops-secret"}}',
    '{"apiVersion":"v1","kind":"Secret","data":{"a":{"b":"oops-secret"}}}',
  ])('hide what is malformed: %s', (text) => {
    expect(printJson(print(utf8(text)).value)).not.toContain('oops-secret');
  });

  it('say of damage no more than its place', () => {
    const raw = concatBytes(field(1, encodeObjectMeta({ name: 'a' })), field(2, utf8('\x0a\x7fk')));
    const object = decodeObject(encodeEnvelope('v1', 'Secret', raw), metadataFields(true));
    const options = { modRevision, key: utf8('/registry/secrets/a/a') };
    expect(toPrintable(object, options).damage).toBe('data: damaged');
    expect(toPrintable(object, { ...options, reveal: true }).damage).toBe('data: unexpected EOF');
  });

  it.each(['v1', 'v2'])('never show protobuf data that is damaged, of %s', (apiVersion) => {
    const entry = field(2, concatBytes(Uint8Array.of(0x0a, 0x7f), utf8('oops-secret')));
    const number = new BinaryWriter().tag(4, WireType.Varint).int32(5150).finish();
    const raw = concatBytes(
      field(1, encodeObjectMeta({ name: 'a' })),
      entry,
      number,
      field(9, utf8('oops-secret')),
    );
    const text = printJson(print(encodeEnvelope(apiVersion, 'Secret', raw)).value);
    expect(text).not.toContain('oops-secret');
    expect(text).not.toContain('5150');
  });
});

describe("what stands under a Secret's key and is of another kind", () => {
  const meta = { name: 'a', namespace: 'web', labels: { l: 'hunter2' } };
  const json = (kind: string, namespace = 'web'): Uint8Array =>
    utf8(
      JSON.stringify({
        apiVersion: 'v1',
        kind,
        metadata: { ...meta, namespace },
        data: { password: 'hunter2' },
        type: 'hunter2',
        hunter: ['hunter2', 5],
      }),
    );
  const protobuf = encodeEnvelope(
    'v1',
    'Opaque',
    concatBytes(
      field(1, encodeObjectMeta({ ...meta, labels: Object.entries(meta.labels) })),
      field(3, utf8('hunter2')),
    ),
  );

  it.each([
    '/registry/secrets/web/a',
    '/registry/example.com/secrets/web/a',
    '/registry/secrets/a',
    '/other/store/secrets/web/a',
  ])('is masked but for what it is called: %s', (key) => {
    for (const value of [json('ConfigMap'), json('secret'), protobuf]) {
      const shown = print(value, false, key).value;
      expect(printJson(shown)).not.toContain('hunter2');
      expect(metadataOf(shown)).toMatchObject({ name: 'a', namespace: 'web', labels: MASK });
      expect(printJson(print(value, true, key).value)).toContain('hunter2');
    }
  });

  it.each(['SecretList', 'List'])('is masked like a %s, under whatever key', (kind) => {
    const raw = concatBytes(field(1, new Uint8Array()), field(2, utf8('hunter2')));
    const items = [{ kind: 'Secret', data: { password: 'hunter2' } }];
    const list = utf8(JSON.stringify({ apiVersion: 'v1', kind, metadata: {}, items }));
    for (const value of [list, encodeEnvelope('v1', kind, raw)]) {
      const key = '/registry/example.com/things/web/a';
      const shown = print(value, false, key).value;
      expect(shown).toMatchObject({ kind });
      expect(printJson(shown)).not.toContain('hunter2');
      if (value === list) expect(printJson(print(value, true, key).value)).toContain('hunter2');
    }
  });

  it('is masked in a namespace of that name, which alone masks nothing', () => {
    const value = json('ConfigMap', 'secrets');
    expect(printJson(print(value, false, '/registry/secrets/secrets/a').value)).not.toContain(
      'hunter2',
    );
    expect(printJson(print(value, false, '/registry/secrets/a').value)).not.toContain('hunter2');
    const shown = print(value, false, '/registry/configmaps/secrets/a').value;
    expect(printJson(shown)).toContain('hunter2');
    const foreign = print(json('ConfigMap'), false, '/registry/configmaps/secrets/a').value;
    expect(printJson(foreign)).not.toContain('hunter2');
  });
});

describe('cellText', () => {
  it.each([
    ['plain ü 漢 😀', 'plain ü 漢 😀'],
    ['a\nb\tc\r', 'a\\nb\\tc\\r'],
    ['\x1b[31mred', '\\x1b[31mred'],
    ['\u009b31m', '\\x9b31m'],
    ['abc\u202edcb', 'abc\\u202edcb'],
    ['\u2028\u2066\u200b', '\\u2028\\u2066\\u200b'],
    ['\ud800', '\\ud800'],
    ['\u{e0041}', '\\u{e0041}'],
    ['\0', '\\x00'],
  ])('%j', (text, shown) => {
    expect(cellText(text)).toBe(shown);
  });
});
