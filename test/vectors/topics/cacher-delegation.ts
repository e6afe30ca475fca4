import {
  cacheHelper,
  shouldDelegateList,
  withoutSnapshots,
  type CacheFacts,
  type DelegationHelper,
} from '../../../server/cache/delegation';
import {
  cacheLimit,
  passesUnready,
  serveList,
  unreadyError,
  unreadyRetrySeconds,
  type ConsistentReadOutcome,
} from '../../../server/cache/serving';
import { connect } from '../../../server/etcd/connect';
import { UNKNOWN_SERVER, type AskedList } from '../../../server/explain/asked';
import { decide } from '../../../server/explain/decide';
import type { Question } from '../../../server/explain/inquiry';
import type { Way } from '../../../server/explain/model';
import { parseFieldSelector, parseLabelSelector } from '../../../server/kube/selectors';
import { encodeContinue, TokenError } from '../../../server/store/continueToken';
import { expired, tooLargeResourceVersion } from '../../../server/store/errorTexts';
import { StoreError } from '../../../server/store/errors';
import type { ListOptions } from '../../../server/store/interfaces';
import { embeddedName, startSubject } from '../../support/storeSubjects';
import { encodeTestObject } from '../../support/testObjects';
import { listOptions, testStore } from '../../support/testStore';
import { integer, utf8Of } from '../bytes';
import { defineTopic, isColumns, UnknownShape, type Columns } from '../harness';
import { byCall, columns, flag, text } from '../read';
import { kindOf } from '../storeErrors';

const prefix = utf8Of('/pods/');

/** The way that a get goes, as Explain tells it. */
function wayOfGet(resourceVersion: string, isReady: boolean): Way {
  const asked: AskedList = {
    resource: 'pods',
    namespace: 'web',
    labelSelector: '',
    fieldSelector: 'metadata.name=a',
    limit: 0n,
    resourceVersion,
    resourceVersionMatch: '',
    from: { kind: 'beginning' },
    named: true,
    toEnd: false,
    stream: 'auto',
    watch: false,
  };
  const ask = ({ yes, likely }: Question): boolean => (yes.endsWith('is ready') ? isReady : likely);
  return decide(asked, UNKNOWN_SERVER, { step: () => undefined, ask }).way;
}

function helperOf(cache: Columns): DelegationHelper {
  const supportsProgress = () => flag(cache, 'watchProgress');
  return cache['plain'] === true
    ? withoutSnapshots({ supportsProgress })
    : cacheHelper(factsOf(cache, supportsProgress));
}

function factsOf(cache: Columns, supportsProgress: () => boolean): CacheFacts {
  const snapshots = cache['snapshots'];
  if (!Array.isArray(snapshots)) throw new UnknownShape('no snapshots');
  const newest = integer(cache, 'revision');
  return {
    keyPrefix: prefix,
    snapshotting: flag(cache, 'snapshotting'),
    supportsProgress,
    hasSeen: (revision) => revision <= newest,
    hasSnapshotFor: (revision) => snapshots.some((each) => BigInt(Number(each)) <= revision),
  };
}

function optionsOf(options: Columns): ListOptions {
  return listOptions({
    recursive: flag(options, 'recursive'),
    resourceVersion: text(options, 'resourceVersion'),
    resourceVersionMatch: text(options, 'resourceVersionMatch'),
    limit: integer(options, 'limit'),
    continueToken: tokenOf(options['continue']),
  });
}

function tokenOf(given: unknown): string {
  if (given === null) return '';
  if (typeof given === 'string') return given;
  if (!isColumns(given)) throw new UnknownShape('the token is neither text nor decoded');
  return encodeContinue(utf8Of(`/pods/${text(given, 'start')}`), prefix, BigInt(text(given, 'rv')));
}

function shouldDelegate(input: Columns): unknown {
  const helper = helperOf(columns(input, 'cache') ?? {});
  try {
    const { toEtcd, consistentRead } = shouldDelegateList(
      optionsOf(columns(input, 'options') ?? {}),
      helper,
    );
    return { delegate: toEtcd, consistentRead };
  } catch (error) {
    if (error instanceof TokenError || !(error instanceof StoreError)) {
      return { error: (error as Error).message };
    }
    throw error;
  }
}

function notReady(input: Columns): unknown {
  const selector = <S>(column: string, parse: (text: string) => S): S | undefined =>
    input[column] === null ? undefined : parse(text(input, column));
  const predicate = {
    label: selector('labelSelector', parseLabelSelector),
    field: selector('fieldSelector', parseFieldSelector),
    limit: integer(input, 'limit'),
    continueToken: '',
  };
  return { delegate: passesUnready({ predicate }) };
}

/** What a source in the flow fails with. */
function failureNamed(name: unknown): Error | undefined {
  switch (name) {
    case null:
      return undefined;
    case 'TooLargeResourceVersion':
      return tooLargeResourceVersion(120n, 100n);
    case 'Expired':
      return expired(undefined);
    case 'Other':
      return new Error('another failure');
    default:
      throw new UnknownShape(`a failure ${JSON.stringify(name)}`);
  }
}

