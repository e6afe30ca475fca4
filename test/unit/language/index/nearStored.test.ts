import { expect, it } from 'vitest';
import { CountedTexts } from '../../../../server/language/index/countedTexts';
import { nearKeys, nearValues } from '../../../../server/language/index/nearStored';

const keys = CountedTexts.uncounted([
  'app',
  'app.kubernetes.io/name',
  'app.kubernetes.io/instance',
  'topology.kubernetes.io/zone',
  'tier',
]);

const near = (key: string) => nearKeys(key, keys).map(({ text }) => text);

it.each([
  ['ap', ['app']],
  ['App', ['app']],
  ['teir', ['tier']],
  ['app.kubernetes.io/nmae', ['app.kubernetes.io/name']],
  ['app.kubernetes.io/foobar', []],
  ['name', ['app.kubernetes.io/name']],
  ['app.kubernets.io/name', ['app.kubernetes.io/name']],
  ['failure-domain.beta.kubernetes.io/zone', ['topology.kubernetes.io/zone']],
  ['', []],
  ['x'.repeat(10_000), []],
])('near the key %j are %j', (key, expected) => {
  expect(near(key)).toEqual(expected);
});

it('finds the nearest among many values, the same as among few', () => {
  const many = CountedTexts.uncounted([
    ...Array.from({ length: 5000 }, (_, i) => `service-${i}`),
    'frontend',
    'backend',
  ]);
  const few = CountedTexts.uncounted(['frontend', 'backend', 'service-1']);
  for (const value of ['fronted', 'bakcend', 'Frontend', 'frontnd ']) {
    const [first] = nearValues(value, few);
    expect(nearValues(value, many)[0]).toEqual(first);
    expect(first).toBeDefined();
  }
  expect(nearValues('zzz', few)).toEqual([]);
});
