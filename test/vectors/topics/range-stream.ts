import { prefixEnd, utf8Lossy } from '../../../server/common/bytes';
import { startDemoEtcd } from '../../../server/demo/demoEtcd';
import { connect } from '../../../server/etcd/connect';
import { EtcdError, type EtcdErrorCode } from '../../../server/etcd/errors';
import type { RangeReply } from '../../../server/etcd/interfaces';
import { parseFieldSelector, parseLabelSelector } from '../../../server/kube/selectors';
import { shouldStream } from '../../../server/store/chooseChunks';
import { encodeContinue } from '../../../server/store/continueToken';
import { StoreError } from '../../../server/store/errors';
import { ListFailedError, type Receipt } from '../../../server/store/interfaces';
import { isUnfiltered } from '../../../server/store/predicate';
import { overriding } from '../../support/readerOverride';
import {
  scriptedError,
  scriptedEtcd,
  scriptedValue,
  type Script,
  type ScriptStep,
} from '../../support/scriptedEtcd';
import { listOptions, testStore, type ListInput } from '../../support/testStore';
import { integer, utf8Of } from '../bytes';
import { defineTopic, UnknownShape, type Columns } from '../harness';
import { byCall, flag, has, list, text, texts } from '../read';
import { asStoreError, kindOf, tokenContent } from '../storeErrors';

const prefix = '/registry/pods/';

function question(input: Columns) {
  const filtered = has(input, 'filtered')
    ? flag(input, 'filtered')
    : !isUnfiltered({
        label: parseLabelSelector(text(input, 'labelSelector')),
        field: parseFieldSelector(text(input, 'fieldSelector')),
      });
  return { recursive: flag(input, 'recursive'), limit: integer(input, 'limit'), filtered };
}

function decide(input: Columns): unknown {
  const support = { supports: () => flag(input, 'supported') };
  const gate = flag(input, 'featureEnabled');
  return { stream: shouldStream(question(input), 'auto', gate, support) };
}

/** The request that the engine really makes, taken where it hands it to the transport. */
async function request(input: Columns): Promise<unknown> {
  const keyPrefix = text(input, 'keyPrefix');
  const seen: unknown[] = [];
  const end = { kvs: [], revision: 9n, count: 0n, more: false };
  const { reader } = scriptedEtcd({ streams: [[end]] });
  const watched = overriding(reader, {
    rangeStream: (wanted, options) => {
      seen.push({
        start: utf8Lossy(wanted.key),
        end: utf8Lossy(wanted.rangeEnd ?? new Uint8Array(0)),
        revision: wanted.revision === undefined ? null : String(wanted.revision),
        limit: wanted.limit === undefined ? null : Number(wanted.limit),
      });
      return reader.rangeStream(wanted, options);
    },
  });
  const resourcePrefix = keyPrefix.slice('/registry'.length);
  const store = testStore({ etcd: watched, stream: true, resourcePrefix });
  await store
    .getList({ ...listOptions(position(input, keyPrefix)), key: resourcePrefix })
    .catch((error: unknown) => asStoreError(error));
  return seen[0];
}

/** Options that make the engine read at this revision and key. */
function position(input: Columns, keyPrefix: string): ListInput {
  const revision = integer(input, 'withRev');
  const limit = integer(input, 'limit');
  if (input['continueKey'] !== null) {
    const key = utf8Of(text(input, 'continueKey'));
    const rv = revision === 0n ? -1n : revision;
    return { limit, continueToken: encodeContinue(key, utf8Of(keyPrefix), rv) };
  }
  if (revision === 0n) return { limit };
  return { limit, resourceVersion: String(revision), resourceVersionMatch: 'Exact' };
}

async function serverChunks(input: Columns): Promise<unknown> {
  const demo = await startDemoEtcd();
  const reader = connect({ endpoints: [demo.endpoint] });
  try {
    const count = Number(integer(input, 'objects'));
    for (let i = 0; i < count; i++) {
      demo.store.put(utf8Of(`${prefix}ns/pod-${String(i).padStart(4, '0')}`), utf8Of('small'));
    }
    const key = utf8Of(prefix);
    const limit = integer(input, 'limit');
    const messages: unknown[] = [];
    for await (const chunk of reader.rangeStream({ key, rangeEnd: prefixEnd(key), limit })) {
      messages.push({
        returned: chunk.kvs.length,
        header: chunk.revision !== undefined,
        more: chunk.more,
        count: Number(chunk.count),
      });
    }
    return { messages };
  } finally {
    reader.close();
    await demo.stop();
  }
}

const codes: Readonly<Record<string, EtcdErrorCode>> = {
  Unimplemented: 'unimplemented',
  Compacted: 'compacted',
  FutureRev: 'futureRevision',
  Unavailable: 'unavailable',
};

function failure(name: string) {
  const code = codes[name];
  if (code === undefined) throw new UnknownShape(`unknown error ${name}`);
  return scriptedError(code);
}

function step(message: Columns, selected: ReadonlySet<string> | undefined): ScriptStep {
  if (has(message, 'error')) return failure(text(message, 'error'));
  const revision = message['revision'] === null ? {} : { revision: integer(message, 'revision') };
  const kvs = (texts(message, 'keys') ?? []).map((name) => {
    const chosen = selected?.has(name) ?? true;
    return scriptedValue(prefix + name, new Map(chosen ? [['chosen', 'yes']] : []));
  });
  return { kvs, ...revision, count: integer(message, 'count'), more: flag(message, 'more') };
}

