import { describe, expect, it } from 'vitest';
import { utf8 } from '../../../../server/common/bytes';
import { Random } from '../../../../server/demo/seedRandom';
import { attributesOf, decodeObject, readFields } from '../../../../server/kube/decode/object';
import { quickLookFor } from '../../../../server/kube/decode/lookPlan';
import { selectableFieldsOf } from '../../../../server/kube/fields/selectableFields';
import { parseFieldSelector, parseLabelSelector } from '../../../../server/kube/selectors';
import { matchesAttributes } from '../../../../server/store/predicate';
import { corpusEntries } from '../../../bench/corpus';

const item = { apiVersion: 'v1', kind: 'Pod' };
const selectable = selectableFieldsOf({ group: '', resource: 'pods' }, true);

const predicate = (label: string, field: string) => ({
  label: parseLabelSelector(label),
  field: parseFieldSelector(field),
});

type Verdict = 'selected' | 'not selected' | 'unreadable';

/** What decoding and matching say. */
function decoded(value: Uint8Array, label: string, field: string): Verdict {
  const selectors = predicate(label, field);
  try {
    const object = decodeObject(value, selectable, item);
    if (field !== '') readFields(object);
    return matchesAttributes(selectors, attributesOf(object)) ? 'selected' : 'not selected';
  } catch {
    return 'unreadable';
  }
}

function look(label: string, field: string) {
  const readsFields = field !== '';
  return quickLookFor(predicate(label, field), { selectable, readsFields, item });
}

const pods = [...corpusEntries({ root: '/registry', pods: 40, size: 'small' })].map(
  ([, value]) => value,
);

const labels = [
  '',
  'app=app-03',
  'app!=app-03',
  'app in (app-01,app-02),rank',
  'app notin (app-01)',
  '!app',
  'absent',
  '!absent',
  'absent!=x',
  'absent>5',
  'version>1',
  'app=app-03,app!=app-03',
  'app.kubernetes.io/managed-by=Helm',
  'pod-template-hash=',
];
const fields = [
  '',
  'spec.nodeName=node-0000',
  'spec.nodeName!=node-0000',
  'spec.nodeName=',
  'metadata.namespace=team-07',
  'metadata.namespace!=team-07',
  'metadata.name=x',
  'status.phase=Running',
  'status.phase!=Running',
  'spec.hostNetwork=true',
  'spec.hostNetwork=false',
  'spec.restartPolicy=Always',
  'spec.serviceAccountName=default',
  'status.podIP=',
  'status.podIP!=',
  'status.nominatedNodeName=',
];
const pairs = labels.flatMap((label) => fields.map((field) => [label, field] as const));

describe('a quick look at an object', () => {
  it('rejects just the objects that decoding finds sound and not selected', () => {
    const found = { rejected: 0, selected: 0 };
    for (const [label, field] of pairs) {
      const quick = look(label, field);
      expect([label, field, quick]).not.toEqual([label, field, undefined]);
      for (const value of pods) {
        const verdict = decoded(value, label, field);
        const rejected = quick?.rejects(value, 0, value.length) === true;
        // A label that is there and compared as a number is left to the decoder.
        const isOpen = label.includes('version>');
        const wanted = verdict === 'not selected';
        expect([label, field, rejected]).toEqual([
          label,
          field,
          isOpen ? rejected && wanted : wanted,
        ]);
        found[rejected ? 'rejected' : 'selected']++;
      }
    }
    expect(found.rejected).toBeGreaterThan(1000);
    expect(found.selected).toBeGreaterThan(1000);
  });

  it('never rejects one that decoding selects or cannot read, whatever bytes are changed', () => {
    const random = new Random(23);
    const found = { selected: 0, 'not selected': 0, unreadable: 0 };
    let rejected = 0;
    for (let i = 0; i < 20_000; i++) {
      const [label = '', field = ''] = pairs[random.below(pairs.length)] ?? [];
      const value = Uint8Array.from(pods[random.below(pods.length)] ?? []);
      const end = value.length - (random.below(10) === 0 ? random.below(60) : 0);
      for (let n = random.below(3); n >= 0; n--) {
        const far = random.below(2) === 0 ? end : Math.min(end, 420);
        value[random.below(far)] = random.below(3) === 0 ? random.below(256) : random.below(32);
      }
      const verdict = decoded(value.subarray(0, end), label, field);
      found[verdict]++;
      if (look(label, field)?.rejects(value, 0, end) !== true) continue;
      rejected++;
      expect([label, field, verdict]).toEqual([label, field, 'not selected']);
    }
    expect(Math.min(...Object.values(found), rejected)).toBeGreaterThan(500);
  });

  it('looks at nothing before or behind the value', () => {
    const [value = utf8('')] = pods;
    const quick = look('app=none', '');
    const within = new Uint8Array(value.length + 200).fill(0xff);
    within.set(value, 100);
    expect(quick?.rejects(within, 100, 100 + value.length)).toBe(true);
    for (let cut = 1; cut < value.length; cut++) {
      expect(quick?.rejects(within, 100, 100 + value.length - cut)).toBe(false);
    }
    expect(quick?.rejects(within, 100, 101 + value.length)).toBe(false);
  });

  it.each([
    ['labels that are added as they are read', { apiVersion: 'v1', kind: 'Namespace' }, 'a=b', ''],
    ['texts beyond ASCII', item, '', 'metadata.name=ä'],
    ['a field that nobody knows', item, '', 'no.such=x'],
  ])('is not had for %s', (_, type, label, field) => {
    const objects = { selectable, readsFields: field !== '', item: type };
    expect(quickLookFor(predicate(label, field), objects)).toBeUndefined();
  });

  it('takes an object of another type, encoding or envelope for one it cannot tell of', () => {
    const quick = look('app=none', '');
    for (const value of [
      utf8('{"apiVersion":"v1","kind":"Pod"}'),
      utf8('k8s:enc:aescbc:v1:k:xx'),
      utf8('k8s\0'),
      utf8(''),
      Uint8Array.from([...(pods[0] ?? []), 0x1a, 0x00]),
    ]) {
      expect(quick?.rejects(value, 0, value.length)).toBe(false);
    }
  });
});
