/** A get of one object, which is what a client makes of a name. Upstream: `CacheDelegator.Get`. */
import { presetOf } from '../cache/versions/presets';
import { parseResourceVersion } from '../store/resourceVersion';
import type { ServerFacts } from './asked';
import { asksReady, becomesReady, tooLarge } from './fromCache';
import { keyText } from './fromEtcd';
import type { Inquiry } from './inquiry';
import type { Outcome } from './model';
import type { ListRequest } from './request';
import { sourcesOf } from './sources';
import { hasWatchCache } from './watchCache';
import { shown } from './words';

export function decideGet(request: ListRequest, facts: ServerFacts, inquiry: Inquiry): Outcome {
  const { resourceVersion } = request.asked;
  const key = keyText(request, facts);
  const step = (rule: string, text: string) => {
    inquiry.step({ rule, source: sourcesOf(facts.version).delegatorGet, text });
  };
  step('N2', `One object is named, so that it is a get and no list; its key is ${key}.`);
  if (!hasWatchCache(request.resource, facts, inquiry)) return getFromEtcd(request, facts, inquiry);
  if (resourceVersion === '') {
    step('C5', 'A get without a resourceVersion always goes to etcd.');
    return getFromEtcd(request, facts, inquiry);
  }
  const isRead = typeof versionOf(resourceVersion) === 'bigint';
  // Without that gate the version is read before the cache is asked whether it is ready.
  if (!isRead && !facts.gates.ResilientWatchCacheInitialization) {
    return getFromCache(resourceVersion, facts, inquiry);
  }
  if (!asksReady(request, facts, inquiry)) {
    if (presetOf(facts.version).getWhenUnready(resourceVersion, facts.gates) === 'etcd') {
      step('C5', 'While the cache is not ready, a get goes to etcd.');
      return getFromEtcd(request, facts, inquiry);
    }
    const late = becomesReady(facts, inquiry);
    if (late !== undefined) return late;
  }
  return getFromCache(resourceVersion, facts, inquiry);
}

/** Read at the latest revision, whatever is asked for; only then the version is looked at (rule O4). */
export function getFromEtcd(request: ListRequest, facts: ServerFacts, inquiry: Inquiry): Outcome {
  const { resourceVersion } = request.asked;
  const source = sourcesOf(facts.version).etcdMinimum;
  const outcome: Outcome = {
    way: 'etcdKey',
    text: `From etcd: one key, ${keyText(request, facts)}.`,
  };
  const version = versionOf(resourceVersion);
  if (typeof version === 'string') {
    const text = 'The one key is read, and the resourceVersion is looked at only then.';
    inquiry.step({ rule: 'O4', source, text });
    const message = `invalid resource version: ${version}`;
    return {
      way: 'refused',
      text: 'what etcd answered is dropped.',
      refusal: { status: 400, message },
    };
  }
  if (version > 0n) {
    const text = `etcd is read at its latest revision; were that older than ${version}, the answer would be 504 "Too large resource version".`;
    inquiry.step({ rule: 'O4', source, text });
  }
  return outcome;
}

/** At any state that is not older than asked for; the cache is waited for, and nothing falls back to etcd. */
function getFromCache(
  resourceVersion: string,
  { version: kubernetes }: ServerFacts,
  inquiry: Inquiry,
): Outcome {
  const { cacheGet: source, wait } = sourcesOf(kubernetes);
  const fromCache: Outcome = { way: 'watchCache', text: 'From the watch cache: one object.' };
  const version = versionOf(resourceVersion);
  if (typeof version === 'string') {
    inquiry.step({ rule: 'C5', source, text: 'The cache cannot read the resourceVersion.' });
    const refusal = { status: 500, message: version };
    return { way: 'refused', text: 'nothing is read.', refusal };
  }
  if (version === 0n) {
    const text = `A get with resourceVersion ${shown(resourceVersion)} is served by the cache, at any state that it has.`;
    inquiry.step({ rule: 'C5', source, text });
    return fromCache;
  }
  const text = `A get with resourceVersion ${version} is served by the cache, at any state not older.`;
  inquiry.step({ rule: 'C5', source, text });
  const seen = inquiry.ask({
    rule: 'C4',
    source: wait,
    known: undefined,
    likely: true,
    yes: `the cache has seen revision ${version}, or does within 3 s`,
    no: `the cache does not see revision ${version} within 3 s`,
    about: 'it hangs on how far the cache is behind etcd',
  });
  if (seen) return fromCache;
  const message = tooLarge({ wanted: String(version) });
  return {
    way: 'refused',
    text: 'a get never falls back to etcd.',
    refusal: { status: 504, message },
  };
}

/** Upstream's text of what cannot be read. */
function versionOf(text: string): bigint | string {
  try {
    return parseResourceVersion(text);
  } catch (error) {
    return (error as Error).message;
  }
}
