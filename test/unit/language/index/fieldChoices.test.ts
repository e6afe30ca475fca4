import { expect, it } from 'vitest';
import { fieldTransformFor } from '../../../../server/kube/fields/fieldLabels';
import { findResource } from '../../../../server/kube/resources/resources';
import { fieldChoices } from '../../../../server/language/index/fieldChoices';

it.each([
  ['po', 'status.phase', 'Succeeded'],
  ['pods', 'spec.restartPolicy', 'OnFailure'],
  ['pods', 'spec.hostNetwork', 'true'],
  ['nodes', 'spec.unschedulable', 'false'],
  ['namespaces', 'status.phase', 'Terminating'],
  ['services', 'spec.type', 'ExternalName'],
  ['events', 'type', 'Warning'],
  ['events.events.k8s.io', 'type', 'Normal'],
  ['secrets', 'type', 'kubernetes.io/dockerconfigjson'],
])('of %s and %s are fixed, and the resource can be selected by it: %s', (word, field, value) => {
  const found = findResource(word);
  if (found === undefined) throw new Error(`no resource ${word}`);
  expect(fieldTransformFor(found.resource, found.version)(field, value)).toEqual([field, value]);
  expect(fieldChoices(word, field)).toContain(value);
});

it.each([
  ['pods', 'spec.nodeName'],
  ['pods.example.com', 'status.phase'],
  ['nothing', 'type'],
  ['', ''],
])('of %j and %j are none', (word, field) => {
  expect(fieldChoices(word, field)).toEqual([]);
});
