/** What the watch cache does with a list that was left to it (rules C2, C4 to C6). */
import { UNREADY } from '../cache/serving';
import { gatesOf } from '../cache/versions/gates';
import { presetOf } from '../cache/versions/presets';
import { isAtLeast } from '../cache/versions/version';
import type { Delegation } from '../cache/delegation';
import type { ServerFacts } from './asked';
import { decideFromEtcd } from './fromEtcd';
import type { Inquiry } from './inquiry';
import type { Outcome } from './model';
import type { ListRequest } from './request';
import { optionsOf } from './position';
import { sourcesOf } from './sources';
import { counted, isFiltered, selectorWords, shown } from './words';

export interface LeftToCache {
  readonly request: ListRequest;
  readonly facts: ServerFacts;
  readonly delegation: Delegation;
  /** What the cache has to have seen first; undefined where any state will do. */
  readonly awaited: Awaited | undefined;
}

export interface Awaited {
  /** As sentences name it: `revision 84213`. */
  readonly revision: string;
  /** As upstream's error names it; empty where it is not known. */
  readonly wanted: string;
  /** It has been asked for already, and the cache has not seen it yet. */
  readonly isLate: boolean;
}

export function decideFromCache(left: LeftToCache, inquiry: Inquiry): Outcome {
  const { request, facts } = left;
  if (!asksReady(request, facts, inquiry)) {
    const unready = whileUnready(left, inquiry);
    if (unready !== undefined) return unready;
  }
  if (left.awaited !== undefined && !catchesUp(left, left.awaited, inquiry)) {
    return afterTimeout(left, left.awaited, inquiry);
  }
  const outcome = served(request, facts, inquiry);
  return left.delegation.consistentRead ? { ...outcome, asksRevision: true } : outcome;
}

export function asksReady(
  { resource }: Pick<ListRequest, 'resource'>,
  { version }: ServerFacts,
  inquiry: Inquiry,
): boolean {
  return inquiry.ask({
    rule: 'C5',
    source: sourcesOf(version).notReady,
    known: undefined,
    likely: true,
    yes: `the watch cache of ${shown(resource.name)} is ready`,
    no: 'the watch cache is not ready: the API server has just started, or reads the list anew',
    about: 'only the API server knows',
  });
}

/** Undefined where the list waited until the cache was ready. */
function whileUnready(
  { request, facts, delegation }: LeftToCache,
  inquiry: Inquiry,
): Outcome | undefined {
  const { version, gates } = facts;
  const { whenUnready, asksBeforeReady } = presetOf(version);
  const unready = whenUnready(optionsOf(request), gates);
  if (unready === 'refused') {
    if (delegation.consistentRead && asksBeforeReady) {
      const text = "Before that is looked at, the API server reads etcd's current revision.";
      inquiry.step({ rule: 'C4', source: sourcesOf(version).delegatorList, text });
    }
    return unreadyRefused(request, facts, inquiry);
  }
  if (unready === 'waits') return becomesReady(facts, inquiry);
  const text = gates.ResilientWatchCacheInitialization
    ? `No selector and a limit of ${request.predicate.limit}: etcd may serve such a list in place of a cache that is not ready.`
    : `${unguarded(facts)} a list that any state would do for goes to etcd.`;
  inquiry.step({ rule: 'C5', source: sourcesOf(version).notReady, text });
  return decideFromEtcd(request, facts, inquiry);
}

/** Why lists are not refused while the cache is not ready. */
function unguarded({ version }: ServerFacts): string {
  const name = 'ResilientWatchCacheInitialization';
  return gatesOf(version).has(name)
    ? `The gate ${name} is off:`
    : `Kubernetes ${version} refuses nothing while the cache is not ready:`;
}

/** The refusal of a request that waits in vain. */
export function becomesReady(facts: ServerFacts, inquiry: Inquiry): Outcome | undefined {
  const source = sourcesOf(facts.version).delegatorList;
  const text = `${unguarded(facts)} the request waits for it.`;
  inquiry.step({ rule: 'C5', source, text });
  const isReady = inquiry.ask({
    rule: 'C5',
    source,
    known: undefined,
    likely: true,
    yes: 'the cache becomes ready while the request waits',
    no: "the request's time is over before the cache is ready",
    about: 'it hangs on how long the cache takes to read its list',
  });
  if (isReady) return undefined;
  return {
    way: 'refused',
    text: 'nothing is read.',
    refusal: { status: 503, message: 'context deadline exceeded' },
  };
}

