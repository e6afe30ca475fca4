/** What one line of a scrape says in words, with the numbers of the same scrape that go with it. */
import { qualifiedName } from '../../common/groupResource';
import { resourceOf } from './families';
import { grouped, ratioText, secondsText } from './figures';
import type { ServerScrape } from './model';
import { ScrapeReader } from './reader';
import { countFault, SampleError, SampleParser, type Sample } from './sample';
import { cacheLists, etcdLists, type CacheLists, type EtcdLists } from './tally';
import { ratio } from './verdict';
import { cacheWords, etcdWords, type Words } from './words';

export interface LineWords {
  /** What the number of this line is. */
  readonly about: string;
  /** The numbers beside it; empty where there are none. */
  readonly beside: string;
  readonly words: Words | undefined;
}

interface Told {
  readonly value: number;
  /** `pods`, or the prefix of a cache. */
  readonly resource: string;
  readonly label: (name: string) => string;
}

type About = (told: Told) => string;

const isCached = ({ label }: Told): boolean => label('storage') === 'watchcache';

const lists: About = (told) =>
  isCached(told)
    ? `${grouped(told.value)} LISTs of ${told.resource} were served by the watch cache${indexText(told)}.`
    : `${grouped(told.value)} LISTs of ${told.resource} were read from etcd.`;

const fetched: About = (told) =>
  isCached(told)
    ? `${grouped(told.value)} objects of the watch cache were looked at for LISTs of ${told.resource}${indexText(told)}. etcd read nothing for them.`
    : `${grouped(told.value)} objects were read from etcd and sent to the API server for LISTs of ${told.resource}.`;

const evaluated: About = (told) =>
  isCached(told)
    ? 'The watch cache does not count what it tests: this is always 0.'
    : `${grouped(told.value)} of the objects of ${told.resource} that were fetched were decoded and held against the selector.`;

const returned: About = ({ value, resource }) =>
  `${grouped(value)} objects of ${resource} were returned to the clients of these LISTs.`;

function indexText({ label }: Told): string {
  return label('index') === '' ? '' : ` by its index ${label('index')}`;
}

/** A counter of the cache's own, under the name that it had before 1.37. */
const ofCache =
  (about: About): About =>
  (told) =>
    about({
      ...told,
      label: (name) => (name === 'storage' ? 'watchcache' : told.label(name)),
    });

const listSeconds: About = ({ resource, label }) => {
  const streamed = label('streamed') === 'true' ? ' that were streamed' : '';
  return `How long LISTs of ${resource}${streamed} took in the storage layer, with decoding.`;
};

const OPERATIONS: ReadonlyMap<string, string> = new Map([
  ['list', 'Pages of LISTs, and what a watch without a watch cache begins with.'],
  ['listStream', 'RangeStream calls: LISTs without a limit or without a selector, on etcd 3.7.'],
  ['get', 'Reads of one key.'],
  ['getCurrentResourceVersion', 'How a consistent read of the watch cache learns what is current.'],
]);

const operationText = ({ label, resource }: Told): string =>
  `operation ${label('operation')}, ${resource}. ${OPERATIONS.get(label('operation')) ?? ''}`.trimEnd();

const requests: About = (told) => `${grouped(told.value)} requests to etcd: ${operationText(told)}`;
const failedRequests: About = (told) =>
  `${grouped(told.value)} requests to etcd failed: ${operationText(told)}`;
const requestSeconds: About = (told) => `How long requests to etcd took: ${operationText(told)}`;

const consistent: About = ({ value, resource, label }) => {
  const end = label('success') === 'false' ? 'failed' : 'were answered';
  const reads = `${grouped(value)} consistent reads of ${resource}`;
  switch (label('fallback')) {
    case 'true':
      return `${reads} ${end} by etcd: the watch cache did not see etcd's current revision within 3 s.`;
    case 'skipped':
      return `${reads} were refused with 429: the watch cache did not see etcd's current revision in time.`;
    default:
      return `${reads} ${end} by the watch cache.`;
  }
};

