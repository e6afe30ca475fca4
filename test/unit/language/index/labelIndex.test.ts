import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  fieldSelectorOf,
  isOperator,
  labelSelectorOf,
  nothingLabels,
  parseFieldSelector,
  parseLabelSelector,
  type FieldRequirement,
  type LabelRequirement,
} from '../../../../server/kube/selectors';
import { LabelIndexBuilder } from '../../../../server/language/index/labelIndexBuilder';
import { indexOf, pods, times, type Given, type Texts } from './support';

/** The cases of a topic, which come from Kubernetes' own tests and sources. */
function vectors(topic: string): unknown {
  const file = new URL(`../../../vectors/${topic}.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly cases: unknown }).cases;
}

const others: Given[] = [{ labels: { x: 'other', y: '5' } }, { fields: { x: 'other' } }, {}];

describe("an index matches as Kubernetes' own sources do", () => {
  interface LabelCase {
    readonly id: string;
    readonly input: {
      readonly selector?: string;
      readonly requirements?: readonly {
        readonly key: string;
        readonly operator: string;
        readonly values?: readonly string[] | null;
      }[];
      readonly labels: Texts | null;
    };
    readonly expect: { readonly match: boolean };
  }

  it('for label selectors', () => {
    let checked = 0;
    for (const { id, input, expect: right } of vectors('label-match') as readonly LabelCase[]) {
      const requirements = (input.requirements ?? []).flatMap(
        ({ key, operator, values }): LabelRequirement[] =>
          isOperator(operator) ? [{ key, operator, values: values ?? [] }] : [],
      );
      if (requirements.length < (input.requirements?.length ?? 0)) continue;
      const label =
        input.selector === undefined
          ? labelSelectorOf(requirements)
          : parseLabelSelector(input.selector);
      const object = { labels: input.labels ?? {} };
      const without = indexOf(others).matching([{ label, field: undefined }]);
      const index = indexOf([others[0]!, object, ...others.slice(1)]);
      const matched = index.matching([{ label, field: undefined }]) - without;
      expect(`${id}: ${matched}`).toBe(`${id}: ${right.match ? 1 : 0}`);
      checked++;
    }
    expect(checked).toBeGreaterThan(90);
  });

  interface FieldCase {
    readonly id: string;
    readonly input: { readonly call: string; readonly selector: string; readonly fields?: Texts };
    readonly expect: { readonly match?: boolean };
  }

  it('for field selectors', () => {
    let checked = 0;
    for (const { id, input, expect: right } of vectors('field-match') as readonly FieldCase[]) {
      if (input.call !== 'match') continue;
      const field = parseFieldSelector(input.selector);
      const selections = [{ label: undefined, field }];
      const without = indexOf(others).matching(selections);
      const matched = indexOf([...others, { fields: input.fields ?? {} }]).matching(selections);
      expect(`${id}: ${matched - without}`).toBe(`${id}: ${right.match === true ? 1 : 0}`);
      checked++;
    }
    expect(checked).toBeGreaterThan(20);
  });
});

const key = fc.constantFrom('a', 'b', 'example.com/c', '__proto__');
const value = fc.constantFrom('', 'x', 'y', '1', '-5', '9', '007', 'constructor');
const texts = fc.dictionary(key, value, { maxKeys: 3 });
const objects = fc.array(fc.record({ labels: texts, fields: texts }), { maxLength: 70 });
const requirement: fc.Arbitrary<LabelRequirement> = fc.oneof(
  fc.record({
    key,
    operator: fc.constantFrom('in', 'notin'),
    values: fc.uniqueArray(value, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    key,
    operator: fc.constantFrom('=', '==', '!=', 'gt', 'lt'),
    values: fc.tuple(value),
  }),
  fc.record({ key, operator: fc.constantFrom('exists', '!'), values: fc.constant([]) }),
);
const fieldRequirement: fc.Arbitrary<FieldRequirement> = fc.record({
  field: key,
  operator: fc.constantFrom('=', '!='),
  value,
});
const selection = fc.record({
  label: fc.option(
    fc.array(requirement, { maxLength: 3 }).map((all) => labelSelectorOf(all)),
    { nil: undefined },
  ),
  field: fc.option(
    fc.array(fieldRequirement, { maxLength: 3 }).map((all) => fieldSelectorOf(all)),
    { nil: undefined },
  ),
});

const mapOf = (given: Texts): Map<string, string> => new Map(Object.entries(given));

describe('an index', () => {
  it('matches the same objects as a selector that looks at each', () => {
    fc.assert(
      fc.property(objects, fc.array(selection, { maxLength: 3 }), (all, selections) => {
        const naive = all.filter(({ labels, fields }) =>
          selections.some(
            ({ label, field }) =>
              (label?.matches(mapOf(labels)) ?? true) && (field?.matches(mapOf(fields)) ?? true),
          ),
        );
        expect(indexOf(all).matching(selections)).toBe(naive.length);
      }),
      { numRuns: 500 },
    );
  });

  it('counts each requirement alone as a selector of it would', () => {
    fc.assert(
      fc.property(objects, requirement, fieldRequirement, (all, label, field) => {
        const index = indexOf(all);
        const labelled = all.filter(({ labels }) =>
          labelSelectorOf([label]).matches(mapOf(labels)),
        );
        const fielded = all.filter(({ fields }) => fieldSelectorOf([field]).matches(mapOf(fields)));
        expect(index.labelMatches(label)).toBe(labelled.length);
        expect(index.fieldMatches(field)).toBe(fielded.length);
      }),
    );
  });

  it('knows keys and values with their counts', () => {
    fc.assert(
      fc.property(objects, (all) => {
        const index = indexOf(all);
        const keys = new Map<string, number>();
        const values = new Map<string, number>();
        for (const [name, text] of all.flatMap(({ labels }) => Object.entries(labels))) {
          keys.set(name, (keys.get(name) ?? 0) + 1);
          values.set(`${name}=${text}`, (values.get(`${name}=${text}`) ?? 0) + 1);
        }
        expect(index.labelKeys.all).toEqual([...keys.keys()].sort());
        for (const [name, count] of keys) expect(index.labelKeys.countOf(name)).toBe(count);
        const found = index.labelKeys.all.flatMap((name) => {
          const known = index.labelValues(name);
          return (known?.all ?? []).map(
            (text) => [`${name}=${text}`, known?.countOf(text)] as const,
          );
        });
        expect(new Map(found)).toEqual(values);
        expect(index.pairs).toBe(
          all.reduce(
            (sum, { labels, fields }) =>
              sum + Object.keys(labels).length + Object.keys(fields).length,
            0,
          ),
        );
      }),
    );
  });

  it('selects nothing by the selector of nothing, nor by no alternative', () => {
    const index = indexOf(times(40, { labels: { a: 'x' } }));
    expect(index.matching([{ label: nothingLabels, field: undefined }])).toBe(0);
    expect(index.matching([])).toBe(0);
    expect(index.matching([{ label: undefined, field: undefined }])).toBe(40);
  });

  it('is exact when it holds all objects there are', () => {
    expect(indexOf(times(3, {})).isExact).toBe(true);
    expect(indexOf([]).isExact).toBe(true);
    expect(indexOf(times(3, {}), { total: 4 }).isExact).toBe(false);
  });

  it('keeps texts of its own, so that what they were cut from can go', () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    collect();
    const before = process.memoryUsage().heapUsed;
    const builder = new LabelIndexBuilder();
    const long = 'x'.repeat(500_000);
    for (let i = 0; i < 200; i++) {
      const value = `${long}${i}-abcdefghijklmnop`.slice(long.length);
      builder.add({ labels: new Map([['key', value]]), fields: new Map() });
    }
    const index = builder.build(pods, { total: 200, unreadable: 0, places: 1 });
    collect();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(20_000_000);
    expect(index.labelValues('key')?.size).toBe(200);
  });
});
