import { describe, expect, it } from 'vitest';
import {
  defaultGates,
  gatesOf,
  knownGates,
  setGates,
} from '../../../../server/cache/versions/gates';
import {
  KUBERNETES_VERSIONS,
  kubernetesVersion,
  type KubernetesVersion,
} from '../../../../server/cache/versions/version';
import { featureGates, kubernetesVersions } from '../../../../server/protocol/names';
import { versionAnswers } from '../../../support/versionAnswers';

const set = (version: KubernetesVersion, given: Record<string, boolean>) =>
  setGates(version, new Map(Object.entries(given)));

describe('a version', () => {
  it.each([
    ['1.33', '1.33'],
    [' v1.33 ', '1.33'],
    ['v1.33.5', '1.33'],
    ['v1.33.5-gke.1162000', '1.33'],
    ['1.34.1+k3s1', '1.34'],
    ['1.29', undefined],
    ['1.38', undefined],
    ['1.3', undefined],
    ['1.330', undefined],
    ['', undefined],
    ['1', undefined],
    ['1.33 ; rm', undefined],
  ])('is named by %j: %j', (text, version) => {
    expect(kubernetesVersion(text)).toBe(version);
  });
});

describe('gates', () => {
  it.each(KUBERNETES_VERSIONS)(
    'of %s are known, on, locked and as stable as upstream has them',
    (version) => {
      const ours = [...gatesOf(version)].map(([name, { on, stage, locked = false }]) => [
        name,
        { on, stage: stage === 'GA' ? stage : stage.toUpperCase(), locked },
      ]);
      expect(Object.fromEntries(ours)).toEqual(versionAnswers(version)?.gates);
      expect(knownGates(version, defaultGates(version))).toEqual(
        Object.fromEntries([...gatesOf(version)].map(([name, { on }]) => [name, on])),
      );
    },
  );

  it('and versions are those that the settings offer', () => {
    expect(kubernetesVersions).toEqual(KUBERNETES_VERSIONS);
    expect(featureGates).toEqual(Object.keys(defaultGates('1.37')));
  });

  it('are set by name, and by stage where no name is given', () => {
    expect(set('1.33', { ListFromCacheSnapshot: true }).ListFromCacheSnapshot).toBe(true);
    const beta = set('1.34', { AllBeta: false, WatchList: true });
    expect([beta.ListFromCacheSnapshot, beta.WatchList]).toEqual([false, true]);
    expect(beta.ConsistentListFromCache).toBe(true);
    expect(set('1.30', { AllAlpha: true }).ConsistentListFromCache).toBe(true);
    expect(set('1.30', { AllAlpha: true }).ListFromCacheSnapshot).toBe(false);
  });

  it('that a version no longer has stay as they were left, and those to come are off', () => {
    const { ConsistentListFromCache, ResilientWatchCacheInitialization } = defaultGates('1.37');
    expect([ConsistentListFromCache, ResilientWatchCacheInitialization]).toEqual([true, true]);
    expect(defaultGates('1.36').EtcdRangeStream).toBe(false);
  });

  it.each([
    [
      '1.36',
      'EtcdRangeStream',
      true,
      'unrecognized feature gate: EtcdRangeStream (it came with 1.37)',
    ],
    ['1.32', 'ListFromCacheSnapshot', false, '(it came with 1.33)'],
    ['1.37', 'ConsistentListFromCache', true, '(it was removed in 1.37)'],
    [
      '1.34',
      'ConsistentListFromCache',
      false,
      'kube-apiserver 1.34 refuses it: cannot set feature gate ConsistentListFromCache to false, feature is locked to true',
    ],
    ['1.33', 'ListFromCacheSnapshots', true, 'did you mean ListFromCacheSnapshot?'],
    [
      '1.33',
      'InPlacePodVerticalScaling',
      true,
      'it is none of the gates of 1.33 that lists hang on',
    ],
    ['1.33', '__proto__', true, 'it is none of the gates'],
  ] as const)('of %s refuse %s=%s', (version, name, on, said) => {
    expect(() => setGates(version, new Map([[name, on]]))).toThrow(said);
  });

  it('may be set to what they are locked to', () => {
    expect(set('1.34', { ConsistentListFromCache: true })).toEqual(defaultGates('1.34'));
  });
});
