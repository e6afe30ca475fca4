/**
 * The oracle's labels and fields of Pods are our own copy of what kube-apiserver's registry does, since
 * no public module has it. Here it is held against what that registry read from Pods, see `objects.json`.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { etcdMissing } from '../support/etcdServer';
import { objects } from '../unit/kube/fixtures';
import { Court } from './court';
import { oracleMissing } from './oracle';
import { Place } from './place';
import { listOf } from './plans/lists';
import type { ClusterPlan } from './plans/plan';

const pods = objects.filter(({ kind }) => kind === 'Pod');

const escaped = (value: string): string => value.replace(/[\\,=]/g, '\\$&');

describe.skipIf(oracleMissing() || etcdMissing('3.7'))('the oracle’s fields of Pods', () => {
  let court: Court;
  beforeAll(async () => {
    court = await Court.open('3.7');
    return () => court.close();
  });

  it.each(pods.map((pod, i) => [pod.name, pod, i] as const))(
    'are those of kube-apiserver: %s',
    async (name, pod, i) => {
      const plan: ClusterPlan = {
        ...{ root: 'registry', resourcePrefix: '/pods', steps: [] },
        writes: [
          {
            ...{ kind: 'bad', namespace: 'a', name, raw: pod.protobuf },
            damage: { keep: 0, at: 0, xor: 0 },
          },
        ],
      };
      const place = await Place.found(court.oracle, plan, `fields${i}`, [plan.writes]);
      const found = async (selector: { field: string }): Promise<number> => {
        const { error, items } = await court.oracle.list(place.ask(listOf(selector)));
        expect(error).toBeNull();
        return items.length;
      };
      const fields = Object.entries(pod.fields);
      expect(fields).toHaveLength(10);
      for (const [field, value] of fields) {
        const both = [`${field}=${escaped(value)}`, `${field}!=${escaped(value)}`];
        const counts = [await found({ field: both[0]! }), await found({ field: both[1]! })];
        expect([field, value, ...counts]).toEqual([field, value, 1, 0]);
      }
      const { items } = await court.oracle.list(place.ask(listOf({})));
      const labels = Object.entries(pod.labels).map((pair) => pair.join('='));
      expect(items).toEqual([expect.stringMatching(/\|[^|]*$/)]);
      expect(items[0]!.split('|').at(-1)).toBe(labels.sort().join(',') || '<none>');
    },
  );

  it('are asked of several Pods', () => {
    expect(pods.length).toBeGreaterThan(1);
  });
});
