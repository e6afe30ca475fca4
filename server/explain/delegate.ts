/** Whether the watch cache or etcd serves a list (rules C3, C4), told step by step. */
import { gatesOf } from '../cache/versions/gates';
import { presetOf } from '../cache/versions/presets';
import type { VersionDelegation, VersionFacts } from '../cache/versions/preset';
import { isAtLeast } from '../cache/versions/version';
import type { ReadPosition } from '../store/listOptions';
import type { ServerFacts } from './asked';
import { decideFromCache, type Awaited } from './fromCache';
import { decideFromEtcd } from './fromEtcd';
import type { Inquiry } from './inquiry';
import type { Outcome } from './model';
import { optionsOf, prefixOf } from './position';
import type { ListRequest } from './request';
import { sourcesOf } from './sources';
import { revisionWords, shown } from './words';

export function decideDelegation(
  request: ListRequest,
  facts: ServerFacts,
  position: ReadPosition,
  inquiry: Inquiry,
): Outcome {
  const options = optionsOf(request);
  askStep(request, position, facts, inquiry);
  const seen = { isLate: false };
  const preset = presetOf(facts.version);
  const known = factsOf(request, facts, inquiry, seen);
  const delegation = preset.shouldDelegateList(options, known, facts.gates);
  if (delegation.toEtcd) {
    toEtcdStep(request, facts, delegation, seen.isLate, inquiry);
    return decideFromEtcd(request, facts, inquiry);
  }
  const awaited = awaitedBy(request, position, delegation, seen.isLate);
  return decideFromCache({ request, facts, delegation, awaited }, inquiry);
}

/** What the list asks for, which is what the decision begins with. */
function askStep(
  { asked, predicate }: ListRequest,
  { revision }: ReadPosition,
  { gates, version: kubernetes }: ServerFacts,
  inquiry: Inquiry,
): void {
  const { resourceVersion, resourceVersionMatch, from } = asked;
  const step = (rule: string, text: string) => {
    inquiry.step({ rule, source: sourcesOf(kubernetes).shouldDelegate, text });
  };
  const isServed = predicate.limit <= 0n || isAtLeast(kubernetes, '1.31');
  const by = isServed ? ', and the cache serves it' : '';
  const version = shown(resourceVersion);
  const words = revisionWords(asked, revision);
  if (resourceVersionMatch === 'NotOlderThan') {
    step('C3', `NotOlderThan ${version}: any state will do that is not older${by}.`);
  } else if (resourceVersionMatch === 'Exact') {
    step('C3', `Exact ${version}: the list is one of exactly that revision.`);
  } else if (from.kind !== 'beginning' && revision > 0n) {
    step('C3', `The continue token pins the list to ${words}.`);
  } else if (from.kind !== 'beginning') {
    const what = gates.ListFromCacheSnapshot
      ? 'which makes it a consistent read'
      : 'which goes to etcd';
    step('C3', `The continue token carries revision -1, the latest, ${what}.`);
  } else if (resourceVersion === '') {
    step('C4', 'No resourceVersion: a consistent read, which has to show what etcd holds now.');
  } else if (resourceVersion === '0') {
    step(
      'C3',
      'resourceVersion 0: any state that the cache has will do, however old; the cache serves it.',
    );
  } else if (predicate.limit > 0n) {
    step(
      'C3',
      `resourceVersion ${version} with a limit of ${predicate.limit} and no match: exactly that revision.`,
    );
  } else {
    step(
      'C3',
      `resourceVersion ${version} without a limit and a match: any state not older, and the cache serves it.`,
    );
  }
}

function factsOf(
  request: ListRequest,
  { version, progress }: ServerFacts,
  inquiry: Inquiry,
  seen: { isLate: boolean },
): VersionFacts {
  const words = (revision: bigint) => revisionWords(request.asked, revision);
  const sources = sourcesOf(version);
  return {
    keyPrefix: prefixOf(request),
    supportsProgress: () =>
      inquiry.ask({
        rule: 'C4',
        source: sources.consistent,
        known: progress.answer,
        likely: true,
        yes: 'every member of etcd supports RequestWatchProgress',
        no: 'a member of etcd does not support RequestWatchProgress',
        about: progress.because,
      }),
    hasSeen: (revision) => {
      const answer = inquiry.ask({
        rule: 'C3',
        source: sources.exact,
        known: undefined,
        likely: true,
        yes: `the cache has seen ${words(revision)}`,
        no: `the cache has not seen ${words(revision)} yet`,
        about: 'only the API server knows',
      });
      seen.isLate = !answer;
      return answer;
    },
    hasSnapshotFor: (revision) =>
      inquiry.ask({
        rule: 'C3',
        source: sources.exact,
        known: undefined,
        likely: true,
        yes: `the cache still has its state at ${words(revision)}`,
        no: `${words(revision)} is older than the states that the cache keeps`,
        about: isAtLeast(version, '1.34')
          ? "they go back as far as its window of events, and no further than etcd's compaction"
          : 'they go back as far as its window of events',
      }),
  };
}

/** Why etcd serves it, where no condition has said so yet. */
function toEtcdStep(
  request: ListRequest,
  { version, gates }: ServerFacts,
  { consistentRead, because }: VersionDelegation,
  isLate: boolean,
  inquiry: Inquiry,
): void {
  const { asked, narrowed, predicate } = request;
  const { exact, continued, consistent } = sourcesOf(version);
  const source = asked.from.kind === 'beginning' ? exact : continued;
  const step = (text: string) => {
    inquiry.step({ rule: 'C3', source, text });
  };
  if (consistentRead || isLate) {
    if (gates.ConsistentListFromCache) return;
    const text =
      'The gate ConsistentListFromCache is off: the cache waits for no revision, and etcd serves it.';
    inquiry.step({ rule: 'C4', source: consistent, text });
  } else if (because === 'limited') {
    step(
      `The cache of Kubernetes ${version} gives no pages: with a limit of ${predicate.limit}, etcd serves it.`,
    );
  } else if (!gatesOf(version).has('ListFromCacheSnapshot')) {
    step(`The cache of Kubernetes ${version} has its latest state only: etcd serves it.`);
  } else if (!narrowed.recursive) {
    step('The cache serves no single key at an exact revision: etcd does.');
  } else if (!gates.ListFromCacheSnapshot) {
    step(
      'The gate ListFromCacheSnapshot is off, so that the cache has its latest state only: etcd serves it.',
    );
  }
}

/** What the cache has to have seen before it answers. */
function awaitedBy(
  { asked }: ListRequest,
  { revision }: ReadPosition,
  { consistentRead }: VersionDelegation,
  isLate: boolean,
): Awaited | undefined {
  if (consistentRead) return { revision: "etcd's current revision", wanted: '', isLate: false };
  const isExact = revision > 0n;
  if (isExact && !isLate) return undefined;
  const { resourceVersion } = asked;
  if (isExact) {
    const words = revisionWords(asked, revision);
    return { revision: words, wanted: words.replace(/^revision (?=\d+$)/, ''), isLate };
  }
  if (/^0*$/.test(resourceVersion)) return undefined;
  const version = shown(resourceVersion);
  return { revision: `revision ${version}`, wanted: version, isLate: false };
}