const ABOUT: ReadonlyMap<string, About> = new Map([
  ['apiserver_storage_list_total', lists],
  ['apiserver_storage_list_fetched_objects_total', fetched],
  ['apiserver_storage_list_evaluated_objects_total', evaluated],
  ['apiserver_storage_list_returned_objects_total', returned],
  ['apiserver_storage_list_duration_seconds', listSeconds],
  ['etcd_requests_total', requests],
  ['etcd_request_errors_total', failedRequests],
  ['etcd_request_duration_seconds', requestSeconds],
  ['apiserver_etcd_request_duration_seconds', requestSeconds],
  [
    'apiserver_storage_decode_errors_total',
    ({ value, resource }) =>
      `${grouped(value)} stored objects of ${resource} could not be decoded.`,
  ],
  ['apiserver_cache_list_total', ofCache(lists)],
  ['apiserver_cache_list_fetched_objects_total', ofCache(fetched)],
  ['apiserver_cache_list_returned_objects_total', returned],
  ['apiserver_watch_cache_consistent_read_total', consistent],
]);

/**
 * Undefined for a line that tells nothing of lists. `lines` are those of one text that tell of lists of
 * the same resource, in their order; others among them do no harm.
 */
export function lineWords(lines: readonly string[], index: number): LineWords | undefined {
  const sample = sampleOf(lines[index] ?? '');
  const about = ABOUT.get(sample?.name.replace(/_(?:bucket|sum|count)$/, '') ?? '');
  if (sample === undefined || about === undefined) return undefined;
  const fault = countFault(sample.value);
  if (fault !== undefined) {
    return { about: `This line is left out: ${fault}.`, beside: '', words: undefined };
  }
  const resource = qualifiedName(resourceOf(sample.labels));
  const label = (name: string): string => sample.labels.get(name) ?? '';
  const text = `${about({ value: sample.value, resource, label })}${partText(sample)}`;
  const server = serverOf(lines, index, label('instance'));
  const beside = server === undefined ? undefined : besideOf(server, sample, resource);
  return { about: text, beside: beside?.text ?? '', words: beside?.words };
}

function sampleOf(line: string): Sample | undefined {
  try {
    return new SampleParser().parse(line.trim());
  } catch (error) {
    if (error instanceof SampleError) return undefined;
    throw error;
  }
}

/** What of a histogram stands in this line. */
function partText({ name, labels, value }: Sample): string {
  if (name.endsWith('_sum')) return ` In all ${secondsText(value)}.`;
  if (name.endsWith('_count')) return ` There were ${grouped(value)}.`;
  const most = labels.get('le') ?? '';
  if (!name.endsWith('_bucket') || most === '') return '';
  return most === '+Inf'
    ? ` There were ${grouped(value)}.`
    : ` ${grouped(value)} took ${most} s at most.`;
}

/** The server whose part of the text the line stands in. */
function serverOf(
  lines: readonly string[],
  index: number,
  instance: string,
): ServerScrape | undefined {
  const reader = new ScrapeReader('');
  reader.push(`${lines.join('\n')}\n`);
  const { servers } = reader.end();
  const own = servers.filter(({ name, isInstance }) => !isInstance || name === instance);
  return own.findLast(({ lines: [first] }) => first <= index + 1) ?? own[0];
}

const CACHE_NAMES = /^apiserver_(?:cache_list|watch_cache)_/;

function besideOf(
  server: ServerScrape,
  { name, labels }: Sample,
  resource: string,
): { readonly text: string; readonly words: Words } | undefined {
  if (labels.get('storage') === 'watchcache' || CACHE_NAMES.test(name)) {
    const row = cacheLists([server]).find((each) => each.resource === resource);
    return row && { text: cacheText(row), words: cacheWords(row) };
  }
  const operation = labels.get('operation') ?? 'list';
  if (operation !== 'list' && operation !== 'listStream') return undefined;
  const row = etcdLists([server]).find((each) => each.resource === resource);
  return row && { text: etcdText(row), words: etcdWords(row) };
}

function etcdText(row: EtcdLists): string {
  const { fetched: read, evaluated: tested, returned: sent, requests: asked } = row;
  return [
    `${grouped(read)} fetched : ${grouped(tested)} tested : ${grouped(sent)} returned`,
    `${ratioText(ratio(read, sent))} fetched for each one returned`,
    `${grouped(row.lists)} lists, ${grouped(asked)} requests to etcd in ${secondsText(row.requestSeconds)}`,
  ].join('; ');
}

function cacheText(row: CacheLists): string {
  const { fetched: read, returned: sent, consistent: asked } = row;
  return [
    `${grouped(row.lists)} lists, ${grouped(read)} looked at : ${grouped(sent)} returned`,
    ...(asked === undefined
      ? []
      : [`${grouped(asked)} consistent reads, ${grouped(row.fellBack)} passed on to etcd`]),
  ].join('; ');
}
