/** Replays writes and lists of the vectors against one etcd, and answers in the vectors' columns. */
import { toHex, utf8Lossy } from '../../server/common/bytes';
import { connect } from '../../server/etcd/connect';
import type { EtcdReader } from '../../server/etcd/interfaces';
import { rangeRequest } from '../../server/etcd/rpc/kvCodecs';
import { encodeContinue } from '../../server/store/continueToken';
import type { ItemContext, ListHooks, ListItem, ListOptions } from '../../server/store/interfaces';
import { ListFailedError } from '../../server/store/interfaces';
import { overriding } from '../support/readerOverride';
import {
  startRecordingProxy,
  type RecordedCall,
  type RecordingProxy,
} from '../support/recordingProxy';
import { startSubject, type StoreSubject } from '../support/storeSubjects';
import { encodeTestObject, testDecoder, type TestObject } from '../support/testObjects';
import { listOptions, testStore } from '../support/testStore';
import { utf8Of } from './bytes';
import { UnknownShape, type Columns } from './harness';
import { columns, has, list, text, textMap } from './read';
import { asStoreError, kindOf, tokenContent } from './storeErrors';

const root = '/registry';

/** A subject with a recorder in front of it, so that requests are seen as they go over the wire. */
export interface ReplayRig {
  readonly subject: StoreSubject;
  readonly proxy: RecordingProxy;
  readonly reader: EtcdReader;
}

export async function openRig(name: string): Promise<ReplayRig> {
  const subject = await startSubject(name);
  const proxy = await startRecordingProxy(subject.endpoint);
  return { subject, proxy, reader: connect({ endpoints: [proxy.endpoint] }) };
}

export async function closeRig({ subject, proxy, reader }: ReplayRig): Promise<void> {
  reader.close();
  await proxy.close();
  await subject.stop();
}

/** A list that ended, as the vectors describe it; `undefined` where nothing is said. */
export interface ListAnswer extends Record<string, unknown> {
  readonly requests: readonly Columns[];
}

interface SavedList {
  readonly revision: bigint;
  readonly token: string;
}

/** One starting state and what was written and listed since. */
export class Replay {
  private readonly versions = new Map<string, bigint>();
  private readonly saved = new Map<string, SavedList>();
  private writes = 0;
  private counter = 0;

  private constructor(
    private readonly rig: ReplayRig,
    private readonly resourcePrefix: string,
  ) {}

  /** Empties the subject and applies the writes. Revisions go on; the vectors name them by symbols. */
  static async start(rig: ReplayRig, writes: readonly Columns[], resourcePrefix = '/pods/') {
    const replay = new Replay(rig, resourcePrefix);
    await rig.subject.writer.deletePrefix('/');
    replay.versions.set('$initial', await rig.subject.writer.revision());
    for (const write of writes) await replay.write(write);
    return replay;
  }

  async write(write: Columns): Promise<void> {
    const { writer } = this.rig.subject;
    switch (text(write, 'op')) {
      case 'create':
      case 'update':
        this.written(await writer.put(root + text(write, 'key'), objectOf(write)));
        return;
      case 'delete':
        this.written(await writer.delete(root + text(write, 'key')));
        return;
      case 'bump':
        this.written(await writer.put('/unrelated', utf8Of('bump')));
        return;
      case 'compact':
        return writer.compact(BigInt(this.resolve(text(write, 'rv'))));
      default:
        throw new UnknownShape(`unknown write ${JSON.stringify(write)}`);
    }
  }

  private written(revision: bigint): void {
    this.writes++;
    this.versions.set(`$w${this.writes}`, revision);
  }

  /** A symbol's revision as decimal text; other text is itself. */
  resolve(symbol: string): string {
    return String(this.versions.get(symbol) ?? symbol);
  }

  /** Runs one list and answers in the columns of `expect`. `step` may save it and write meanwhile. */
  async list(options: Columns, step: Columns = {}): Promise<ListAnswer> {
    const { reader, proxy, subject } = this.rig;
    const current = await subject.writer.revision();
    this.versions.set('$current', current);
    this.versions.set('$future', current + 1n);
    const pending: (() => Promise<void>)[] = [];
    const decoder = testDecoder({ onDecode: this.creator(step, pending) });
    const flushed = flushingReader(reader, pending);
    const store = testStore({ etcd: flushed, decoder, root, resourcePrefix: this.resourcePrefix });
    const wanted = this.options(options);
    proxy.clear();
    const operations: string[] = [];
    const onRequest: ListHooks<TestObject>['onRequest'] = ({ operation }, state) => {
      if (state === 'started') operations.push(operation);
    };
    const answer = await this.outcome(store.getList(wanted, { onRequest }), step);
    const requests = proxy.calls
      .map((call) => requestColumns(call, wanted))
      .filter((_, i) => operations[i] !== 'getCurrentResourceVersion');
    if (proxy.calls.length !== operations.length) throw new Error('requests beside the receipt');
    for (const write of pending) await write();
    return { ...answer, requests };
  }

  private async outcome(
    running: ReturnType<ReturnType<typeof testStore>['getList']>,
    step: Columns,
  ): Promise<Columns> {
    const name = has(step, 'as') ? text(step, 'as') : '';
    try {
      const result = await running;
      this.save(name, result.resourceVersion, result.continueToken);
      return {
        items: result.items.map(itemKey),
        itemVersions: result.items.map((item) => String(item.modRevision)),
        resourceVersion: String(result.resourceVersion),
        continue: result.continueToken === '' ? null : tokenContent(result.continueToken),
        remaining: result.remainingItemCount === null ? null : Number(result.remainingItemCount),
        evaluated: result.receipt.total.evaluated,
      };
    } catch (error) {
      if (!(error instanceof ListFailedError)) throw error;
      const failure = asStoreError(error);
      this.save(name, 0n, failure.continueToken ?? '');
      const token = failure.continueToken;
      const offered = token === undefined ? {} : { continue: tokenContent(token) };
      return { error: { kind: kindOf(failure), message: failure.message, ...offered } };
    }
  }

