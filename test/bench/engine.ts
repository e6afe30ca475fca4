/** The engine as it ships, following a list to its end. */
import { systemClock } from '../../server/common/clock';
import { nextKey, prefixEnd, utf8 } from '../../server/common/bytes';
import { silentLog } from '../../server/common/log';
import { createFeatureChecker } from '../../server/etcd/features';
import type { EtcdReader, KeyValue, RangeRequest } from '../../server/etcd/interfaces';
import { rangeRequest } from '../../server/etcd/rpc/kvCodecs';
import { findResource } from '../../server/kube/resources/resources';
import { parseFieldSelector, parseLabelSelector } from '../../server/kube/selectors';
import { createStoreMetrics } from '../../server/metrics/storeMetrics';
import { nextOptions } from '../../server/store/follow';
import type { ListOptions, Predicate } from '../../server/store/interfaces';
import { createStore } from '../../server/store/list';
import { isUnfiltered, matches } from '../../server/store/predicate';
import { builtInTarget } from '../../server/targets/target';
import type { ListWork, Outcome, Sent } from './work';

function optionsOf(list: ListWork): ListOptions {
  return {
    key: '/pods/',
    recursive: true,
    resourceVersion: '',
    resourceVersionMatch: '',
    predicate: {
      label: parseLabelSelector(list.label),
      field: parseFieldSelector(list.field),
      limit: BigInt(list.limit),
      continueToken: '',
    },
  };
}

function podTarget(root: string) {
  const found = findResource('pods');
  if (found === undefined) throw new Error('there are no Pods');
  return builtInTarget(found, root);
}

function decoderFor(list: ListWork) {
  return podTarget(list.root).decoder({
    readsFields: list.field !== '',
    onUnjudged: () => undefined,
  });
}

function storeOf(etcd: EtcdReader, list: ListWork) {
  const { path, groupResource } = podTarget(list.root);
  return createStore({
    etcd,
    root: list.root,
    resourcePrefix: path,
    groupResource,
    decoder: decoderFor(list),
    streamSupport: createFeatureChecker(systemClock),
    metrics: createStoreMetrics(),
    clock: systemClock,
    log: silentLog,
    gates: { etcdRangeStream: list.stream, allowUnsafeMalformedObjectDeletion: false },
    // Upstream does not count before it reads, and what is compared are the same requests.
    guardUnlimitedReads: false,
  });
}

interface Asked {
  readonly method: string;
  readonly request: RangeRequest;
}

/** Made when the time is taken. */
function sentOf(asked: readonly Asked[]): Sent[] {
  return asked.map(({ method, request }) => {
    const message = Buffer.from(rangeRequest.encode({ ...request, serializable: false }));
    return { method, message: message.toString('base64') };
  });
}

/** The same reader, noting what it is asked. */
function recording(etcd: EtcdReader, asked: Asked[]): EtcdReader {
  return {
    endpoints: etcd.endpoints,
    get currentEndpoint() {
      return etcd.currentEndpoint;
    },
    serializable: etcd.serializable,
    byteBudget: etcd.byteBudget,
    range(request, options) {
      asked.push({ method: 'Range', request });
      return etcd.range(request, options);
    },
    rangeStream(request, options) {
      asked.push({ method: 'RangeStream', request });
      return etcd.rangeStream(request, options);
    },
    watch: (request, options) => etcd.watch(request, options),
    status: (endpoint, options) => etcd.status(endpoint, options),
    members: (options) => etcd.members(options),
    close: () => {
      etcd.close();
    },
  };
}

export async function listToTheEnd(etcd: EtcdReader, list: ListWork): Promise<Outcome> {
  const asked: Asked[] = [];
  const store = storeOf(recording(etcd, asked), list);
  let options = optionsOf(list);
  let [items, keys, requestCount, replyBytes, largestReply] = [0, 0, 0, 0, 0];
  const started = performance.now();
  for (;;) {
    const result = await store.getList(options);
    const { total, requests } = result.receipt;
    items += result.items.length;
    keys += total.fetched;
    for (const { bytes } of requests) replyBytes += bytes;
    requestCount += total.requests;
    largestReply = Math.max(largestReply, total.largestReplyBytes);
    if (result.continueToken === '') break;
    options = nextOptions(options, result.continueToken);
  }
  const ms = performance.now() - started;
  return { ms, items, keys, requestCount, replyBytes, largestReply, requests: sentOf(asked) };
}

/** Counts what a client keeps of a page; rejects by the bytes what the engine rejects by them. */
function pageCounter(list: ListWork, predicate: Predicate): (kvs: readonly KeyValue[]) => number {
  const decoder = decoderFor(list);
  const unfiltered = isUnfiltered(predicate);
  const rejects = unfiltered ? undefined : decoder.rejecter?.(predicate);
  const isRejected = (kv: KeyValue): boolean => {
    if (rejects === undefined) return false;
    const { within, valueStart, valueEnd } = kv;
    if (within === undefined || valueStart === undefined || valueEnd === undefined) {
      return rejects(kv.value, 0, kv.value.length);
    }
    return rejects(within, valueStart, valueEnd);
  };
  return (kvs) => {
    const kept: unknown[] = [];
    for (const kv of kvs) {
      if (isRejected(kv)) continue;
      const object = decoder.decode(decoder.transform(kv.value, kv), kv);
      if (!matches(predicate, () => decoder.attributes(object))) continue;
      kept.push(unfiltered ? object : (decoder.detach?.(object) ?? object));
    }
    return kept.length;
  };
}

/** What a client does that knows no doubling: pages of its own limit, filtered, to the end. */
export async function naiveToTheEnd(etcd: EtcdReader, list: ListWork): Promise<Outcome> {
  const asked: Asked[] = [];
  const reader = recording(etcd, asked);
  const { predicate } = optionsOf(list);
  const countOf = pageCounter(list, predicate);
  const prefix = utf8(`${list.root}/pods/`);
  const rangeEnd = prefixEnd(prefix);
  let [key, revision, items, keys, replyBytes] = [prefix, 0n, 0, 0, 0];
  const started = performance.now();
  for (;;) {
    const reply = await reader.range({ key, rangeEnd, limit: predicate.limit, revision });
    keys += reply.kvs.length;
    replyBytes += reply.bytes;
    if (revision === 0n) revision = reply.revision;
    items += countOf(reply.kvs);
    const last = reply.kvs.at(-1);
    if (last === undefined || BigInt(reply.kvs.length) >= reply.count) break;
    key = nextKey(last.key);
  }
  const ms = performance.now() - started;
  return { ms, items, keys, requestCount: asked.length, replyBytes, requests: sentOf(asked) };
}
