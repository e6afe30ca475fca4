/** Our watch cache beside upstream's, both over one etcd: the same lists, tokens byte for byte. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { encodeContinue } from '../../server/store/continueToken';
import { utf8 } from '../../server/common/bytes';
import { etcdMissing } from '../support/etcdServer';
import { CachedEngine, type CachedOutcome } from './cachedEngine';
import { Court } from './court';
import { mustHaveMet, tell } from './enough';
import { oracleMissing, type Change, type ListAsk, type ListAnswer } from './oracle';
import { upstreamOutcome } from './outcome';
import { refereeSettings, timeoutFor } from './settings';
import { Tally } from './tally';

const { cases, seed, seeded } = refereeSettings();

const ask = (more: Partial<ListAsk>): ListAsk => ({
  root: 'beside',
  resourcePrefix: '/pods',
  stream: false,
  aggregate: false,
  forget: false,
  key: '/pods',
  recursive: true,
  resourceVersion: '',
  match: '',
  limit: '0',
  labelSelector: '',
  fieldSelector: '',
  continue: '',
  brief: false,
  cached: true,
  disturb: 0,
  changes: [],
  compact: false,
  ...more,
});

const revisionRead = 'Range /beside/pods ..  limit=1 rev=(0)';

const keyOf = (namespace: string, name: string): string =>
  Buffer.from(`/beside/pods/${namespace}/${name}`).toString('base64');

const pod = (namespace: string, name: string, app: string): Change => ({
  key: keyOf(namespace, name),
  pod: {
    namespace,
    name,
    uid: `${namespace}.${name}`,
    labels: [['app', app]],
    node: `node-${app}`,
  },
});

const namespaces = ['default', 'web', 'web-2'];

/** Revisions: by name, or back from the current one; far back is before the caches were filled. */
const versions = fc.oneof(
  { weight: 4, arbitrary: fc.constant('') },
  { weight: 3, arbitrary: fc.constantFrom('0', '0', '0', '00') },
  { weight: 1, arbitrary: fc.constantFrom('x', '-1', '18446744073709551616') },
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 20 }).map((back) => `back:${back}`) },
  { weight: 1, arbitrary: fc.constant('before') },
);

const tokens = fc.oneof(
  { weight: 12, arbitrary: fc.constant('') },
  {
    weight: 5,
    arbitrary: fc.record({
      back: fc.constantFrom('-1', 'back:0', 'back:3', 'back:17', 'before', '0'),
      start: fc.constantFrom('web/pod-10\0', '/web/pod-10\0', 'default/', 'zzz', 'web//x', '../x'),
    }),
  },
  { weight: 1, arbitrary: fc.constant('garbled!') },
);

const query = fc.record({
  key: fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom('/pods', '/pods/', '/pods/web', '/pods/web/') },
    { weight: 1, arbitrary: fc.constantFrom('/pods/none', '/nodes') },
  ),
  one: fc.constantFrom(false, false, false, true),
  limit: fc.constantFrom('0', '1', '2', '7', '100', '500', '-3'),
  labelSelector: fc.constantFrom('', '', 'app=a', 'app in (a,b)', '!app', 'app notin (a)'),
  fieldSelector: fc.constantFrom('', '', 'spec.nodeName=node-b', 'metadata.namespace=web'),
  version: versions,
  match: fc.constantFrom('', '', '', '', '', '', '', 'Exact', 'Exact', 'NotOlderThan', 'Other'),
  token: tokens,
});

type Query = ReturnType<typeof sampleOf>[number];
const sampleOf = (count: number) => fc.sample(query, { seed, numRuns: count });

const kinds = [
  ...['from the cache', 'from etcd', 'refused', 'more follow', 'by token', 'one key'],
  ...['at an earlier revision', 'consistent', 'at any age', 'filtered with a limit'],
];

