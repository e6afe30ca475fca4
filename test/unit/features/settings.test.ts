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
  for (const [name, value] of Object.entries(completion)) {
    expect(Object.entries(defaultSettings)).toContainEqual([`completion.${name}`, value]);
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
