import { startEtcd, type EtcdVersion, type RunningEtcd } from '../support/etcdServer';
import { Engine } from './engine';
import { Oracle } from './oracle';

/** Both sides on one etcd. */
export class Court {
  private constructor(
    readonly etcd: RunningEtcd,
    readonly oracle: Oracle,
    readonly engine: Engine,
  ) {}

  static async open(version: EtcdVersion, quotaBytes = 8 * 1024 ** 3): Promise<Court> {
    const etcd = await startEtcd(version, { quotaBytes });
    const oracle = await Oracle.start(etcd.endpoint);
    return new Court(etcd, oracle, await Engine.start(etcd.endpoint));
  }

  async close(): Promise<void> {
    await this.engine.stop();
    await this.oracle.stop();
    await this.etcd.stop();
  }
}
