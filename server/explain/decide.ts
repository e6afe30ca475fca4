/** One list or get from the API server's door to what serves it, as upstream decides it. */
import { isAtLeast } from '../cache/versions/version';
import { StoreError } from '../store/errors';
import type { AskedList, ServerFacts } from './asked';
import { decideDelegation } from './delegate';
import { decideFromEtcd, keyText } from './fromEtcd';
import { decideGet } from './get';
import type { Inquiry } from './inquiry';
import type { Outcome } from './model';
import { positionOf, refusedBy } from './position';
import { decidePrefix } from './prefix';
import { refusedLate } from './refusedLate';
import { readRequest, type ListRequest, type RefusedRequest } from './request';
import { sourcesOf } from './sources';
import { hasWatchCache } from './watchCache';
import { shown } from './words';

export function decide(asked: AskedList, facts: ServerFacts, inquiry: Inquiry): Outcome {
  if (asked.resource.startsWith('/')) return decidePrefix(asked, facts, inquiry);
  const read = readRequest(asked);
  if (read.kind === 'refused') return refusedAtDoor(read, facts, inquiry);
  const { request } = read;
  if (asked.named && !request.narrowed.recursive) return decideGet(request, facts, inquiry);
  narrowStep(request, facts, inquiry);
  const position = positionOf(request);
  const validatesFirst = isAtLeast(facts.version, '1.33');
  if (position instanceof StoreError && validatesFirst) {
    return refusedBy(position, facts, inquiry);
  }
  const hasCache = hasWatchCache(request.resource, facts, inquiry);
  if (position instanceof StoreError) {
    return refusedLate(position, request, facts, hasCache, inquiry);
  }
  if (!hasCache) return decideFromEtcd(request, facts, inquiry);
  return decideDelegation(request, facts, position, inquiry);
}

function refusedAtDoor(
  { at, refusal }: RefusedRequest,
  { version }: ServerFacts,
  inquiry: Inquiry,
): Outcome {
  const { options, decode } = sourcesOf(version);
  const source = at === 'options' ? options : decode;
  const text = "The request is refused at the API server's door; storage is not asked.";
  inquiry.step({ rule: at === 'fields' ? 'F1' : 'O5', source, text });
  return { way: 'refused', text: 'nothing is read.', refusal };
}

function narrowStep(request: ListRequest, facts: ServerFacts, inquiry: Inquiry): void {
  const { asked, narrowed } = request;
  const step = (text: string) => {
    inquiry.step({ rule: 'N1', source: sourcesOf(facts.version).narrow, text });
  };
  const fields = shown(asked.fieldSelector);
  if (!narrowed.recursive) {
    step(
      `${fields} demands one name: the list becomes a read of one key, ${keyText(request, facts)}.`,
    );
  } else if (narrowed.namespace !== asked.namespace && narrowed.namespace !== '') {
    step(
      `${fields} demands one namespace: the list over all of them becomes one of ${shown(narrowed.namespace)}.`,
    );
  }
}
