/** One list or get from the API server's door to what serves it, as upstream decides it. */
import { StoreError } from '../store/errors';
import type { AskedList, ServerFacts } from './asked';
import { decideDelegation } from './delegate';
import { decideFromEtcd, keyText } from './fromEtcd';
import { decideGet } from './get';
import type { Inquiry } from './inquiry';
import type { Outcome } from './model';
import { positionOf, refusedBy } from './position';
import { decidePrefix } from './prefix';
import { readRequest, type ListRequest, type RefusedRequest } from './request';
import { SOURCES } from './sources';
import { hasWatchCache } from './watchCache';
import { shown } from './words';

export function decide(asked: AskedList, facts: ServerFacts, inquiry: Inquiry): Outcome {
  if (asked.resource.startsWith('/')) return decidePrefix(asked, facts, inquiry);
  const read = readRequest(asked);
  if (read.kind === 'refused') return refusedAtDoor(read, inquiry);
  const { request } = read;
  if (asked.named && !request.narrowed.recursive) return decideGet(request, facts, inquiry);
  narrowStep(request, facts, inquiry);
  const position = positionOf(request);
  if (position instanceof StoreError) return refusedBy(position, inquiry);
  if (!hasWatchCache(request.resource, facts, inquiry)) {
    return decideFromEtcd(request, facts, inquiry);
  }
  return decideDelegation(request, facts, position, inquiry);
}

function refusedAtDoor({ at, refusal }: RefusedRequest, inquiry: Inquiry): Outcome {
  const source = at === 'options' ? SOURCES.options : SOURCES.decode;
  const text = "The request is refused at the API server's door; storage is not asked.";
  inquiry.step({ rule: at === 'fields' ? 'F1' : 'O5', source, text });
  return { way: 'refused', text: 'nothing is read.', refusal };
}

function narrowStep(request: ListRequest, facts: ServerFacts, inquiry: Inquiry): void {
  const { asked, narrowed } = request;
  const step = (text: string) => {
    inquiry.step({ rule: 'N1', source: SOURCES.narrow, text });
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
