/** Whether what a workspace kept is a run of the history, whole to the last member that is shown. */
import type {
  HistoryEntry,
  ListQuery,
  RequestEntry,
  TotalEntry,
} from '../../server/protocol/model';

/** An earlier version may have kept another form, and a person may have edited the file. */
export function isEntry(value: unknown): value is HistoryEntry {
  if (!isRecord(value)) return false;
  const { at, connection, query, requests, total, bytes, failure } = value;
  return (
    typeof at === 'number' &&
    Number.isFinite(at) &&
    typeof connection === 'string' &&
    isQuery(query) &&
    isTotal(total) &&
    Array.isArray(requests) &&
    requests.every(isRequest) &&
    (bytes === undefined || typeof bytes === 'number') &&
    (failure === undefined || isFailure(failure))
  );
}

type Fields = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const holds = (
  fields: Fields,
  type: 'string' | 'number' | 'boolean',
  names: readonly string[],
): boolean => names.every((name) => typeof fields[name] === type);

const isNullOr = (value: unknown, type: 'string' | 'number'): boolean =>
  value === null || typeof value === type;

const isAbsentOr = (value: unknown, allowed: readonly unknown[]): boolean =>
  value === undefined || allowed.includes(value);

function isQuery(value: unknown): boolean {
  const texts: readonly (keyof ListQuery)[] = [
    'resource',
    'namespace',
    'labelSelector',
    'fieldSelector',
    'limit',
    'resourceVersion',
    'resourceVersionMatch',
    'continueToken',
    'readMode',
  ];
  return (
    isRecord(value) &&
    holds(value, 'string', texts) &&
    holds(value, 'boolean', ['skipUnreadable']) &&
    isAbsentOr(value['serveFrom'], ['watchCache'])
  );
}

function isTotal(value: unknown): boolean {
  const counts: readonly (keyof TotalEntry)[] = [
    'requests',
    'fetched',
    'examined',
    'evaluated',
    'returned',
    'largestReplyBytes',
    'durationMs',
  ];
  return (
    isRecord(value) &&
    holds(value, 'number', counts) &&
    holds(value, 'string', ['continue']) &&
    holds(value, 'boolean', ['streamed']) &&
    isAbsentOr(value['servedBy'], ['watchcache', 'mixed']) &&
    isNullOr(value['resourceVersion'], 'string') &&
    isNullOr(value['remainingItemCount'], 'number') &&
    isNullOr(value['naiveRequests'], 'number') &&
    isErrorOrAbsent(value['error'])
  );
}

function isRequest(value: unknown): boolean {
  const counts: readonly (keyof RequestEntry)[] = [
    'n',
    'limit',
    'keys',
    'matched',
    'bytes',
    'durationMs',
  ];
  return (
    isRecord(value) &&
    holds(value, 'number', counts) &&
    holds(value, 'string', ['operation', 'endpoint', 'revision']) &&
    isKey(value['startKey']) &&
    (value['endKey'] === null || isKey(value['endKey'])) &&
    (value['chunks'] === undefined || typeof value['chunks'] === 'number') &&
    isErrorOrAbsent(value['error'])
  );
}

const isKey = (value: unknown): boolean =>
  typeof value === 'string' || (isRecord(value) && typeof value['hex'] === 'string');

const isErrorOrAbsent = (value: unknown): boolean =>
  value === undefined || (isRecord(value) && holds(value, 'string', ['code', 'message']));

const isFailure = (value: unknown): boolean =>
  isRecord(value) && holds(value, 'string', ['code', 'sentence']);
