/** What the items of a resource are read with, whoever lists it. */
import { describe, expect, it } from 'vitest';
import { hasDefaultLabels } from '../../../server/kube/decode/defaults';
import { BUILT_IN, findResource, itemTypeOf } from '../../../server/kube/resources/resources';
import { builtInTarget } from '../../../server/targets/target';
import { corpusEntries } from '../../bench/corpus';

const decoderOf = (name: string, readsFields = false) => {
  const found = findResource(name);
  if (found === undefined) throw new Error(`there is no resource ${name}`);
  const target = builtInTarget(found, '/registry');
  return target.decoder({ readsFields, onUnjudged: () => undefined });
};

describe('objects of an unfiltered list', () => {
  it('are made where they stand, of every built-in resource without labels that are not stored', () => {
    const without = BUILT_IN.filter(({ custom }) => !custom)
      .filter(({ resource, group }) => {
        const name = group === '' ? resource : `${resource}.${group}`;
        return decoderOf(name).inPlace === undefined;
      })
      .map(itemTypeOf);
    expect(without.length).toBeGreaterThan(0);
    expect(without.filter((type) => !hasDefaultLabels(type))).toEqual([]);
  });

  it('are then what is decoded', () => {
    const decoder = decoderOf('pods');
    for (const [key, value] of corpusEntries({ root: '/registry', pods: 20, size: 'small' })) {
      const context = { key: Buffer.from(key), modRevision: 1n };
      const decoded = decoder.decode(decoder.transform(value, context), context);
      expect(decoder.inPlace?.isSound(value, 0, value.length)).toBe(true);
      const made = decoder.inPlace?.make(value, 0, value.length);
      expect(made?.value).toEqual(value);
      expect(made?.object?.metadata).toEqual(decoded.object?.metadata);
    }
  });

  it('are decoded at once where their fields are asked for', () => {
    expect(decoderOf('pods', true).inPlace).toBeUndefined();
  });
});