const errorKind = (error: unknown): string =>
  error instanceof StoreError ? kindOf(error) : 'Other';

async function getList(input: Columns): Promise<unknown> {
  const asked: string[] = [];
  const counted: ConsistentReadOutcome[] = [];
  const source = (name: string, fails: Error | undefined) => () => {
    asked.push(name);
    return fails === undefined ? Promise.resolve(name) : Promise.reject(fails);
  };
  const isReady = flag(input, 'cacheReady');
  const running = serveList({
    delegation: {
      toEtcd: flag(input, 'delegate'),
      consistentRead: flag(input, 'consistentRead'),
    },
    mayPassUnready: flag(input, 'unfilteredWithLimit'),
    gates: {
      listFromCacheSnapshot: flag(input, 'listFromCacheSnapshot'),
      consistentListFromCacheSkipTimeoutFallback: flag(input, 'skipTimeoutFallback'),
    },
    isReady: () => isReady,
    fromCache: source('cache', isReady ? failureNamed(input['cacheError']) : unreadyError(0)),
    fromEtcd: source('storage', failureNamed(input['storageError'])),
    onConsistentRead: (outcome) => counted.push(outcome),
  });
  const failed: unknown = await running.then(
    () => undefined,
    (error: unknown) => error,
  );
  return {
    servedBy: asked.join('Then').replace('Thens', 'ThenS'),
    metric: metricOf(counted),
    ...(failed === undefined ? {} : failureColumns(failed, isReady)),
  };
}

function metricOf(counted: readonly ConsistentReadOutcome[]): unknown {
  if (counted.length > 1) throw new Error('counted more than once');
  const [outcome] = counted;
  return outcome === undefined
    ? null
    : { success: String(outcome.success), fallback: outcome.fallback };
}

/** When to ask again is part of the cases only where the cache is ready. */
function failureColumns(error: unknown, isReady: boolean): Columns {
  const kind = errorKind(error);
  const isLate = isReady && kind === 'TooManyRequests' && error instanceof StoreError;
  return {
    errorKind: kind,
    ...(isLate ? { retryAfterSeconds: error.retryAfterSeconds } : {}),
  };
}

/** Over a real store: one list fills the cache, of whose states the one asked for may be gone. */
async function exactVersionFallback(input: Columns): Promise<unknown> {
  const newest = integer(input, 'cacheRevision');
  const requested = text(input, 'requested');
  const subject = await startSubject(embeddedName);
  const etcd = connect({ endpoints: [subject.endpoint] });
  try {
    for (let at = await subject.writer.revision(); at < newest;) {
      at = await subject.writer.put('/registry/pods/a', encodeTestObject({ name: 'a' }));
    }
    const store = testStore({ etcd });
    let storageLists = 0;
    const fromEtcd = (options: ListOptions) => {
      storageLists++;
      return store.getList(options);
    };
    const filled = await fromEtcd(listOptions());
    const options = listOptions({ resourceVersion: requested, resourceVersionMatch: 'Exact' });
    const facts: CacheFacts = {
      keyPrefix: prefix,
      snapshotting: true,
      supportsProgress: () => true,
      hasSeen: (revision) => revision <= filled.resourceVersion,
      hasSnapshotFor: (revision) =>
        flag(input, 'snapshotFor20') || revision >= filled.resourceVersion,
    };
    const { resourceVersion } = await serveList({
      delegation: shouldDelegateList(options, cacheHelper(facts)),
      mayPassUnready: passesUnready(options),
      gates: { listFromCacheSnapshot: true, consistentListFromCacheSkipTimeoutFallback: false },
      isReady: () => true,
      fromCache: () => Promise.resolve(filled),
      fromEtcd: () => fromEtcd(options),
      onConsistentRead: () => undefined,
    });
    return { storageLists, resourceVersion: String(resourceVersion) };
  } finally {
    etcd.close();
    await subject.stop();
  }
}

const calls = new Map<string, (input: Columns) => unknown>([
  ['shouldDelegate', shouldDelegate],
  ['notReady', notReady],
  ['getList', getList],
  ['exactVersionFallback', exactVersionFallback],
  ['retryAfter', (input) => ({ seconds: unreadyRetrySeconds(Number(input['downtimeSeconds'])) })],
  [
    'computeLimit',
    (input) => ({
      limit: String(cacheLimit(integer(input, 'limit'), text(input, 'resourceVersion'))),
    }),
  ],
  [
    'get',
    (input) => {
      const way = wayOfGet(text(input, 'resourceVersion'), flag(input, 'cacheReady'));
      return { servedBy: way === 'etcdKey' ? 'storage' : way === 'watchCache' ? 'cache' : way };
    },
  ],
]);

export const run = defineTopic({ actual: ({ input }) => byCall(input, calls) });
