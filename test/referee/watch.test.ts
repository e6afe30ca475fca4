/** What a feed asks of etcd, beside what upstream's watch cache asks to fill itself and to follow. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { connect } from '../../server/etcd/connect';
import { watchRequest } from '../../server/etcd/rpc/serviceCodecs';
import { etcdMissing, startEtcd, type EtcdVersion } from '../support/etcdServer';
import { follow } from '../support/followedFeed';
import { startRecordingProxy, type RecordedCall } from '../support/recordingProxy';
import { testFeeds } from '../support/testFeed';
import { waitFor } from '../support/waitFor';
import { Oracle, oracleMissing, type Change, type ListAsk } from './oracle';
import { showRequest } from './outcome';

/** More than a page of a sync. */
const objects = 10_050;

const pod = (i: number): Change => {
  const name = `pod-${String(i).padStart(5, '0')}`;
  return {
    key: Buffer.from(`/registry/pods/web/${name}`).toString('base64'),
    pod: { namespace: 'web', name },
    together: i % 100 > 0,
  };
};

const ask = (stream: boolean): ListAsk => ({
  root: 'registry',
  resourcePrefix: '/pods',
  stream,
  aggregate: false,
  forget: true,
  key: '/pods',
  recursive: true,
  resourceVersion: '0',
  match: '',
  limit: '1',
  labelSelector: '',
  fieldSelector: '',
  continue: '',
  brief: true,
  cached: true,
  disturb: 0,
  changes: [],
  compact: false,
});

/** Reads of the whole prefix and the watch, as text; not the questions for the revision, nor those of the version. */
function asked(calls: readonly RecordedCall[]): string[] {
  return calls.flatMap(({ method, requests: [first = Buffer.alloc(0)], headers, status }) => {
    if (method === 'Watch') {
      const { createRequest } = watchRequest.decode(first);
      const shown = { ...createRequest, filters: [...(createRequest?.filters ?? [])] };
      const text = JSON.stringify(shown, (_, value: unknown) =>
        value instanceof Uint8Array
          ? Buffer.from(value).toString()
          : typeof value === 'bigint'
            ? String(value)
            : value,
      );
      return [`Watch ${text} hasleader=${String(headers['hasleader'])}`];
    }
    if (method === 'RangeStream') return [`${showRequest(method, first)} ${String(status)}`];
    const text = method === 'Range' ? showRequest(method, first) : '';
    return text.includes('limit=10000') ? [text] : [];
  });
}

/** The last of each is how many requests there are. */
const cases: readonly (readonly [EtcdVersion, boolean, number])[] = [
  ['3.7', true, 2],
  ['3.7', false, 3],
  ['3.6', true, 4],
];

const missing = oracleMissing() || etcdMissing('3.7') || etcdMissing('3.6');

describe.skipIf(missing)('the sync and watch of upstream’s cache', () => {
  it.each(cases)(
    'are those of a feed, on etcd %s with the stream %s',
    async (version, stream, requests) => {
      const etcd = await startEtcd(version);
      onTestFinished(() => etcd.stop());
      const proxy = await startRecordingProxy(etcd.endpoint);
      onTestFinished(() => proxy.close());
      const oracle = await Oracle.start(proxy.endpoint);
      onTestFinished(() => oracle.stop());
      const pods = Array.from({ length: objects }, (_, i) => pod(i));
      for (let i = 0; i < objects; i += 1_000) await oracle.apply(pods.slice(i, i + 1_000));
      const isWatched = (): boolean => proxy.methods().includes('Watch');

      proxy.clear();
      await oracle.list(ask(stream));
      await waitFor(isWatched);
      const upstream = asked(proxy.calls);
      await oracle.endCaches();

      proxy.clear();
      const reader = connect({ endpoints: [proxy.endpoint] });
      onTestFinished(() => {
        reader.close();
      });
      const following = follow(testFeeds({ etcd: reader, stream }));
      await waitFor(() => following.state.isSynced && isWatched());
      expect(following.state.objects.size).toBe(objects);
      expect(upstream).toHaveLength(requests);
      expect(asked(proxy.calls)).toEqual(upstream);
    },
  );
});
