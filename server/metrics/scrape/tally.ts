/** Counters of API servers, added up for each resource. What no scrape has stays undefined. */
import { qualifiedName } from '../../common/groupResource';
import type { Counter, Role } from './families';
import type { ServerScrape } from './model';

type Sum = number | undefined;

/** Lists of one resource that were read from etcd. */
export interface EtcdLists {
  readonly resource: string;
  readonly lists: Sum;
  readonly fetched: Sum;
  readonly evaluated: Sum;
  readonly returned: Sum;
  /** Requests to etcd that a list is made of: pages and streams. */
  readonly requests: Sum;
  readonly failedRequests: Sum;
  /** Of these requests. */
  readonly requestSeconds: Sum;
  /** Of the lists as a whole, with decoding; 1.37 and newer. */
  readonly listSeconds: Sum;
  /** Lists that were streamed, of those that say so; 1.37 and newer. */
  readonly streamed: Sum;
  readonly timedLists: Sum;
  readonly decodeErrors: Sum;
}

/** Lists of one resource that a watch cache served. */
export interface CacheLists {
  /** A prefix such as `/pods`, where a server up to 1.33 tells no more. */
  readonly resource: string;
  readonly lists: Sum;
  readonly fetched: Sum;
  readonly returned: Sum;
  /** Of `lists`, those that an index served. */
  readonly indexed: Sum;
  /** Consistent reads: by the cache, passed on to etcd, and failed. */
  readonly consistent: Sum;
  readonly fellBack: Sum;
  readonly failed: Sum;
}

/** Operations that read a list; a watch begins with them too. */
const LIST_OPERATIONS: ReadonlySet<string> = new Set(['list', 'listStream']);

type Want = (counter: Counter) => boolean;

class Tally {
  constructor(private readonly counters: readonly Counter[]) {}

  sum(role: Role, wants: Want = () => true): Sum {
    const found = this.counters.filter((counter) => counter.role === role && wants(counter));
    if (found.length === 0) return undefined;
    return found.reduce((sum, { value }) => sum + value, 0);
  }

  /** Zero where the metric is there and nothing of it is wanted. */
  part(role: Role, wants: Want): Sum {
    return this.sum(role) === undefined ? undefined : (this.sum(role, wants) ?? 0);
  }
}

export function etcdLists(servers: readonly ServerScrape[]): EtcdLists[] {
  return byResource(servers, isOfEtcd).map(([resource, tally]) => ({
    resource,
    lists: tally.sum('lists'),
    fetched: tally.sum('fetched'),
    evaluated: tally.sum('evaluated'),
    returned: tally.sum('returned'),
    requests: tally.sum('requests') ?? tally.sum('requestCount'),
    failedRequests: tally.sum('requestErrors'),
    requestSeconds: tally.sum('requestSeconds'),
    listSeconds: tally.sum('listSeconds'),
    streamed: tally.part('listCount', ({ streamed }) => streamed === 'true'),
    timedLists: tally.sum('listCount'),
    decodeErrors: tally.sum('decodeErrors'),
  }));
}

function isOfEtcd({ role, storage, operation }: Counter): boolean {
  switch (role) {
    case 'lists':
    case 'fetched':
    case 'evaluated':
    case 'returned':
      return storage === 'etcd';
    case 'requests':
    case 'requestErrors':
    case 'requestSeconds':
    case 'requestCount':
      return LIST_OPERATIONS.has(operation);
    case 'listSeconds':
    case 'listCount':
    case 'decodeErrors':
      return true;
    default:
      return false;
  }
}

/** 1.37 counts each list of the cache under its old name and its new one: the new one is taken. */
export function cacheLists(servers: readonly ServerScrape[]): CacheLists[] {
  const ofCache = servers.map((server) => {
    const counters = [...server.counters].filter(([, counter]) => isOfCache(counter));
    const hasNew = counters.some(([, { role }]) => role === 'lists');
    const own = hasNew ? counters.filter(([, { role }]) => !role.startsWith('cache')) : counters;
    return { ...server, counters: new Map(own) };
  });
  return byResource(ofCache, () => true).map(([resource, tally]) => {
    const either = (name: Role, old: Role, wants?: Want): Sum =>
      added(tally.sum(name, wants), tally.sum(old, wants));
    const lists = either('lists', 'cacheLists');
    const indexed = either('lists', 'cacheLists', ({ index }) => index !== '');
    return {
      resource,
      lists,
      fetched: either('fetched', 'cacheFetched'),
      returned: either('returned', 'cacheReturned'),
      indexed: lists === undefined ? undefined : (indexed ?? 0),
      consistent: tally.sum('consistentReads'),
      fellBack: tally.part('consistentReads', ({ fallback }) => fallback === 'true'),
      failed: tally.part('consistentReads', ({ success }) => success === 'false'),
    };
  });
}

const OLD_CACHE_ROLES: ReadonlySet<Role> = new Set(['cacheLists', 'cacheFetched', 'cacheReturned']);

function isOfCache({ role, storage }: Counter): boolean {
  return OLD_CACHE_ROLES.has(role) || role === 'consistentReads' || storage === 'watchcache';
}

export function added(a: Sum, b: Sum): Sum {
  return a === undefined ? b : a + (b ?? 0);
}

function byResource(servers: readonly ServerScrape[], wants: Want): [string, Tally][] {
  const found = new Map<string, Counter[]>();
  for (const { counters } of servers) {
    for (const counter of counters.values()) {
      if (!wants(counter) || counter.resource === '') continue;
      const name = qualifiedName(counter);
      const known = found.get(name);
      if (known === undefined) found.set(name, [counter]);
      else known.push(counter);
    }
  }
  return [...found].map(([name, counters]) => [name, new Tally(counters)]);
}
