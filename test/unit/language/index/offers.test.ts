import { describe, expect, it } from 'vitest';
import { customFieldTransform } from '../../../../server/kube/fields/fieldLabels';
import { offersFor, type Known, type Offer } from '../../../../server/language/index/offers';
import type { CompletionSpot } from '../../../../server/language/model';
import { indexOf, times } from './support';

const span = { start: 5, end: 9 };

function spot(more: Partial<CompletionSpot>): CompletionSpot {
  return {
    kind: 'labelKey',
    span,
    typed: '',
    from: { resource: 'pods', namespace: 'web' },
    key: '',
    given: [],
    choices: [],
    writing: 'plain',
    ...more,
  };
}

const objects = [
  ...times(1203, { labels: { app: 'web', tier: 'a' }, fields: { 'status.phase': 'Running' } }),
  { labels: { app: 'api', 'example.com/x': 'true' }, fields: { 'status.phase': 'Running' } },
  ...times(96, { labels: { tier: 'b' }, fields: { 'status.phase': 'Pending' } }),
];
const index = indexOf(objects);
const sample = indexOf(objects, { total: 40_000 });

const known = (more: Partial<Known> = {}): Known => ({
  index,
  namespaces: [],
  customResources: [],
  ...more,
});

const shown = (offers: readonly Offer[]) => offers.map(({ text, detail }) => [text, detail]);
const offered = (more: Partial<CompletionSpot>, from: Known = known()) =>
  shown(offersFor(spot(more), from).offers);

describe('offers of labels', () => {
  it('are the stored keys with how many objects carry them, the frequent first', () => {
    const { offers, complete } = offersFor(spot({}), known());
    expect(shown(offers)).toEqual([
      ['tier', '1,299 of 1,300 Pods'],
      ['app', '1,204 of 1,300 Pods'],
      ['example.com/x', '1 of 1,300 Pods'],
    ]);
    expect(complete).toBe(true);
    expect(offers.map(({ sort }) => sort)).toEqual(['0000', '0001', '0002']);
    expect(offers[1]).toMatchObject({ edit: { span, text: 'app' }, filter: 'app' });
  });

  it('are shares where they come from a sample', () => {
    expect(offered({}, known({ index: sample }))).toEqual([
      ['tier', 'more than 99 % of a sample of 1,300'],
      ['app', 'about 93 % of a sample of 1,300'],
      ['example.com/x', 'less than 1 % of a sample of 1,300'],
    ]);
  });

  it('are the values of the key, those given left out', () => {
    expect(offered({ kind: 'labelValue', key: 'app' })).toEqual([
      ['web', '1,203 of 1,300 Pods'],
      ['api', '1 of 1,300 Pods'],
    ]);
    expect(offered({ kind: 'labelValue', key: 'app', given: ['web'] })).toEqual([
      ['api', '1 of 1,300 Pods'],
    ]);
    expect(offered({ kind: 'labelValue', key: 'gone' })).toEqual([]);
  });

  it('are none while nothing is known', () => {
    expect(offered({}, known({ index: undefined }))).toEqual([]);
    expect(offered({ kind: 'labelValue', key: 'app' }, known({ index: undefined }))).toEqual([]);
  });

  it('are written as the place asks', () => {
    const at = (writing: CompletionSpot['writing'], kind: CompletionSpot['kind'], key = '') =>
      offersFor(spot({ kind, key, typed: 'ex'.slice(0, key === '' ? 2 : 0), writing }), known())
        .offers[0];
    expect(at('percent', 'labelKey')).toMatchObject({
      text: 'example.com/x',
      filter: 'example.com%2Fx',
      edit: { text: 'example.com%2Fx' },
    });
    expect(at('yaml', 'labelValue', 'example.com/x')).toMatchObject({
      text: 'true',
      filter: 'true',
      edit: { text: "'true'" },
    });
    expect(at('yamlDouble', 'labelValue', 'example.com/x')?.edit.text).toBe('true');
  });

  it('hold an empty value only where quotes can show it', () => {
    const from = known({ index: indexOf([{ labels: { canary: '' } }]) });
    const value = { kind: 'labelValue', key: 'canary' } as const;
    expect(offersFor(spot({ ...value, writing: 'yaml' }), from).offers).toMatchObject([
      { text: "''", edit: { text: "''" } },
    ]);
    expect(offered(value, from)).toEqual([]);
  });

  it('leave out what no API server takes, and hide nothing', () => {
    const from = known({
      index: indexOf([
        {
          labels: { 'a b': 'x', 'a\n': 'x', 'x:\u202ey': 'x', ok: 'v: 1', ['k'.repeat(2000)]: 'x' },
        },
      ]),
    });
    expect(offered({}, from)).toEqual([['ok', '1 of 1 Pod']]);
    expect(offered({ kind: 'labelValue', key: 'ok' }, from)).toEqual([]);
  });

  it('are at most 200, and say so', () => {
    const labels = Object.fromEntries(Array.from({ length: 250 }, (_, i) => [`key-${i}`, 'x']));
    const from = known({ index: indexOf([{ labels }]) });
    const all = offersFor(spot({}), from);
    expect(all.offers).toHaveLength(200);
    expect(all.complete).toBe(false);
    const given = Object.keys(labels).slice(0, 50);
    const rest = offersFor(spot({ given }), from);
    expect(rest.offers).toHaveLength(200);
    expect(rest.complete).toBe(true);
    expect(rest.offers.some(({ text }) => given.includes(text))).toBe(false);
  });
});

