/** Objects with many different labels, and words that are typed to find them. */
import { Random } from '../../../server/demo/seedRandom';
import { LabelIndexBuilder } from '../../../server/language/index/labelIndexBuilder';
import type { IndexedResource, LabelIndex } from '../../../server/language/index/labelIndex';
import type { ObjectAttributes } from '../../../server/store/interfaces';
import type { IndexShape } from './work';

export const objectCount = 100_000;
export const valueCount = 50_000;

const digits = (i: number): string => String(i).padStart(6, '0');

const words = ['billing', 'checkout', 'identity', 'inventory', 'media', 'payments', 'search'];
const valueOf = (i: number): string => `${words[i % words.length] ?? ''}-${digits(i)}`;
const keyOf = (i: number): string =>
  `${words[i % words.length] ?? ''}.example.com/cost-${digits(i)}`;

function labelsOf(i: number, shape: IndexShape): [string, string][] {
  const usual: [string, string][] = [
    ['app.kubernetes.io/part-of', words[i % words.length] ?? ''],
    ['team', `team-${i % 40}`],
    ['tier', i % 3 === 0 ? 'frontend' : 'backend'],
    ['pod-template-hash', digits((i * 7919) % 20_000)],
  ];
  return shape === 'keys'
    ? [[keyOf(i), 'true'], ...usual]
    : [['app', valueOf(i % valueCount)], ...usual];
}

export function objectsOf(shape: IndexShape): ObjectAttributes[] {
  return Array.from({ length: objectCount }, (_, i) => ({
    labels: new Map(labelsOf(i, shape)),
    fields: new Map([
      ['metadata.namespace', `team-${i % 40}`],
      ['spec.nodeName', `node-${i % 1000}`],
    ]),
  }));
}

const pods: IndexedResource = {
  noun: { one: 'Pod', many: 'Pods' },
  namespace: undefined,
  namespaced: true,
  fieldTransform: (field, value) => [field, value],
};

export function indexOf(objects: readonly ObjectAttributes[]): LabelIndex {
  const builder = new LabelIndexBuilder();
  for (const object of objects) builder.add(object);
  return builder.build(pods, { total: objects.length, unreadable: 0, places: 1 });
}

/** Nothing, beginnings short and long, parts from the middle, letters left out, and what is nowhere. */
export function typedWords(shape: IndexShape, count: number): string[] {
  const random = new Random(count);
  const textAt = shape === 'keys' ? keyOf : valueOf;
  const most = shape === 'keys' ? objectCount : valueCount;
  const ways: readonly ((text: string) => string)[] = [
    () => '',
    (text) => text.slice(0, 1),
    (text) => text.slice(0, -2),
    (text) => text.slice(-4),
    (text) => text.charAt(0) + text.slice(-3),
    () => 'zzzz',
  ];
  return Array.from({ length: count }, (_, i) => {
    const way = ways[i % ways.length];
    return way === undefined ? '' : way(textAt(random.below(most)));
  });
}
