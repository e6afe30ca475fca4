/** The reads that fill an index, as they go over the wire to the embedded etcd. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../server/common/clock';
import { silentLog } from '../../server/common/log';
import { startDemoEtcd, type DemoEtcd } from '../../server/demo/demoEtcd';
import { seedCluster, type SeedSummary } from '../../server/demo/seed';
import { connect } from '../../server/etcd/connect';
import { createFeatureChecker } from '../../server/etcd/features';
import { ConnectionHolder } from '../../server/features/connectionHolder';
import { OpenConnection } from '../../server/features/openConnection';
import { ServerSettings } from '../../server/features/settings';
import { LabelStore } from '../../server/features/stored/labelStore';
import { parseLabelSelector } from '../../server/kube/selectors';
import type { LabelIndex } from '../../server/language/index/labelIndex';
import { createStoreMetrics } from '../../server/metrics/storeMetrics';
import { decodeRange } from '../support/rangeRequest';
import { notReadOnly } from '../support/readOnly';
import { startRecordingProxy, type RecordingProxy } from '../support/recordingProxy';

const never = new AbortController().signal;

describe('labels that are stored', () => {
  let etcd: DemoEtcd;
  let seeded: SeedSummary;
  let proxy: RecordingProxy;
  const holder = new ConnectionHolder(() => undefined);
  const settings = new ServerSettings(() => undefined);
  const store = new LabelStore({
    holder,
    settings,
    clock: systemClock,
    log: silentLog,
    metrics: createStoreMetrics(),
  });

  const open = (_: AbortSignal, onChange: () => void): Promise<OpenConnection> =>
    Promise.resolve(
      new OpenConnection({
        name: 'x',
        reader: connect({ endpoints: [proxy.endpoint] }),
        root: '/registry',
        access: { endpoints: [proxy.endpoint] },
        isDemo: false,
        features: createFeatureChecker(systemClock),
        clock: systemClock,
        onChange,
      }),
    );
  const connectAnew = async (): Promise<void> => {
    await holder.replace('x', open, never);
    proxy.clear();
  };

  beforeAll(async () => {
    etcd = await startDemoEtcd();
    seeded = await seedCluster(etcd.store, { pods: 6000 });
    proxy = await startRecordingProxy(etcd.endpoint);
    holder.trust();
    await connectAnew();
  });

  afterAll(async () => {
    holder.end();
    expect(notReadOnly(proxy.everPaths)).toEqual([]);
    await proxy.close();
    await etcd.stop();
  });

  const ranges = () => proxy.calls.map(({ requests }) => decodeRange(requests[0]!));
  const count = (index: LabelIndex | undefined, text: string) =>
    index?.matching([{ label: parseLabelSelector(text), field: undefined }]);

  it('are sampled by a few small reads of many objects', async () => {
    const index = await store.whenReady('pods', undefined, never, 60_000);
    expect(index?.coverage).toEqual({ objects: 500, total: 6000, unreadable: 0, places: 9 });
    expect(index?.labelKeys.all).toContain('app.kubernetes.io/name');
    expect(index?.fieldValues('metadata.namespace')?.size).toBeGreaterThan(5);
    expect(new Set(proxy.methods())).toEqual(new Set(['Range']));
    const all = ranges();
    expect(all.length).toBeLessThanOrEqual(10);
    expect(all.every(({ limit }) => limit > 0n)).toBe(true);
    expect(all.filter(({ keysOnly }) => !keysOnly).every(({ limit }) => limit <= 500n)).toBe(true);
    expect(store.examined).toBe(500 + seeded.namespaces.length);
  });

  it('are all read where the settings say so, and counted as they were seeded', async () => {
    settings.take({ completion: { exactUpTo: 6000, maxAgeSeconds: 5 } });
    await connectAnew();
    const index = await store.whenReady('pods', undefined, never, 60_000);
    expect(index?.isExact).toBe(true);
    expect(index?.coverage.objects).toBe(6000);
    expect(seeded.selectors.length).toBeGreaterThan(2);
    for (const { selector, matches } of seeded.selectors) {
      expect(`${selector}: ${count(index, selector) ?? -1}`).toBe(`${selector}: ${matches}`);
    }
    expect(store.examined).toBe(6000);
  });

  it('of Secrets are their labels and types, nothing of what they hold', async () => {
    const index = await store.whenReady('secrets', undefined, never, 60_000);
    expect(index?.isExact).toBe(true);
    expect(index?.fieldNames.all).toEqual(['metadata.name', 'metadata.namespace', 'type']);
  });
});
