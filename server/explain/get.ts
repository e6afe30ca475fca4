/** A get of one object, which is what a client makes of a name. Upstream: `CacheDelegator.Get`. */
import { presetOf } from '../cache/versions/presets';
import type { ServerFacts } from './asked';
import { asksReady, becomesReady } from './fromCache';
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
  const fromEtcd: Outcome = { way: 'etcdKey', text: `From etcd: one key, ${key}.` };
  if (!hasWatchCache(request.resource, facts, inquiry)) return fromEtcd;
  if (resourceVersion === '') {
    step('C5', 'A get without a resourceVersion always goes to etcd.');
    return fromEtcd;
  }
  if (!asksReady(request, facts, inquiry)) {
    if (presetOf(facts.version).getWhenUnready(resourceVersion, facts.gates) === 'etcd') {
      step('C5', 'While the cache is not ready, a get goes to etcd.');
      return fromEtcd;
    }
    const late = becomesReady(facts, inquiry);
    if (late !== undefined) return late;
  }
  const version = shown(resourceVersion);
  step(
    'C5',
    `A get with resourceVersion ${version} is served by the cache, at any state not older.`,
  );
  return { way: 'watchCache', text: 'From the watch cache: one object.' };
}