describe('offers of fields', () => {
  it('are those that the resource can be selected by, with what is stored in them', () => {
    expect(offered({ kind: 'fieldName', typed: 'status' })).toEqual([
      ['status.phase', '2 values, most often Running'],
      ['status.podIP', ''],
      ['status.podIPs', ''],
      ['status.nominatedNodeName', ''],
    ]);
    const widgets = { resource: 'widgets.example.com', namespace: undefined };
    const fieldTransform = customFieldTransform(true, ['.spec.color']);
    const fields = { 'metadata.name': 'x', 'spec.color': 'red' };
    const custom = indexOf([{ fields }], {}, { fieldTransform });
    expect(offered({ kind: 'fieldName', from: widgets }, known({ index: custom }))).toEqual([
      ['metadata.name', 'always x'],
      ['spec.color', 'always red'],
    ]);
    expect(offered({ kind: 'fieldName', from: widgets }, known({ index: undefined }))).toEqual([
      ['metadata.name', ''],
      ['metadata.namespace', ''],
    ]);
    const choices = ['metadata.name', 'spec.size'].map((text) => ({ text, detail: '' }));
    const given = { kind: 'fieldName', from: widgets, choices } as const;
    expect(offered(given, known({ index: undefined }))).toEqual([
      ['metadata.name', ''],
      ['spec.size', ''],
    ]);
  });

  it('are the stored values, then those that the field could have', () => {
    expect(offered({ kind: 'fieldValue', key: 'status.phase' })).toEqual([
      ['Running', '1,204 of 1,300 Pods'],
      ['Pending', '96 of 1,300 Pods'],
      ['Succeeded', '0 of 1,300 Pods'],
      ['Failed', '0 of 1,300 Pods'],
      ['Unknown', '0 of 1,300 Pods'],
    ]);
    expect(
      offered({ kind: 'fieldValue', key: 'status.phase', typed: 'F' }, known({ index: undefined })),
    ).toEqual([['Failed', '']]);
  });

  it('find the values of a field under another name of it', () => {
    const nodes = known({ index: indexOf([{ fields: { 'spec.nodeName': 'node-1' } }]) });
    expect(offered({ kind: 'fieldValue', key: 'spec.host' }, nodes)).toEqual([
      ['node-1', '1 of 1 Pod'],
    ]);
    expect(offered({ kind: 'fieldValue', key: 'spec.nope' }, nodes)).toEqual([]);
  });

  it('escape what a field selector gives a meaning', () => {
    const odd = known({ index: indexOf([{ fields: { 'spec.nodeName': 'a,b=c\\' } }]) });
    const { offers } = offersFor(spot({ kind: 'fieldValue', key: 'spec.nodeName' }), odd);
    expect(offers).toMatchObject([{ text: 'a,b=c\\', edit: { text: 'a\\,b\\=c\\\\' } }]);
  });
});

describe('other offers', () => {
  it('are resources by their names, short names included', () => {
    expect(offered({ kind: 'resource', typed: 'po' })[0]).toEqual(['pods', 'Pod, v1']);
    expect(offered({ kind: 'resource', typed: 'deploy' })[0]).toEqual([
      'deployments',
      'Deployment, apps/v1',
    ]);
    expect(
      offered(
        { kind: 'resource', typed: 'wid' },
        known({ customResources: ['widgets.example.com'] }),
      ),
    ).toEqual([['widgets.example.com', 'custom resource']]);
    const events = offered({ kind: 'resource', typed: 'events' }).map(([text]) => text);
    expect(events.slice(0, 2)).toEqual(['events', 'events.events.k8s.io']);
  });

  it('are the namespaces there are', () => {
    const from = known({ namespaces: ['default', 'kube-system', 'web-prod'] });
    expect(offered({ kind: 'namespace' }, from)).toHaveLength(3);
    expect(offered({ kind: 'namespace', typed: 'sys' }, from)).toEqual([['kube-system', '']]);
  });

  it('are operators, or what the place says can stand there', () => {
    const texts = (more: Partial<CompletionSpot>) => offered(more).map(([text]) => text);
    expect(texts({ kind: 'labelOperator' })).toEqual(['=', '!=', 'in', 'notin', '==', '>', '<']);
    expect(texts({ kind: 'labelOperator', typed: '!' })).toEqual(['!=']);
    expect(texts({ kind: 'fieldOperator' })).toEqual(['=', '!=', '==']);
    const choices = [
      { text: 'In', detail: 'one of the values' },
      { text: 'NotIn', detail: 'none of the values' },
    ];
    expect(offered({ kind: 'labelOperator', choices })).toEqual([
      ['In', 'one of the values'],
      ['NotIn', 'none of the values'],
    ]);
    expect(texts({ kind: 'flag', choices, typed: 'no' })).toEqual(['NotIn']);
    expect(texts({ kind: 'choice', choices, given: ['In'] })).toEqual(['NotIn']);
  });
});
