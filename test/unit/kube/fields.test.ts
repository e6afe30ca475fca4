import { describe, expect, it } from 'vitest';
import { utf8 } from '../../../server/common/bytes';
import { decodeObject } from '../../../server/kube/decode/object';
import { customSelectableFields } from '../../../server/kube/fields/selectableFields';
import {
  customFieldTransform,
  fieldLabelsOf,
  fieldTransformFor,
} from '../../../server/kube/fields/fieldLabels';
import { SelectorError } from '../../../server/kube/selectors/types';
import { BUILT_IN } from '../../../server/kube/resources/resources';
import { labelConversions } from './fixtures';

function resourceOfKind(group: string, kind: string) {
  return BUILT_IN.find((resource) => resource.group === group && resource.kind === kind)!;
}

describe('field labels, against upstream', () => {
  it.each(labelConversions.map((row) => [`${row.group}/${row.version} ${row.kind}`, row] as const))(
    'converts those of %s',
    (_, row) => {
      const resource = resourceOfKind(row.group, row.kind);
      const transform = fieldTransformFor(resource, row.version);
      for (const [label, internal] of Object.entries(row.accepted)) {
        expect(transform(label, 'v'), label).toEqual([internal, 'v']);
      }
      for (const [label, error] of Object.entries(row.refused)) {
        expect(() => transform(label, 'v'), label).toThrow(
          new SelectorError(error, { start: 0, end: 0 }),
        );
      }
      expect([...fieldLabelsOf(resource)].sort()).toEqual(Object.keys(row.accepted).sort());
    },
  );
});

describe('custom resources', () => {
  it('accept the metadata fields and the declared ones', () => {
    const transform = customFieldTransform(false, ['.spec.color']);
    expect(transform('spec.color', 'red')).toEqual(['spec.color', 'red']);
    expect(() => transform('metadata.namespace', '')).toThrow(
      'field label not supported: metadata.namespace',
    );
    expect(customFieldTransform(true, [])('metadata.namespace', 'a')[0]).toBe('metadata.namespace');
  });

  it('print declared scalars as Go does and read absent ones as empty', () => {
    const paths = ['.spec.color', '.spec.size', ".spec['a.b']", '.spec.on', '.spec.none', '.x.y'];
    const text =
      '{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w","namespace":"n"},' +
      '"spec":{"color":"red","size":9007199254740993,"a.b":1e-7,"on":true,"none":null},"x":[1]}';
    const { fields } = decodeObject(utf8(text), customSelectableFields(true, paths));
    expect(new Map(fields)).toEqual(
      new Map([
        ['metadata.name', 'w'],
        ['metadata.namespace', 'n'],
        ['spec.color', 'red'],
        ['spec.size', '9007199254740993'],
        ["spec['a.b']", '1e-07'],
        ['spec.on', 'true'],
        ['spec.none', ''],
        ['x.y', ''],
      ]),
    );
  });

  it.each(['spec', '.spec[0]', '.', '', '.spec..a', '{.spec}'])('refuse the path %j', (path) => {
    expect(() => customSelectableFields(true, [path])).toThrow(RangeError);
  });
});
