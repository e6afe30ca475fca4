/** The quick look beside the decoder, over every resource with fields of its own. */
import { describe, expect, it } from 'vitest';
import { concatBytes, utf8 } from '../../../../server/common/bytes';
import { Random } from '../../../../server/demo/seedRandom';
import { attributesOf, decodeObject, readFields } from '../../../../server/kube/decode/object';
import { quickLookFor } from '../../../../server/kube/decode/lookPlan';
import { encodeEnvelope, encodeObjectMeta } from '../../../../server/kube/encode';
import { FIELD_TABLE } from '../../../../server/kube/fields/fieldTable';
import type { FieldRule } from '../../../../server/kube/fields/rule';
import { selectableFieldsOf } from '../../../../server/kube/fields/selectableFields';
import { parseFieldSelector, parseLabelSelector } from '../../../../server/kube/selectors';
import { matchesAttributes } from '../../../../server/store/predicate';
import { messageField, varintField } from './wire';

const words = ['', 'a', 'b', 'Always', '10.0.0.1'];
const keys = ['app', 'tier', ''];

function leaf(random: Random, number: number, type: FieldRule['type']): Uint8Array {
  // Now and then of another wire type, which is damage.
  const isText = (type === 'text') !== (random.below(60) === 0);
  if (isText) return messageField(number, utf8(words[random.below(words.length)] ?? ''));
  return varintField(number, [0, 1, 2, 300, 0xffffffff][random.below(5)] ?? 0);
}

/** One occurrence of what leads to the field; the next one is another part of the same message. */
function part(random: Random, { type, sources }: FieldRule): Uint8Array {
  const { wire } = sources[random.below(sources.length)] ?? { wire: [] };
  const [last = 1, ...above] = wire.toReversed();
  const bytes = random.below(8) === 0 ? new Uint8Array() : leaf(random, last, type);
  return above.reduce((inside, number) => messageField(number, inside), bytes);
}

/** Keys may come twice, without a value, or behind it. */
function labelEntry(random: Random): Uint8Array {
  const key = messageField(1, utf8(keys[random.below(keys.length)] ?? ''));
  const value = messageField(2, utf8(words[random.below(words.length)] ?? ''));
  const parts = [[key, value], [value, key], [key], [key, value, value]];
  const common = random.below(4) > 0;
  return messageField(11, concatBytes(...(common ? [key, value] : (parts[random.below(4)] ?? []))));
}

function metadata(random: Random): Uint8Array {
  const name = encodeObjectMeta({ name: words[random.below(words.length)] ?? '', namespace: 'n' });
  const entries = Array.from({ length: random.below(4) }, () => labelEntry(random));
  return messageField(1, concatBytes(name, ...entries));
}

function shuffled(random: Random, parts: Uint8Array[]): Uint8Array[] {
  return parts
    .map((bytes) => [random.below(1_000_000), bytes] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, bytes]) => bytes);
}

function object(random: Random, rules: readonly FieldRule[]): Uint8Array {
  const parts = [metadata(random)];
  if (random.below(6) === 0) parts.push(metadata(random));
  for (let n = random.below(6); n > 0; n--) {
    const rule = rules[random.below(rules.length)];
    if (rule) parts.push(part(random, rule));
  }
  if (random.below(8) === 0) parts.push(messageField(77, utf8('unknown')));
  return concatBytes(...shuffled(random, parts));
}

const versionOf = (group: string): string => (group === '' ? 'v1' : `${group}/v1`);

const cases = FIELD_TABLE.flatMap(({ resource, groups, namespaced, forms }) =>
  forms
    .filter(
      ({ rules }) =>
        rules.length > 0 && rules.every(({ sources }) => sources.every(({ wire }) => wire.length)),
    )
    .map(({ group, rules }) => ({
      name: `${resource} stored as ${versionOf(group)}`,
      rules,
      item: { apiVersion: versionOf(group), kind: `${resource[0]?.toUpperCase()}x` },
      selectable: selectableFieldsOf({ group: groups[0] ?? '', resource }, namespaced),
    })),
);

describe('a quick look never rejects what decoding selects or cannot read', () => {
  it('has resources to look at', () => {
    expect(cases.length).toBeGreaterThan(8);
  });

  it.each(cases)('of $name', ({ rules, item, selectable }) => {
    const random = new Random(7);
    const found = { selected: 0, 'not selected': 0, unreadable: 0, rejected: 0 };
    for (let i = 0; i < 2000; i++) {
      const rule = rules[random.below(rules.length)];
      const operator = random.below(2) === 0 ? '=' : '!=';
      const field =
        random.below(4) === 0 ? '' : `${rule?.name}${operator}${words[random.below(5)]}`;
      const label = ['', 'app=a', 'app!=a', '!tier', 'app in (a,b)'][random.below(5)] ?? '';
      const selectors = { label: parseLabelSelector(label), field: parseFieldSelector(field) };
      const value = encodeEnvelope(item.apiVersion, item.kind, object(random, rules));
      const read = (): 'selected' | 'not selected' | 'unreadable' => {
        try {
          const decoded = decodeObject(value, selectable, item);
          if (field !== '') readFields(decoded);
          return matchesAttributes(selectors, attributesOf(decoded)) ? 'selected' : 'not selected';
        } catch {
          return 'unreadable';
        }
      };
      const verdict = read();
      found[verdict]++;
      const quick = quickLookFor(selectors, { selectable, readsFields: field !== '', item });
      if (quick?.rejects(value, 0, value.length) !== true) continue;
      found.rejected++;
      const bytes = Buffer.from(value).toString('hex');
      expect([label, field, bytes, verdict]).toEqual([label, field, bytes, 'not selected']);
    }
    expect(Math.min(...Object.values(found))).toBeGreaterThan(20);
  });
});
