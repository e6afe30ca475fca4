/** What the watch cache does with a list that was left to it (rules C2, C4 to C6). */
import {
  afterFailure,
  cacheLimit,
  firstSource,
  passesUnready,
  UNREADY,
  type CacheGates,
} from '../cache/serving';
import type { Delegation } from '../cache/delegation';
import type { ServerFacts } from './asked';
import { decideFromEtcd } from './fromEtcd';
import type { Inquiry } from './inquiry';
import type { Outcome } from './model';
import type { ListRequest } from './request';
import { SOURCES } from './sources';
import { isFiltered, selectorWords, shown } from './words';

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
  const { request, facts, delegation } = left;
  const ready = asksReady(request, inquiry);
  const source = firstSource(delegation, passesUnready(request), () => ready);
  if (source === 'etcd') return unreadyFromEtcd(request, facts, inquiry);
  if (!ready) return unreadyRefused(request, inquiry);
  if (left.awaited !== undefined && !catchesUp(left, left.awaited, inquiry)) {
    return afterTimeout(left, left.awaited, inquiry);
  }
  const outcome = served(request, inquiry);
  return delegation.consistentRead ? { ...outcome, asksRevision: true } : outcome;
}

export function asksReady({ resource }: Pick<ListRequest, 'resource'>, inquiry: Inquiry): boolean {
  return inquiry.ask({
    rule: 'C5',
    source: SOURCES.notReady,
    known: undefined,
    likely: true,
    yes: `the watch cache of ${shown(resource.name)} is ready`,
    no: 'the watch cache is not ready: the API server has just started, or reads the list anew',
    about: 'only the API server knows',
  });
}

function unreadyFromEtcd(request: ListRequest, facts: ServerFacts, inquiry: Inquiry): Outcome {
  const text = `No selector and a limit of ${request.predicate.limit}: etcd may serve such a list in place of a cache that is not ready.`;
  inquiry.step({ rule: 'C5', source: SOURCES.notReady, text });
  return decideFromEtcd(request, facts, inquiry);
}

function unreadyRefused(request: ListRequest, inquiry: Inquiry): Outcome {
  const why = isFiltered(request) ? selectorWords(request) : 'no limit';
  const text = `With ${why}, the list is not passed on to etcd: that is for lists without a selector that have a limit.`;
  inquiry.step({ rule: 'C5', source: SOURCES.notReady, text });
  return {
    way: 'refused',
    text: 'Retry-After grows from 1 to 30 seconds while the cache is not ready.',
    refusal: { status: 429, message: UNREADY },
  };
}

function catchesUp({ delegation }: LeftToCache, awaited: Awaited, inquiry: Inquiry): boolean {
  const { revision, isLate } = awaited;
  if (delegation.consistentRead) {
    const text =
      "The API server reads etcd's current revision, asks etcd for progress every 100 ms, and waits until the cache has seen that revision, at most 3 s.";
    inquiry.step({ rule: 'C4', source: SOURCES.wait, text });
  }
  return inquiry.ask({
    rule: 'C4',
    source: SOURCES.wait,
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
  const next = afterFailure('tooLargeResourceVersion', delegation.consistentRead, gatesOf(facts));
  if (next === 'etcd') {
    const text = 'A consistent read that the cache cannot serve in time goes to etcd.';
    inquiry.step({ rule: 'C4', source: SOURCES.delegatorList, text });
    return decideFromEtcd(request, facts, inquiry);
  }
  const message = tooLarge(awaited);
  if (next === 'tooManyRequests') {
    const text = 'The gate ConsistentListFromCacheSkipTimeoutFallback is on: nothing goes to etcd.';
    inquiry.step({ rule: 'C4', source: SOURCES.delegatorList, text });
    return {
      way: 'refused',
      text: 'Retry-After is 1 second.',
      refusal: { status: 429, message },
    };
  }
  return {
    way: 'refused',
    text: 'only a consistent read falls back to etcd.',
    refusal: { status: 504, message },
  };
}

function gatesOf({ gates }: ServerFacts): CacheGates {
  return {
    listFromCacheSnapshot: gates.ListFromCacheSnapshot,
    consistentListFromCacheSkipTimeoutFallback: gates.ConsistentListFromCacheSkipTimeoutFallback,
  };
}

function served(request: ListRequest, inquiry: Inquiry): Outcome {
  const { asked, predicate, narrowed } = request;
  const step = (rule: string, text: string) => {
    inquiry.step({ rule, source: SOURCES.cacheList, text });
  };
  if (!narrowed.recursive) {
    step(
      'N2',
      'Not recursive: the one object is looked up in memory; limit and token mean nothing.',
    );
    return { way: 'watchCache', text: 'From the watch cache: one object.' };
  }
  const limit = cacheLimit(predicate.limit, asked.resourceVersion);
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
    text: `From the watch cache, at most ${limit} objects; etcd reads no object.`,
  };
}
