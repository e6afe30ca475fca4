/** A prefix of keys, which no API server lists: it is read from etcd as it stands. */
import { StoreError } from '../store/errors';
import type { AskedList, ServerFacts } from './asked';
import { decideFromEtcd } from './fromEtcd';
import type { Inquiry } from './inquiry';
import type { Outcome } from './model';
import { positionOf, refusedBy } from './position';
import { readListOf, type ListedResource, type ReadRequest } from './request';
import { SOURCES } from './sources';

export function decidePrefix(asked: AskedList, facts: ServerFacts, inquiry: Inquiry): Outcome {
  const text = 'A prefix of keys is no request to an API server: no watch cache stands before it.';
  inquiry.step({ rule: 'K1', source: SOURCES.prefix, text });
  const read = readPrefix(asked);
  if (read.kind === 'refused') {
    return { way: 'refused', text: 'nothing is read.', refusal: read.refusal };
  }
  const position = positionOf(read.request);
  if (position instanceof StoreError) return refusedBy(position, facts, inquiry);
  return decideFromEtcd(read.request, { ...facts, root: '/' }, inquiry);
}

/** A prefix is a full one already: none is put before it. */
export function readPrefix(asked: AskedList): ReadRequest {
  return readListOf(asked, listedPrefix(asked.resource));
}

/** What its objects may be selected by is known once they are read. */
function listedPrefix(prefix: string): ListedResource {
  return {
    name: prefix,
    group: '',
    resource: prefix,
    path: prefix.replace(/\/+$/, ''),
    version: '',
    isCustom: true,
    namespaced: false,
  };
}
