/** What the numbers mean and what to try, in sentences. */
import { grouped, ratioText, secondsText, shareText } from './figures';
import type { CacheLists, EtcdLists } from './tally';
import {
  cacheVerdict,
  etcdVerdict,
  MANY_FAILED,
  ratio,
  type CacheVerdict,
  type EtcdVerdict,
} from './verdict';

/** A verdict in the width of a column. */
export const ETCD_VERDICTS: Readonly<Record<EtcdVerdict, string>> = {
  spiral: 'selector death spiral',
  scan: 'filtered reads',
  overread: 'pages too large',
  fine: 'fine',
  little: 'little read',
  unknown: 'not known',
};

export const CACHE_VERDICTS: Readonly<Record<CacheVerdict, string>> = {
  fallbacks: 'passes lists on to etcd',
  filtered: 'filtered in memory',
  fine: 'fine',
  unknown: 'not known',
};

export interface Words {
  /** What was counted and what it amounts to. */
  readonly meaning: string;
  /** What may help; empty where nothing has to. */
  readonly advice: readonly string[];
}

export function etcdWords(of: EtcdLists): Words {
  const verdict = etcdVerdict(of);
  const meaning = [ETCD_MEANINGS[verdict](of), failedText(of), decodeText(of)];
  return {
    meaning: meaning.filter((text) => text !== '').join(' '),
    advice: adviceOf(verdict, of),
  };
}

const ETCD_MEANINGS: Readonly<Record<EtcdVerdict, (of: EtcdLists) => string>> = {
  spiral: (of) =>
    `A selector death spiral: ${lostText(of)}, in ${ratioText(perList(of))} requests a list. The pages that a list asks for double in size, up to 10,000 keys, until enough objects match${timeText(of)}.`,
  scan: (of) =>
    perList(of) === undefined
      ? `Filtered reads: ${lostText(of)}. How many requests a list took is not in the scrape, so that a spiral cannot be told from single large reads.`
      : `Filtered reads, no spiral: ${lostText(of)}, but in ${ratioText(perList(of))} requests a list${timeText(of)}. These are lists without a limit and with a selector, or a few lists in a spiral among many that are none.`,
  overread: (of) =>
    `Much is fetched that no list looks at: ${ratioText(ratio(of.fetched, of.evaluated))} objects for each one decoded. Lists were full in the middle of a large page, or broke off there.`,
  fine: (of) =>
    `Fine: ${ratioText(ratio(of.fetched, of.returned))} objects fetched for each one returned.`,
  little: (of) => `Only ${grouped(of.fetched)} objects were fetched: too few to judge.`,
  unknown: (of) =>
    of.lists === undefined && of.fetched === undefined
      ? `Its requests to etcd are counted and its lists are not: no verdict.`
      : `What was fetched or returned is missing from the scrape, which may be cut or filtered: no verdict.`,
};

function lostText({ fetched, evaluated, returned }: EtcdLists): string {
  const looked =
    evaluated === undefined ? '' : `, ${grouped(evaluated)} of them decoded and tested`;
  if (returned === 0) return `${grouped(fetched)} objects were fetched${looked}, and none returned`;
  return `${ratioText(ratio(fetched, returned))} objects fetched for each one returned (${grouped(fetched)} : ${grouped(returned)}${looked})`;
}

const perList = ({ requests, lists }: EtcdLists): number | undefined => ratio(requests, lists);

function timeText({ requestSeconds }: EtcdLists): string {
  return requestSeconds === undefined
    ? ''
    : `; etcd worked on it for ${secondsText(requestSeconds)}`;
}

function failedText({ failedRequests, requests }: EtcdLists): string {
  if (failedRequests === undefined || requests === undefined) return '';
  if (failedRequests <= requests * MANY_FAILED) return '';
  return `${shareText(failedRequests, requests)} of the requests failed: a list that fails has fetched and returned less, which moves the ratios.`;
}

function decodeText({ decodeErrors = 0 }: EtcdLists): string {
  return decodeErrors > 0 ? `${grouped(decodeErrors)} objects could not be decoded.` : '';
}

function adviceOf(verdict: EtcdVerdict, of: EtcdLists): string[] {
  if (verdict !== 'spiral' && verdict !== 'scan' && verdict !== 'overread') return [];
  return [
    cacheAdvice(of),
    ...(verdict === 'spiral' ? [LIMIT_ADVICE] : []),
    ...(verdict === 'overread' ? [] : [NARROW_ADVICE]),
  ];
}

/** Events are the one resource without a watch cache by default (rule C1). */
function cacheAdvice({ resource }: EtcdLists): string {
  if (resource === 'events' || resource.startsWith('events.')) {
    return 'Events have no watch cache by default: every list of them reads etcd. List one namespace, or watch instead of listing again.';
  }
  return 'Find out why these lists pass the watch cache: a resourceVersion that is exact, continue tokens of old pages, a cache that is not ready or turned off, an API server before 1.31. A client that may read what is a little old asks with resourceVersion=0 and is served from memory; an informer lists once and watches.';
}

const LIMIT_ADVICE =
  'Find the client that lists with a selector and a small limit (the audit log has both): a larger limit means fewer, larger pages; without a limit the list is one request, and a stream on etcd 3.7 with Kubernetes 1.37.';
const NARROW_ADVICE =
  'Narrow what is read: etcd knows no selector, but a namespace is a shorter range of keys, and metadata.name with a namespace is one key.';

export function cacheWords(of: CacheLists): Words {
  const verdict = cacheVerdict(of);
  const advice = CACHE_ADVICE[verdict];
  return { meaning: CACHE_MEANINGS[verdict](of), advice: advice === '' ? [] : [advice] };
}

const CACHE_MEANINGS: Readonly<Record<CacheVerdict, (of: CacheLists) => string>> = {
  fallbacks: ({ fellBack, consistent }) =>
    `${shareText(fellBack, consistent)} of the consistent reads (${grouped(fellBack)} of ${grouped(consistent)}) did not see etcd's current revision in the cache within 3 s and were read from etcd: they stand among the lists from etcd too.`,
  filtered: (of) =>
    `${ratioText(ratio(of.fetched, of.returned))} objects of the cache were looked at for each one returned, ${shareText(of.indexed, of.lists)} of the lists by an index. This costs the API server's processor, and etcd nothing.`,
  fine: () => 'Fine: served from memory; etcd read no object for it.',
  unknown: () => 'What was fetched or returned is missing from the scrape: no verdict.',
};

const CACHE_ADVICE: Readonly<Record<CacheVerdict, string>> = {
  fallbacks:
    'Look at how far the cache is behind: a busy API server, a slow etcd, or a watch that hangs.',
  filtered:
    'List one namespace, or select by a field with an index, such as spec.nodeName of pods.',
  fine: '',
  unknown: '',
};
