import { expect, it } from 'vitest';
import { defaultSettings, bounds } from '../../../client/settings/validate';
import { isTrusted, ServerSettings } from '../../../server/features/settings';

function taken(value: unknown) {
  const warned: string[] = [];
  const settings = new ServerSettings((text) => warned.push(text));
  settings.take(value);
  return { ...settings.current, warned };
}

it('takes absent settings as the defaults that the client has', () => {
  const { completion, warned, byteBudgetMiB, deadlineSeconds, rangeStreamGate } = taken({});
  expect(warned).toEqual([]);
  expect({ byteBudgetMiB, deadlineSeconds, rangeStream: rangeStreamGate }).toEqual({
    byteBudgetMiB: defaultSettings.byteBudgetMiB,
    deadlineSeconds: defaultSettings.deadlineSeconds,
    rangeStream: defaultSettings.rangeStream,
  });
  expect(taken({}).metricsPort).toBe(defaultSettings['metrics.port']);
  for (const [name, value] of Object.entries(completion)) {
    expect(Object.entries(defaultSettings)).toContainEqual([`completion.${name}`, value]);
  }
});

it('takes the memory of watch caches within the bounds that the client has', () => {
  const { minimum, maximum } = bounds['watchCache.memoryLimitMiB'];
  const fallback = defaultSettings['watchCache.memoryLimitMiB'];
  expect(taken({}).watchCacheMiB).toBe(fallback);
  for (const watchCacheMiB of [minimum, maximum]) {
    expect(taken({ watchCacheMiB })).toMatchObject({ watchCacheMiB, warned: [] });
  }
  for (const watchCacheMiB of [minimum - 1, maximum + 1, 1.5, '256', null]) {
    const { warned, watchCacheMiB: used } = taken({ watchCacheMiB });
    expect(used).toBe(fallback);
    expect(warned[0]).toContain('etcdList.watchCache.memoryLimitMiB must be a whole number from');
  }
});

it('takes everything that the client lets through, and no number beyond', () => {
  for (const [name, { minimum, maximum }] of Object.entries(bounds)) {
    const [, short] = name.split('completion.');
    if (short === undefined) continue;
    for (const value of [minimum, maximum]) {
      const { completion, warned } = taken({ completion: { [short]: value } });
      expect(warned).toEqual([]);
      expect(Object.entries(completion)).toContainEqual([short, value]);
    }
    for (const value of [minimum - 1, maximum + 1, 1.5, NaN, '5', null]) {
      const { completion, warned } = taken({ completion: { [short]: value } });
      expect(warned).toHaveLength(1);
      expect(warned[0]).toContain(`etcdList.completion.${short} must be a whole number from`);
      expect(completion).toEqual(taken({}).completion);
    }
  }
});

it.each([null, 5, 'x', [], { completion: 7 }, { completion: { enabled: 'no' } }])(
  'falls back to the defaults for %j',
  (value) => {
    const { completion } = taken(value);
    expect(completion).toEqual(taken({}).completion);
  },
);

it('takes versions and gates that are known, and nothing else', () => {
  const given = {
    kubernetesVersion: '1.33',
    featureGates: { WatchList: false, Other: true, EtcdRangeStream: 'on' },
  };
  const { kubernetesVersion, featureGates } = taken(given);
  expect([kubernetesVersion, featureGates]).toEqual(['1.33', { WatchList: false }]);
  expect(taken({ kubernetesVersion: '1.29', featureGates: [] })).toMatchObject({
    kubernetesVersion: defaultSettings.kubernetesVersion,
    featureGates: {},
  });
});

it('is switched off by a plain false', () => {
  expect(taken({ completion: { enabled: false } }).completion.enabled).toBe(false);
});

it('is trusted by a plain true alone', () => {
  expect([{ trusted: true }, { trusted: 'true' }, {}, null].map(isTrusted)).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

it('takes a port that there is, and serves none for another', () => {
  expect(taken({ metricsPort: 65_535 }).metricsPort).toBe(65_535);
  for (const metricsPort of [-1, 65_536, 0.5, '9100', null]) {
    const { warned, metricsPort: used } = taken({ metricsPort });
    expect(used).toBe(0);
    expect(warned[0]).toContain('etcdList.metrics.port must be a whole number from 0 to 65535');
  }
});

it.each([
  [{ nope: 'off' }, /there is no kind of finding "nope": take it out; each finding shows/],
  [{ 'empty-selectr': 'off' }, /"empty-selectr": write empty-selector, or take it out/],
  [{ 'empty-selector': 'loud' }, /empty-selector is left out: write one of "error", "warn/],
  [{ toString: 'off' }, /there is no kind of finding "toString"/],
])('says what to do about the severities %j', (severities, sentence) => {
  const { warned, severities: used } = taken({ severities });
  expect(warned).toEqual([expect.stringMatching(sentence)]);
  expect(used).toEqual({});
});