const pageReply = (revision: bigint): RangeReply => ({
  kvs: [],
  count: 0n,
  more: false,
  revision,
  bytes: 0,
  endpoint: 'script:1',
});

function script(input: Columns, selected: ReadonlySet<string> | undefined): Script {
  const { openError } = input;
  const steps = list(input, 'messages').map((message) => step(message, selected));
  const opening = typeof openError === 'string' ? [failure(openError)] : steps;
  const current = input['currentRevision'];
  return {
    streams: [opening],
    range: () =>
      typeof current === 'string'
        ? Promise.resolve(pageReply(BigInt(current)))
        : Promise.reject(scriptedError('unavailable')),
  };
}

/** Options for the case. A pinned read has no minimum: the engine's options cannot say both. */
function listInput(input: Columns): ListInput {
  const at = position(input, prefix);
  const minimum = text(input, 'minVersion');
  const checked = minimum !== '' && integer(input, 'withRev') === 0n;
  const version = checked ? { resourceVersion: minimum, resourceVersionMatch: 'NotOlderThan' } : {};
  const labelSelector = input['selected'] === null ? '' : 'chosen=yes';
  return { ...at, ...version, labelSelector };
}

/** Messages that the list took, a failed one included; one looked at ahead does not count. */
function readMessages({ requests }: Receipt, failure: unknown): number {
  const cause = failure instanceof StoreError ? failure.cause : undefined;
  return (requests[0]?.chunks ?? 0) + (cause instanceof EtcdError ? 1 : 0);
}

async function streamed(input: Columns, expect: Columns): Promise<unknown> {
  const selected = texts(input, 'selected');
  const etcd = scriptedEtcd(script(input, selected === null ? undefined : new Set(selected)));
  const store = testStore({ etcd: etcd.reader, stream: true });
  const fallbacks: string[] = [];
  const onFallback = (reason: string): void => {
    fallbacks.push(reason);
  };
  const counted = (receipt: Receipt, failure?: unknown): Columns =>
    'readMessages' in expect ? { readMessages: readMessages(receipt, failure) } : {};
  try {
    const result = await store.getList(listOptions(listInput(input)), { onFallback });
    if (fallbacks.length > 0) return { fallback: true };
    const { continueToken: token, remainingItemCount: remaining } = result;
    return {
      fallback: false,
      items: result.items.map((item) => utf8Lossy(item.key).slice('/registry'.length)),
      resourceVersion: String(result.resourceVersion),
      continueStart: token === '' ? null : tokenContent(token).start,
      remaining: remaining === null ? null : Number(remaining),
      ...counted(result.receipt),
    };
  } catch (error) {
    if (!(error instanceof ListFailedError)) throw error;
    return {
      fallback: false,
      error: errorColumns(error.cause),
      ...counted(error.receipt, error.cause),
    };
  }
}

function errorColumns(error: StoreError): Columns {
  if (error.code === 'etcd') {
    const named = Object.entries(codes).find(
      ([, code]) => scriptedError(code).message === error.message,
    );
    return { kind: kindOf(error), etcdError: named?.[0] };
  }
  const { continueToken: token, message } = error;
  const offered = token === undefined ? {} : { continue: tokenContent(token) };
  return { kind: kindOf(error), message, ...offered };
}

async function fallback(input: Columns): Promise<unknown> {
  let now = 0;
  let pagedLists = 0;
  const ok = { kvs: [], revision: 9n, count: 0n, more: false };
  const streams = (texts(input, 'streamAttempts') ?? []).map((outcome) =>
    outcome === 'ok' ? [ok] : [failure(outcome)],
  );
  const range = (): Promise<RangeReply> => {
    pagedLists++;
    return Promise.resolve(pageReply(9n));
  };
  const etcd = scriptedEtcd({ streams, range });
  const clock = { now: () => now, monotonic: () => now };
  const store = testStore({ etcd: etcd.reader, stream: true, clock });
  const lists: unknown[] = [];
  for (const one of list(input, 'lists')) {
    if (has(one, 'advanceSeconds')) now += Number(integer(one, 'advanceSeconds')) * 1000;
    const result = await store.getList(
      listOptions({
        recursive: one['recursive'] !== false,
        limit: has(one, 'limit') ? integer(one, 'limit') : 0n,
        labelSelector: one['filtered'] === true ? 'chosen=yes' : '',
      }),
    );
    lists.push({
      servedBy: result.receipt.total.streamed ? 'stream' : 'paged',
      streamsOpenedSoFar: etcd.streamsOpened(),
      supportedAfter: store.features.supports('RangeStream'),
    });
  }
  return { lists, pagedLists };
}

const calls = new Map<string, (input: Columns) => unknown>([
  ['shouldStream', decide],
  ['request', request],
  ['serverChunks', serverChunks],
  ['fallback', fallback],
]);

export const run = defineTopic({
  actual: ({ input, expect }) =>
    input['call'] === 'list' ? streamed(input, expect) : byCall(input, calls),
});
