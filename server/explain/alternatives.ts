/** Other requests for much the same, which way each would be served, and what it means to the client. */
import { gatesOf } from '../cache/versions/gates';
import type { AskedList, ServerFacts } from './asked';
import { decide } from './decide';
import { explore } from './inquiry';
import { likelyPath, type Alternative, type Trail, type Way } from './model';
import { resourceOf } from './request';

/** None beside a request that is refused. */
export function alternativesOf(
  asked: AskedList,
  facts: ServerFacts,
  trail: Trail,
): readonly Alternative[] {
  const { end } = likelyPath(trail);
  if (end.way === 'refused') return [];
  const isPrefix = asked.resource.startsWith('/');
  const isList = !asked.named && !isOneKey(trail);
  return [
    ...(isList && asked.limit > 0n ? [withoutLimit(asked, facts)] : []),
    ...(isPrefix || asked.resourceVersion === '0' ? [] : [resourceVersion0(asked, facts)]),
    ...(isList && end.way !== 'etcdStream' && canStream(facts) ? [streamed(asked, facts)] : []),
    ...(isList && !isPrefix ? [oneKey(asked, facts)] : []),
  ];
}

const canStream = ({ version }: ServerFacts): boolean => gatesOf(version).has('EtcdRangeStream');

/** Also where the one object is looked up in the cache. */
function isOneKey(trail: Trail): boolean {
  return likelyPath(trail).steps.some(({ rule }) => rule === 'N2');
}

const trailOf = (asked: AskedList, facts: ServerFacts): Trail =>
  explore((inquiry) => decide(asked, facts, inquiry));

const wayOf = (trail: Trail): Way => likelyPath(trail).end.way;

function withoutLimit(asked: AskedList, facts: ServerFacts): Alternative {
  return {
    name: 'withoutLimit',
    title: 'Without a limit',
    meaning:
      'All objects that match come in one answer, of one revision and without a continue token; whoever serves it holds them in memory at once.',
    trail: trailOf({ ...asked, limit: 0n }, facts),
  };
}

const ANY: Pick<AskedList, 'resourceVersion' | 'resourceVersionMatch' | 'from'> = {
  resourceVersion: '0',
  resourceVersionMatch: '',
  from: { kind: 'beginning' },
};

function resourceVersion0(asked: AskedList, facts: ServerFacts): Alternative {
  const trail = trailOf({ ...asked, ...ANY }, facts);
  const ignored =
    !asked.named && asked.limit > 0n ? ` The limit of ${asked.limit} is ignored.` : '';
  const meaning =
    wayOf(trail) === 'watchCache'
      ? `Any state that the cache has, which may be older than one that the client has seen before.${ignored}`
      : 'Without a watch cache it is read from etcd, as it is without a resourceVersion.';
  return { name: 'resourceVersion0', title: 'With resourceVersion=0', meaning, trail };
}

/** As if nothing stood against it but the request. */
function streamed(asked: AskedList, facts: ServerFacts): Alternative {
  const isFiltered = asked.labelSelector !== '' || asked.fieldSelector !== '';
  const dropsLimit = isFiltered && asked.limit > 0n;
  const limit = dropsLimit ? 0n : asked.limit;
  const trail = trailOf({ ...asked, limit, stream: 'auto' }, streaming(facts));
  const changed = dropsLimit
    ? 'It takes leaving out the limit, so that all objects that match come in one answer.'
    : 'The client sees no difference: the same objects and the same continue token.';
  const meaning =
    wayOf(trail) === 'etcdStream'
      ? changed
      : 'Only lists that reach etcd are streamed. This one does not as a rule, so that nothing changes.';
  return { name: 'streamed', title: 'Streamed', meaning, trail };
}

function streaming(facts: ServerFacts): ServerFacts {
  return {
    ...facts,
    gates: { ...facts.gates, EtcdRangeStream: true },
    rangeStream: { answer: true, because: 'supposed for this alternative' },
  };
}

function oneKey(asked: AskedList, facts: ServerFacts): Alternative {
  const { namespaced = true } = resourceOf(asked.resource);
  const needsNamespace = namespaced && asked.namespace === '';
  const fields = [asked.fieldSelector, 'metadata.name=NAME'].filter((text) => text !== '');
  const one: AskedList = {
    ...asked,
    namespace: needsNamespace ? 'NAMESPACE' : asked.namespace,
    fieldSelector: fields.join(','),
    limit: 0n,
    from: { kind: 'beginning' },
  };
  const where = needsNamespace ? ' in one namespace' : '';
  const known = needsNamespace ? ', and its namespace' : '';
  return {
    name: 'oneKey',
    title: `One key: fields metadata.name=NAME${where}`,
    meaning: `One object at most; its name has to be known${known}, and limit and token mean nothing.`,
    trail: trailOf(one, facts),
  };
}
