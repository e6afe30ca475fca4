import { Etcd3 } from 'etcd3';
import type { IOptions, IRequestOp } from 'etcd3';
import { prefixEnd } from '../../server/common/bytes';

/** Text stands for its UTF-8 bytes. */
export type Bytes = string | Uint8Array;

export interface WriterOptions {
  /** `http(s)://host:port`. */
  readonly endpoint: string;
  readonly tls?: { readonly ca: Buffer; readonly cert?: Buffer; readonly key?: Buffer };
  readonly auth?: { readonly username: string; readonly password: string };
}

export interface BulkOptions {
  /** Puts per transaction; 100 when absent (etcd's own limit is 128). */
  readonly putsPerTxn?: number;
  /** Transactions in flight; 8 when absent. With 1, revisions follow the order given. */
  readonly concurrency?: number;
}

/** Below etcd's request limit of 1.5 MiB. */
const txnBytes = 1024 * 1024;

function buffer(bytes: Bytes): Buffer {
  if (typeof bytes === 'string') return Buffer.from(bytes);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Cuts a sequence of puts into transactions that etcd accepts. */
function* transactions(
  entries: Iterable<readonly [Bytes, Bytes]>,
  putsPerTxn: number,
): Generator<IRequestOp[]> {
  let puts: IRequestOp[] = [];
  let size = 0;
  for (const [key, value] of entries) {
    const put = { key: buffer(key), value: buffer(value) };
    const length = put.key.length + put.value.length;
    if (puts.length > 0 && (puts.length === putsPerTxn || size + length > txnBytes)) {
      yield puts;
      puts = [];
      size = 0;
    }
    puts.push({ request_put: put });
    size += length;
  }
  if (puts.length > 0) yield puts;
}

/** Writes to an etcd of the tests. The product itself has no such thing. */
export class EtcdWriter {
  private readonly client: Etcd3;

  constructor({ endpoint, tls, auth }: WriterOptions) {
    const options: IOptions = { hosts: endpoint };
    if (tls) {
      options.credentials = {
        rootCertificate: tls.ca,
        ...(tls.cert && { certChain: tls.cert }),
        ...(tls.key && { privateKey: tls.key }),
      };
    }
    if (auth) options.auth = auth;
    this.client = new Etcd3(options);
  }

  /** Every method that writes returns the revision it made. */
  async put(key: Bytes, value: Bytes): Promise<bigint> {
    const { header } = await this.client.kv.put({ key: buffer(key), value: buffer(value) });
    return BigInt(header.revision);
  }

  async delete(key: Bytes): Promise<bigint> {
    const { header } = await this.client.kv.deleteRange({ key: buffer(key) });
    return BigInt(header.revision);
  }

  async deletePrefix(prefix: Bytes): Promise<bigint> {
    const key = buffer(prefix);
    const { header } = await this.client.kv.deleteRange({ key, range_end: buffer(prefixEnd(key)) });
    return BigInt(header.revision);
  }

  /** All puts in one transaction, hence at one revision; at most 128, all keys different. */
  async txn(entries: Iterable<readonly [Bytes, Bytes]>): Promise<bigint> {
    const success = Array.from(entries, ([key, value]) => ({
      request_put: { key: buffer(key), value: buffer(value) },
    }));
    return this.commit(success);
  }

  /** Puts any number of different keys, in transactions; returns the highest revision made. */
  async bulkLoad(
    entries: Iterable<readonly [Bytes, Bytes]>,
    { putsPerTxn = 100, concurrency = 8 }: BulkOptions = {},
  ): Promise<bigint> {
    const queue = transactions(entries, putsPerTxn);
    const work = async (): Promise<bigint> => {
      let highest = 0n;
      for (const puts of queue) highest = await this.commit(puts);
      return highest;
    };
    const revisions = await Promise.all(Array.from({ length: concurrency }, work));
    return revisions.reduce((a, b) => (a > b ? a : b));
  }

  /** Drops history below `revision`; the answer waits until etcd has really done it. */
  async compact(revision: bigint): Promise<void> {
    await this.client.kv.compact({ revision: revision.toString(), physical: true });
  }

  /** The store's latest revision. */
  async revision(): Promise<bigint> {
    const { header } = await this.client.kv.range({ key: Buffer.of(0), count_only: true });
    return BigInt(header.revision);
  }

  /** Adds `root` with this password and turns authentication on. */
  async enableAuth(rootPassword: string): Promise<void> {
    const { auth } = this.client;
    await auth.roleAdd({ name: 'root' });
    await this.addUser('root', rootPassword, ['root']);
    await auth.authEnable();
  }

  async addUser(name: string, password: string, roles: readonly string[] = []): Promise<void> {
    await this.client.auth.userAdd({ name, password });
    for (const role of roles) await this.client.auth.userGrantRole({ user: name, role });
  }

  /** A role that may read the keys below one prefix. */
  async addReadRole(name: string, prefix: Bytes): Promise<void> {
    const key = buffer(prefix);
    await this.client.auth.roleAdd({ name });
    await this.client.auth.roleGrantPermission({
      name,
      perm: { permType: 'Read', key, range_end: buffer(prefixEnd(key)) },
    });
  }

  async changePassword(name: string, password: string): Promise<void> {
    await this.client.auth.userChangePassword({ name, password });
  }

  close(): void {
    this.client.close();
  }

  private async commit(success: IRequestOp[]): Promise<bigint> {
    const { header } = await this.client.kv.txn({ success });
    return BigInt(header.revision);
  }
}
