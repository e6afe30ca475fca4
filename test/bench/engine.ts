/** The engine as it ships, following a list to its end. */
import { systemClock } from '../../server/common/clock';
import { nextKey, prefixEnd, utf8 } from '../../server/common/bytes';
import { silentLog } from '../../server/common/log';
import { createFeatureChecker } from '../../server/etcd/features';
import type { EtcdReader, RangeRequest } from '../../server/etcd/interfaces';
import { rangeRequest } from '../../server/etcd/rpc/kvCodecs';
import { findResource } from '../../server/kube/resources/resources';
import { parseFieldSelector, parseLabelSelector } from '../../server/kube/selectors';
import { createStoreMetrics } from '../../server/metrics/storeMetrics';
import { nextOptions } from '../../server/store/follow';
import type { ListOptions } from '../../server/store/interfaces';
import { createStore } from '../../server/store/list';
import { matches } from '../../server/store/predicate';
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

/** The same reader, noting what it is asked. */
function recording(etcd: EtcdReader, sent: Sent[]): EtcdReader {
  const note = (method: string, request: RangeRequest): void => {
    const message = Buffer.from(rangeRequest.encode({ ...request, serializable: false }));
    sent.push({ method, message: message.toString('base64') });
  };
  return {
    endpoints: etcd.endpoints,
    get currentEndpoint() {
      return etcd.currentEndpoint;
    },
    serializable: etcd.serializable,
    byteBudget: etcd.byteBudget,
    range(request, options) {
      note('Range', request);
      return etcd.range(request, options);
    },
    rangeStream(request, options) {
      note('RangeStream', request);
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

export async function listToTheEnd(
  etcd: EtcdReader,
  list: ListWork,
  record: boolean,
): Promise<Outcome> {
  const requests: Sent[] = [];
  const store = storeOf(record ? recording(etcd, requests) : etcd, list);
  let options = optionsOf(list);
  let [items, requestCount, largestReply] = [0, 0, 0];
  const started = performance.now();
  for (;;) {
    const result = await store.getList(options);
    const { total } = result.receipt;
    items += result.items.length;
    requestCount += total.requests;
    largestReply = Math.max(largestReply, total.largestReplyBytes);
    if (result.continueToken === '') break;
    options = nextOptions(options, result.continueToken);
  }
  const ms = performance.now() - started;
  return { ms, items, requestCount, largestReply, ...(record && { requests }) };
}

/** What a client does that knows no doubling: pages of its own limit, filtered, to the end. */
export async function naiveToTheEnd(etcd: EtcdReader, list: ListWork): Promise<Outcome> {
  const decoder = decoderFor(list);
  const { predicate } = optionsOf(list);
  const prefix = utf8(`${list.root}/pods/`);
  const rangeEnd = prefixEnd(prefix);
  let [key, revision, requestCount, items] = [prefix, 0n, 0, 0];
  const started = performance.now();
  for (;;) {
    const reply = await etcd.range({ key, rangeEnd, limit: predicate.limit, revision });
    requestCount++;
    if (revision === 0n) revision = reply.revision;
    for (const kv of reply.kvs) {
      const object = decoder.decode(decoder.transform(kv.value, kv), kv);
      if (matches(predicate, () => decoder.attributes(object))) items++;
    }
    const last = reply.kvs.at(-1);
    if (last === undefined || BigInt(reply.kvs.length) >= reply.count) break;
    key = nextKey(last.key);
  }
  return { ms: performance.now() - started, items, requestCount };
}