describe.skipIf(oracleMissing() || etcdMissing('3.7'))('our watch cache beside upstream’s', () => {
  let court: Court;
  let cached: CachedEngine;
  let filledAt = 0n;
  beforeAll(async () => {
    court = await Court.open('3.7');
    cached = await CachedEngine.start(court.etcd.endpoint);
    const close = async (): Promise<void> => {
      await cached.stop();
      await court.close();
    };
    const pods = namespaces.flatMap((namespace) =>
      Array.from({ length: 40 }, (_, i) => pod(namespace, `pod-${i}`, 'abc'.charAt(i % 3))),
    );
    try {
      await court.oracle.apply(pods);
      filledAt = await court.oracle.revision();
      await both(ask({}));
    } catch (error) {
      await close();
      throw error;
    }
    return close;
  });

  interface Pair {
    readonly ours: CachedOutcome;
    readonly theirs: ListAnswer;
  }

  async function both(asked: ListAsk): Promise<Pair> {
    const [theirs, ours] = await Promise.all([court.oracle.list(asked), cached.list(asked)]);
    return { ours, theirs };
  }

  /**
   * Throws where they differ. Upstream's cache asks for the revision now and then to learn sizes of keys;
   * where that fell into a list, both are asked again.
   */
  async function compare(asked: ListAsk): Promise<Pair> {
    let pair = await both(asked);
    const extra = pair.theirs.requests.length - pair.ours.requests.length;
    const reads = upstreamOutcome(asked, pair.theirs).requests;
    if (extra === 1 && reads.includes(revisionRead)) pair = await both(asked);
    const { servedBy, ...ours } = pair.ours;
    const theirs = upstreamOutcome(asked, pair.theirs);
    expect(ours, `${servedBy}: ${JSON.stringify(asked)}`).toEqual(theirs);
    return pair;
  }

  /** The revision that a query names, once the caches are as far as etcd. */
  function revisionOf(named: string, current: bigint): string {
    if (named === 'before') return String(filledAt - 1n);
    const back = /^back:(\d+)$/.exec(named)?.[1];
    return back === undefined ? named : String(current - BigInt(back));
  }

  function tokenOf(token: Query['token'], key: string, current: bigint): string {
    if (typeof token === 'string') return token;
    const { back, start } = token;
    const prefix = utf8(`/beside${key.endsWith('/') ? key : `${key}/`}`);
    const whole = new Uint8Array([...prefix, ...utf8(start)]);
    return encodeContinue(whole, prefix, BigInt(revisionOf(back, current)));
  }

  function askOf(from: Query, current: bigint): ListAsk {
    const { limit, labelSelector, fieldSelector, match, one } = from;
    const key = one ? `/pods/web/pod-${from.limit.length * 5}` : from.key;
    return ask({
      ...{ limit, labelSelector, fieldSelector, match, key },
      recursive: !one,
      resourceVersion: revisionOf(from.version, current),
      continue: tokenOf(from.token, key, current),
    });
  }

  function kindsOf(asked: ListAsk, { ours }: Pair): string[] {
    if (ours.error !== null) return ['refused'];
    const kinds = [ours.servedBy === 'etcd' ? 'from etcd' : 'from the cache'];
    if (ours.continue !== '') kinds.push('more follow');
    if (asked.continue !== '') kinds.push('by token');
    if (!asked.recursive) kinds.push('one key');
    if (ours.servedBy === 'etcd') return kinds;
    if (ours.resourceVersion === asked.resourceVersion) kinds.push('at an earlier revision');
    if (asked.resourceVersion === '' && asked.continue === '') kinds.push('consistent');
    if (asked.resourceVersion === '0') kinds.push('at any age');
    const filtered = asked.labelSelector + asked.fieldSelector !== '';
    if (filtered && BigInt(asked.limit) > 0n) kinds.push('filtered with a limit');
    return kinds;
  }

  const few = Math.max(60, Math.ceil(cases / 10));
  it(
    `answers ${String(few)} lists as upstream’s does, page by page, while keys are written${seeded}`,
    async (context) => {
      const tally = new Tally();
      let writes = 0;
      for (const [i, random] of sampleOf(few).entries()) {
        if (i % 4 === 0) {
          const namespace = namespaces[i % 3] ?? 'web';
          const name = `pod-${(i * 13) % 45}`;
          const gone = i % 20 === 0;
          const change = gone
            ? { key: keyOf(namespace, name), delete: true }
            : pod(namespace, name, 'abc'.charAt(i % 3));
          await court.oracle.apply([change]);
          writes++;
        }
        // Both are as far as etcd then.
        await compare(ask({ limit: '1' }));
        const asked = askOf(random, await court.oracle.revision());
        let pair = await compare(asked);
        tally.count(...kindsOf(asked, pair));
        for (let page = 0; page < 3 && pair.theirs.continue !== ''; page++) {
          const next = { ...asked, resourceVersion: '', match: '', continue: pair.theirs.continue };
          pair = await compare(next);
          tally.count(...kindsOf(next, pair));
        }
      }
      console.log(
        `referee: beside upstream’s watch cache: ${String(writes)} writes\n${tally.text()}`,
      );
      tell(context, 'lists beside the watch cache', tally.total);
      mustHaveMet(tally, kinds, few * 8);
    },
    timeoutFor(few * 12),
  );

  it('refuses revisions that are not reached as upstream’s does', async () => {
    const far = { resourceVersion: '9000000' };
    await compare(ask({ ...far, match: 'NotOlderThan' }));
    await compare(ask({ ...far, match: 'Exact' }));
    await compare(ask({ ...far, limit: '3' }));
    await compare(ask({ ...far, key: '/pods/web/pod-1', recursive: false }));
  });
});