function unreadyRefused(request: ListRequest, { version }: ServerFacts, inquiry: Inquiry): Outcome {
  const why = isFiltered(request) ? selectorWords(request) : 'no limit';
  const text = `With ${why}, the list is not passed on to etcd: that is for lists without a selector that have a limit.`;
  inquiry.step({ rule: 'C5', source: sourcesOf(version).notReady, text });
  const grows = isAtLeast(version, '1.33');
  return {
    way: 'refused',
    text: grows
      ? 'Retry-After grows from 1 to 30 seconds while the cache is not ready.'
      : 'Retry-After is 1 second.',
    refusal: { status: 429, message: UNREADY },
  };
}

function catchesUp(
  { delegation, facts }: LeftToCache,
  awaited: Awaited,
  inquiry: Inquiry,
): boolean {
  const source = sourcesOf(facts.version).wait;
  const { revision, isLate } = awaited;
  if (delegation.consistentRead) {
    const text =
      "The API server reads etcd's current revision, asks etcd for progress every 100 ms, and waits until the cache has seen that revision, at most 3 s.";
    inquiry.step({ rule: 'C4', source, text });
  }
  return inquiry.ask({
    rule: 'C4',
    source,
    known: undefined,
    likely: true,
    yes: isLate
      ? `the cache sees ${revision} within 3 s`
      : `the cache has seen ${revision}, or does within 3 s`,
    no: `the cache does not see ${revision} within 3 s`,
    about: 'it hangs on how far the cache is behind etcd',
  });
}

/** Upstream's error names the cache's own revision, which nobody can tell beforehand. */
export function tooLarge({ wanted }: Pick<Awaited, 'wanted'>): string {
  return `Timeout: Too large resource version: ${wanted === '' ? "(etcd's revision)" : wanted}, current: (the cache's revision)`;
}

function afterTimeout(left: LeftToCache, awaited: Awaited, inquiry: Inquiry): Outcome {
  const { request, facts, delegation } = left;
  const { version, gates } = facts;
  const { consistentRead } = delegation;
  const failure = 'tooLargeResourceVersion';
  const next = presetOf(version).afterFailure(failure, consistentRead, gates);
  const source = sourcesOf(version).delegatorList;
  if (next === 'etcd') {
    const text = 'A consistent read that the cache cannot serve in time goes to etcd.';
    inquiry.step({ rule: 'C4', source, text });
    return decideFromEtcd(request, facts, inquiry);
  }
  const message = tooLarge(awaited);
  if (next === 'tooManyRequests') {
    const text = 'The gate ConsistentListFromCacheSkipTimeoutFallback is on: nothing goes to etcd.';
    inquiry.step({ rule: 'C4', source, text });
    return {
      way: 'refused',
      text: 'Retry-After is 1 second.',
      refusal: { status: 429, message },
    };
  }
  return {
    way: 'refused',
    text: consistentRead
      ? `Kubernetes ${version} does not fall back to etcd.`
      : 'only a consistent read falls back to etcd.',
    refusal: { status: 504, message },
  };
}

function served(request: ListRequest, { version }: ServerFacts, inquiry: Inquiry): Outcome {
  const { asked, predicate, narrowed } = request;
  const step = (rule: string, text: string) => {
    inquiry.step({ rule, source: sourcesOf(version).cacheList, text });
  };
  if (!narrowed.recursive) {
    step(
      'N2',
      'Not recursive: the one object is looked up in memory; limit and token mean nothing.',
    );
    return { way: 'watchCache', text: 'From the watch cache: one object.' };
  }
  const limit = presetOf(version).cacheLimit(predicate.limit, asked.resourceVersion);
  const { limit: given } = predicate;
  if (given > 0n && limit === 0n) {
    step(
      'C2',
      `resourceVersion is exactly 0: the limit of ${given} is ignored, and all objects that match come in one answer.`,
    );
    return { way: 'watchCache', text: 'From the watch cache, all at once; etcd reads nothing.' };
  }
  if (limit === 0n) {
    step('C6', 'No limit: all objects that match come in one answer, without a continue token.');
    return { way: 'watchCache', text: 'From the watch cache, all at once; etcd reads no object.' };
  }
  step(
    'C6',
    `The limit of ${limit} is obeyed: what is left is reached by a continue token, which starts after the last object selected.`,
  );
  return {
    way: 'watchCache',
    text: `From the watch cache, at most ${counted(limit, 'object')}; etcd reads no object.`,
  };
}
