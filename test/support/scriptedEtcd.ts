/**
 * A reader that answers from a script, for what no real etcd can be made to send: malformed streams,
 * headers of a chosen revision, errors at a chosen message.
 */
import { EtcdError, type EtcdErrorCode } from '../../server/etcd/errors';
import type { EtcdReader, KeyValue, RangeStreamChunk } from '../../server/etcd/interfaces';
import { encodeTestObject } from './testObjects';

const endpoint = 'script:1';

/** etcd's own texts. */
const texts: Partial<Record<EtcdErrorCode, string>> = {
  unimplemented: 'unknown method RangeStream for service etcdserverpb.KV',
  compacted: 'etcdserver: mvcc: required revision has been compacted',
  futureRevision: 'etcdserver: mvcc: required revision is a future revision',
  unavailable: 'etcdserver: leader changed',
};

export function scriptedError(
  code: EtcdErrorCode,
  message = texts[code] ?? code,
  grpcCode?: number,
): EtcdError {
  return new EtcdError({ code, message, endpoint, ...(grpcCode !== undefined && { grpcCode }) });
}

export function scriptedValue(key: string, labels: ReadonlyMap<string, string>): KeyValue {
  const name = key.slice(key.lastIndexOf('/') + 1);
  return {
    key: new TextEncoder().encode(key),
    value: encodeTestObject({ name, labels }),
    createRevision: 1n,
    modRevision: 1n,
    version: 1n,
    lease: 0n,
  };
}

export type ScriptStep = Omit<RangeStreamChunk, 'bytes' | 'endpoint'> | EtcdError;

export interface ScriptedEtcd {
  readonly reader: EtcdReader;
  readonly streamsOpened: () => number;
}

const refuse = (what: string) => () => {
  throw new Error(`${what} is not scripted`);
};

export interface Script {
  /** Steps of the n-th stream; the last entry serves all later ones. */
  readonly streams?: readonly (readonly ScriptStep[])[];
  readonly range?: EtcdReader['range'];
  readonly watch?: EtcdReader['watch'];
}

export function scriptedEtcd({ streams = [], range, watch }: Script): ScriptedEtcd {
  let opened = 0;
  async function* play(steps: readonly ScriptStep[]): AsyncGenerator<RangeStreamChunk> {
    for (const step of steps) {
      await Promise.resolve();
      if (step instanceof EtcdError) throw step;
      yield { ...step, bytes: 0, endpoint };
    }
  }
  const reader: EtcdReader = {
    endpoints: [endpoint],
    currentEndpoint: endpoint,
    serializable: false,
    byteBudget: -1,
    range: range ?? refuse('range'),
    rangeStream: () => play(streams[Math.min(opened++, streams.length - 1)] ?? []),
    watch: watch ?? refuse('watch'),
    status: refuse('status'),
    members: refuse('members'),
    close: () => undefined,
  };
  return { reader, streamsOpened: () => opened };
}
