/** A report as one JSON document. What is not known is null, and so is a ratio to nothing. */
import type { CacheRow, EtcdRow, MetricsReport } from './report';
import { ratio } from './verdict';

export function reportJson(report: MetricsReport): string {
  const { servers, span, seconds, sort, etcd, cache, left, notes, kept, others } = report;
  const document = {
    servers: servers.map(({ name, version, dialect, startedAt, at, lines }) => ({
      name,
      version: version === '' ? null : version,
      labels: dialect ?? null,
      startedAt: dateOf(startedAt === undefined ? undefined : startedAt * 1000),
      at: dateOf(at),
      lines: { first: lines[0], last: lines[1] },
    })),
    span,
    seconds: seconds ?? null,
    sort,
    etcd: etcd.map((row) => etcdJson(row, seconds)),
    watchCache: cache.map((row) => cacheJson(row, seconds)),
    left: { etcd: left.etcd, watchCache: left.cache },
    samples: { kept, others },
    notes,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Null for what is no time that a calendar has. */
function dateOf(ms: number | undefined): string | null {
  const date = new Date(ms ?? NaN);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

function etcdJson(row: EtcdRow, seconds: number | undefined) {
  const { server, resource, lists, fetched, evaluated, returned, requests, verdict, words } = row;
  return {
    ...(server === '' ? {} : { server }),
    resource,
    lists: known(lists),
    fetched: known(fetched),
    evaluated: known(evaluated),
    returned: known(returned),
    fetchedPerReturned: known(ratio(fetched, returned)),
    evaluatedPerReturned: known(ratio(evaluated, returned)),
    requests: known(requests),
    requestsPerList: known(ratio(requests, lists)),
    failedRequests: known(row.failedRequests),
    requestSeconds: known(row.requestSeconds),
    listSeconds: known(row.listSeconds),
    streamedLists: known(row.streamed),
    decodeErrors: known(row.decodeErrors),
    ...perSecond({ lists, fetched, requests }, seconds),
    verdict,
    meaning: words.meaning,
    advice: words.advice,
  };
}

function cacheJson(row: CacheRow, seconds: number | undefined) {
  const { server, resource, lists, fetched, returned, verdict, words } = row;
  return {
    ...(server === '' ? {} : { server }),
    resource,
    lists: known(lists),
    fetched: known(fetched),
    returned: known(returned),
    fetchedPerReturned: known(ratio(fetched, returned)),
    indexedLists: known(row.indexed),
    consistentReads: known(row.consistent),
    consistentReadsToEtcd: known(row.fellBack),
    failedConsistentReads: known(row.failed),
    ...perSecond({ lists, fetched }, seconds),
    verdict,
    meaning: words.meaning,
    advice: words.advice,
  };
}

const known = (value: number | undefined): number | null =>
  value === undefined || !Number.isFinite(value) ? null : value;

function perSecond(
  counts: Readonly<Record<string, number | undefined>>,
  seconds: number | undefined,
): { perSecond?: Record<string, number | null> } {
  if (seconds === undefined) return {};
  const rates = Object.entries(counts).map(([name, value]): [string, number | null] => [
    name,
    known(value === undefined ? undefined : value / seconds),
  ]);
  return { perSecond: Object.fromEntries(rates) };
}
