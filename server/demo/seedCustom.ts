/** A custom resource and its definition, stored as JSON as the API server does. */
import { utf8 } from '../common/bytes';
import type { StoredObject } from './mvcc';
import { fieldSet } from './seedManagers';
import type { OwnedFields } from './seedManagers';
import { newest } from './seedPlan';
import type { Random } from './seedRandom';

const apiVersion = 'example.com/v1';
const colors = ['blue', 'green', 'red'] as const;

const json = (path: string, value: object): StoredObject => ({
  key: utf8(`/registry/${path}`),
  value: utf8(`${JSON.stringify(value)}\n`),
});

const timeText = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');

const widgetFields = {
  metadata: { labels: ['.', 'app', 'color', 'size'] },
  spec: { '.': [], color: [], parts: [], replicas: [] },
};
const statusFields = { status: ['.', 'phase'] };

/** An entry of `metadata.managedFields` in its JSON form. */
function managed(name: string, seconds: number, version: string, owned: OwnedFields): object {
  return {
    apiVersion: version,
    fieldsType: 'FieldsV1',
    fieldsV1: fieldSet(owned),
    manager: name,
    operation: 'Update',
    time: timeText(seconds),
  };
}

export function widget(namespace: string, i: number, random: Random): StoredObject {
  const name = `widget-${String(i).padStart(5, '0')}`;
  const created = newest - random.below(100 * 86_400);
  const color = random.pick(colors);
  const parts = Array.from({ length: 10 }, (_, part) => ({
    name: `part-${part}`,
    serial: random.hex(24),
    weightGrams: 10 + random.below(990),
  }));
  return json(`example.com/widgets/${namespace}/${name}`, {
    apiVersion,
    kind: 'Widget',
    metadata: {
      creationTimestamp: timeText(created),
      generation: 1,
      labels: { app: 'widget-maker', color, size: random.pick(['large', 'small']) },
      managedFields: [
        managed('widget-maker', created, apiVersion, widgetFields),
        {
          ...managed('widget-controller', created, apiVersion, statusFields),
          subresource: 'status',
        },
      ],
      name,
      namespace,
      uid: random.uid(),
    },
    spec: { color, parts, replicas: 1 + random.below(5) },
    status: { phase: random.pick(['Ready', 'Ready', 'Ready', 'Pending']) },
  });
}

export function widgetDefinition(random: Random): StoredObject {
  const text = (description: string): object => ({ type: 'string', description });
  const part = {
    type: 'object',
    required: ['name', 'serial'],
    properties: {
      name: text('Unique among the parts of the widget.'),
      serial: text('What the maker engraved, in hexadecimal digits.'),
      weightGrams: { type: 'integer', minimum: 0 },
    },
  };
  const spec = {
    type: 'object',
    properties: {
      color: text('The color that all parts are painted in.'),
      replicas: { type: 'integer', description: 'How many of it are kept in stock.', minimum: 0 },
      parts: { type: 'array', items: part },
    },
  };
  const status = { type: 'object', properties: { phase: text('Ready, or Pending until then.') } };
  const schema = { type: 'object', properties: { spec, status } };
  const created = newest - 200 * 86_400;
  const version = 'apiextensions.k8s.io/v1';
  const owned = { spec: ['conversion', 'group', 'names', 'scope', 'versions'] };
  const names = {
    kind: 'Widget',
    listKind: 'WidgetList',
    plural: 'widgets',
    shortNames: ['wd'],
    singular: 'widget',
  };
  return json('apiextensions.k8s.io/customresourcedefinitions/widgets.example.com', {
    kind: 'CustomResourceDefinition',
    apiVersion: version,
    metadata: {
      name: 'widgets.example.com',
      uid: random.uid(),
      generation: 1,
      creationTimestamp: timeText(created),
      managedFields: [managed('kubectl-create', created, version, owned)],
    },
    spec: {
      group: 'example.com',
      names,
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: schema },
          selectableFields: [{ jsonPath: '.spec.color' }],
        },
      ],
      conversion: { strategy: 'None' },
    },
    status: { conditions: [], acceptedNames: names, storedVersions: ['v1'] },
  });
}
