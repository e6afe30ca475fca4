/** Our functions beside Kubernetes' own of each release, over a grid of requests. */
import { describe, expect, it } from 'vitest';
import { utf8 } from '../../../../server/common/bytes';
import { setGates } from '../../../../server/cache/versions/gates';
import { presetOf } from '../../../../server/cache/versions/presets';
import type { VersionFacts } from '../../../../server/cache/versions/preset';
import {
  CHECKED_RELEASES,
  KUBERNETES_VERSIONS,
  type KubernetesVersion,
} from '../../../../server/cache/versions/version';
import { listOptions } from '../../../support/testStore';
import {
  CACHED,
  requestsOf,
  versionAnswers,
  type AskedOfCache,
} from '../../../support/versionAnswers';

const factsWith = (progress: boolean): VersionFacts => ({
  keyPrefix: utf8('/pods/'),
  supportsProgress: () => progress,
  hasSeen: (revision) => revision <= CACHED,
  hasSnapshotFor: (revision) => revision >= CACHED,
});

const optionsOf = ({ resourceVersion, match, limit, token, recursive }: AskedOfCache) =>
  listOptions({
    recursive,
    resourceVersion,
    resourceVersionMatch: match,
    limit,
    continueToken: token,
  });

/** As the grid writes it: the way, large where the list is a consistent read. */
function letter(decide: () => { toEtcd: boolean; consistentRead: boolean }): string {
  try {
    const { toEtcd, consistentRead } = decide();
    const way = toEtcd ? 'e' : 'c';
    return consistentRead ? way.toUpperCase() : way;
  } catch {
    return '!';
  }
}

function decidedBy(version: KubernetesVersion) {
  const answers = versionAnswers(version);
  if (answers === undefined) throw new Error(`no answers of ${version}`);
  return answers;
}

describe.each(KUBERNETES_VERSIONS)('Kubernetes %s', (version) => {
  it('was asked at the release that is named', () => {
    const { release, gates: known } = decidedBy(version);
    expect(release).toBe(CHECKED_RELEASES[version]);
    expect(Object.keys(known).length).toBeGreaterThan(1);
  });

  it('decides as our function does', () => {
    const { release, decided } = decidedBy(version);
    const { shouldDelegateList } = presetOf(version);
    const requests = requestsOf(decided.axes);
    let compared = 0;
    for (const { gates, progress, answers } of decided.runs) {
      expect(answers).toHaveLength(requests.length);
      const on = setGates(version, new Map(Object.entries(gates)));
      requests.forEach((request, index) => {
        const ours = letter(() => shouldDelegateList(optionsOf(request), factsWith(progress), on));
        const same = decided.tellsConsistent ? ours : ours.toLowerCase();
        const where = JSON.stringify({ ...request, limit: String(request.limit), gates, progress });
        if (same !== answers[index]) expect.fail(`${where}: ${same}, not ${answers[index]}`);
        compared++;
      });
    }
    console.log(`Kubernetes ${version} (${release}): ${compared} decisions are the same`);
    expect(compared).toBeGreaterThan(1000);
  });
});
