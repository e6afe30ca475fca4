/** The etcds that the engine's tests run over: the embedded one and real ones. */
import { startDemoEtcd } from '../../server/demo/demoEtcd';
import { prefixEnd, utf8 } from '../../server/common/bytes';
import { etcdBinary, etcdVersions, startEtcd, type EtcdVersion } from './etcdServer';

/** Writes to an etcd that a test owns. Keys are text or bytes. */
export interface SubjectWriter {
  put(key: string | Uint8Array, value: Uint8Array): Promise<bigint>;
  delete(key: string | Uint8Array): Promise<bigint>;
  deletePrefix(prefix: string): Promise<bigint>;
  /** Each entry at a revision of its own or many at one: no promise is made. */
  bulkLoad(entries: readonly (readonly [string, Uint8Array])[]): Promise<bigint>;
  compact(revision: bigint): Promise<void>;
  revision(): Promise<bigint>;
}

export interface StoreSubject {
  readonly name: string;
  readonly endpoint: string;
  readonly hasRangeStream: boolean;
  readonly writer: SubjectWriter;
  stop(): Promise<void>;
}

export const embeddedName = 'embedded';

/** Names of the subjects this machine can run; a missing real etcd is named where binaries are looked for. */
export function subjectNames(): string[] {
  const real = etcdVersions.filter((version) => etcdBinary(version) !== undefined);
  return [embeddedName, ...real.map((version) => `etcd ${version}`)];
}

/** Whether a subject has the RangeStream RPC, known before it starts. */
export const canStream = (name: string): boolean => name === embeddedName || name === 'etcd 3.7';

async function startEmbedded(): Promise<StoreSubject> {
  const demo = await startDemoEtcd();
  const { store } = demo;
  const bytes = (key: string | Uint8Array): Uint8Array =>
    typeof key === 'string' ? utf8(key) : key;
  return {
    name: embeddedName,
    endpoint: demo.endpoint,
    hasRangeStream: canStream(embeddedName),
    writer: embeddedWriter(store, bytes),
    stop: () => demo.stop(),
  };
}

function embeddedWriter(
  store: Awaited<ReturnType<typeof startDemoEtcd>>['store'],
  bytes: (key: string | Uint8Array) => Uint8Array,
): SubjectWriter {
  const now = <T>(work: () => T): Promise<T> => Promise.resolve().then(work);
  return {
    put: (key, value) => now(() => store.put(bytes(key), value)),
    delete: (key) =>
      now(() => {
        store.delete(bytes(key));
        return store.revision;
      }),
    deletePrefix: (prefix) =>
      now(() => {
        store.delete(bytes(prefix), prefixEnd(bytes(prefix)));
        return store.revision;
      }),
    bulkLoad: (entries) =>
      now(() => {
        store.bulkLoad(entries.map(([key, value]) => ({ key: bytes(key), value })));
        return store.revision;
      }),
    compact: (revision) =>
      now(() => {
        store.compact(revision);
      }),
    revision: () => now(() => store.revision),
  };
}

async function startReal(version: EtcdVersion): Promise<StoreSubject> {
  const etcd = await startEtcd(version);
  const { writer } = etcd;
  return {
    name: `etcd ${version}`,
    endpoint: etcd.endpoint,
    hasRangeStream: canStream(`etcd ${version}`),
    writer: {
      put: (key, value) => writer.put(key, value),
      delete: (key) => writer.delete(key),
      deletePrefix: (prefix) => writer.deletePrefix(prefix),
      bulkLoad: async (entries) => {
        await writer.bulkLoad(entries);
        return writer.revision();
      },
      compact: (revision) => writer.compact(revision),
      revision: () => writer.revision(),
    },
    stop: () => etcd.stop(),
  };
}

export function startSubject(name: string): Promise<StoreSubject> {
  if (name === embeddedName) return startEmbedded();
  const version = etcdVersions.find((candidate) => name === `etcd ${candidate}`);
  if (version === undefined) throw new Error(`no such subject: ${name}`);
  return startReal(version);
}