  private save(name: string, revision: bigint, token: string): void {
    if (name === '') return;
    this.saved.set(name, { revision, token });
    this.versions.set(`$${name}`, revision);
  }

  private options(options: Columns): ListOptions {
    const optional = (column: string): string =>
      has(options, column) ? text(options, column) : '';
    const limit = options['limit'] ?? 0;
    if (typeof limit !== 'number') throw new UnknownShape('options.limit is not a number');
    return listOptions({
      key: text(options, 'key'),
      recursive: options['recursive'] !== false,
      resourceVersion: this.resolve(optional('resourceVersion')),
      resourceVersionMatch: optional('resourceVersionMatch'),
      limit: BigInt(limit),
      labelSelector: optional('labelSelector'),
      fieldSelector: optional('fieldSelector'),
      continueToken: this.token(options),
    });
  }

  private token(options: Columns): string {
    for (const column of ['continueFrom', 'continueFromError']) {
      if (!has(options, column)) continue;
      const saved = this.saved.get(text(options, column));
      if (saved === undefined) throw new UnknownShape(`no list called ${text(options, column)}`);
      return saved.token;
    }
    const token = columns(options, 'continue');
    if (token === null) return '';
    if (has(token, 'raw')) return text(token, 'raw');
    const rv = this.resolve(text(token, 'rv'));
    if (has(token, 'v')) {
      const json = `{"v":${JSON.stringify(token['v'])},"rv":${rv},"start":${JSON.stringify(token['start'])}}`;
      return Buffer.from(json).toString('base64url');
    }
    return encodeContinue(utf8Of(`/${text(token, 'start')}`), utf8Of('/'), BigInt(rv));
  }

  /** Queues one more object for each decode; the queue is written before etcd is asked again. */
  private creator(step: Columns, pending: (() => Promise<void>)[]): (item: ItemContext) => void {
    if (!has(step, 'onEveryDecode')) return () => undefined;
    if (typeof step['startCounterAt'] === 'number') this.counter = step['startCounterAt'];
    const create = columns(columns(step, 'onEveryDecode') ?? {}, 'create') ?? {};
    return () => {
      const i = ++this.counter;
      const labels = [...(textMap(create, 'labels') ?? [])].map(([name, value]) => [
        name,
        value === 'evenFlag' ? String(i % 2 === 0) : value,
      ]);
      const filled = (column: string): string => text(create, column).replaceAll('{i}', String(i));
      const object = {
        op: 'create',
        key: filled('key'),
        name: filled('name'),
        labels: Object.fromEntries(labels) as Columns,
      };
      pending.push(() => this.write(object));
    };
  }

  /** `actual` with revisions named as `expected` names them, where they are the same. */
  named(actual: unknown, expected: unknown): unknown {
    if (typeof expected === 'string' && expected.startsWith('$')) {
      // Some inputs write the version of an empty etcd as a number, which here is not $initial.
      const isEmptyStore = expected === '$initial' && actual === '1';
      return actual === this.resolve(expected) || isEmptyStore ? expected : actual;
    }
    if (Array.isArray(expected) && Array.isArray(actual)) {
      return actual.map((item, i) => this.named(item, expected[i]));
    }
    if (typeof expected !== 'object' || expected === null) return actual;
    if (typeof actual !== 'object' || actual === null) return actual;
    const wanted = expected as Columns;
    return Object.fromEntries(
      Object.entries(actual).map(([name, value]) => [name, this.named(value, wanted[name])]),
    );
  }
}

function objectOf(write: Columns): Uint8Array {
  const labels = textMap(write, 'labels');
  const fields = textMap(write, 'fields');
  return encodeTestObject({
    name: text(write, 'name'),
    ...(has(write, 'namespace') ? { namespace: text(write, 'namespace') } : {}),
    ...(labels === null ? {} : { labels }),
    ...(fields === null ? {} : { fields }),
  });
}

const itemKey = (item: ListItem<TestObject>): string => utf8Lossy(item.key).slice(root.length);

/** Writes what decoding asked for before the next read, which is when a server could notice. */
function flushingReader(reader: EtcdReader, pending: (() => Promise<void>)[]): EtcdReader {
  return overriding(reader, {
    range: async (request, options) => {
      for (const write of pending.splice(0)) await write();
      return reader.range(request, options);
    },
  });
}

/** A range read as the vectors write it. Its end is checked here, since they leave it out. */
function requestColumns(call: RecordedCall, options: ListOptions): Columns {
  if (call.method !== 'Range') throw new Error(`unexpected call ${call.method}`);
  const request = rangeRequest.decode(call.requests[0] ?? new Uint8Array(0));
  const start = utf8Lossy(request.key);
  const row = { start, limit: Number(request.limit), rev: String(request.revision) };
  if (request.rangeEnd.length === 0) return { ...row, single: true };
  const key = options.key.endsWith('/') ? options.key : `${options.key}/`;
  const end = `${root}${key}`.replace(/\/$/, '0');
  if (toHex(request.rangeEnd) !== toHex(utf8Of(end))) {
    throw new Error(`range ends at ${utf8Lossy(request.rangeEnd)}, not at ${end}`);
  }
  return row;
}

export const stepsOf = (input: Columns): Columns[] => list(input, 'steps');
