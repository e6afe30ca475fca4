import { describe, expect, it } from 'vitest';
import { concatBytes, utf8 } from '../../../../server/common/bytes';
import { decodeObject } from '../../../../server/kube/decode/object';
import { quickLookFor } from '../../../../server/kube/decode/lookPlan';
import { encodeEnvelope, encodeObjectMeta, type MetaInput } from '../../../../server/kube/encode';
import { metadataFields } from '../../../../server/kube/fields/selectableFields';
import { parseLabelSelector } from '../../../../server/kube/selectors';
import { messageField } from './wire';

/** Where the template stands in the spec. */
const templates = { ReplicationController: 3, Job: 6, CronJob: 2 } as const;
type Kind = keyof typeof templates;

const versions: Readonly<Record<Kind, string>> = {
  ReplicationController: 'v1',
  Job: 'batch/v1',
  CronJob: 'batch/v1',
};

const inTemplate: MetaInput = { name: '', labels: [['job-name', 'pi']] };

function stored(kind: Kind, meta: MetaInput): readonly [string, Uint8Array][] {
  const template = messageField(templates[kind], messageField(1, encodeObjectMeta(inTemplate)));
  const raw = concatBytes(messageField(1, encodeObjectMeta(meta)), messageField(2, template));
  const labels = Object.fromEntries(meta.labels ?? []);
  const json = {
    apiVersion: versions[kind],
    kind,
    metadata: { name: meta.name, labels },
    spec: { template: { metadata: { labels: { 'job-name': 'pi' } } } },
  };
  return [
    ['protobuf', encodeEnvelope(versions[kind], kind, raw)],
    ['JSON', utf8(JSON.stringify(json))],
  ];
}

const labelsOf = (value: Uint8Array) => [
  ...decodeObject(value, metadataFields(true)).metadata.labels,
];

describe('labels that decoding adds', () => {
  it.each(['ReplicationController', 'Job'] as const)(
    'are those of the template of a %s without labels',
    (kind) => {
      for (const [encoding, value] of stored(kind, { name: 'a' })) {
        expect([encoding, labelsOf(value)]).toEqual([encoding, [['job-name', 'pi']]]);
      }
      for (const [encoding, value] of stored(kind, { name: 'a', labels: [['own', 'x']] })) {
        expect([encoding, labelsOf(value)]).toEqual([encoding, [['own', 'x']]]);
      }
    },
  );

  it('are none of a CronJob, nor of a Job of another group', () => {
    for (const [, value] of stored('CronJob', { name: 'a' })) expect(labelsOf(value)).toEqual([]);
    const foreign = { apiVersion: 'batch.volcano.sh/v1alpha1', kind: 'Job', metadata: {} };
    const spec = { template: { metadata: { labels: { a: 'b' } } } };
    expect(labelsOf(utf8(JSON.stringify({ ...foreign, spec })))).toEqual([]);
  });

  it('are seen by a selector: no quick look is had where there may be some', () => {
    const selectors = { label: parseLabelSelector('job-name=pi'), field: undefined };
    const look = (apiVersion: string, kind: string) =>
      quickLookFor(selectors, {
        selectable: metadataFields(true),
        readsFields: false,
        item: { apiVersion, kind },
      });
    expect(look('batch/v1', 'Job')).toBeUndefined();
    expect(look('v1', 'ReplicationController')).toBeUndefined();
    expect(look('batch/v1', 'CronJob')).toBeDefined();
  });
});
