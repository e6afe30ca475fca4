/** A custom resource and its definition, stored as JSON as the API server does. */
import { utf8 } from '../common/bytes';
import type { StoredObject } from './mvcc';
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
      name,
      namespace,
      uid: random.uid(),
    },
    spec: { color, parts, replicas: 1 + random.below(5) },
    status: { phase: random.pick(['Ready', 'Ready', 'Ready', 'Pending']) },
  });
}

export function widgetDefinition(random: Random): StoredObject {
  const text = { type: 'string' };
  const part = { type: 'object', properties: { name: text, serial: text } };
  const spec = {
    type: 'object',
    properties: {
      color: text,
      replicas: { type: 'integer' },
      parts: { type: 'array', items: part },
    },
  };
  const schema = { type: 'object', properties: { spec, status: { type: 'object' } } };
  const names = {
    kind: 'Widget',
    listKind: 'WidgetList',
    plural: 'widgets',
    shortNames: ['wd'],
    singular: 'widget',
  };
  return json('apiextensions.k8s.io/customresourcedefinitions/widgets.example.com', {
    kind: 'CustomResourceDefinition',
    apiVersion: 'apiextensions.k8s.io/v1',
    metadata: {
      name: 'widgets.example.com',
      uid: random.uid(),
      generation: 1,
      creationTimestamp: timeText(newest - 200 * 86_400),
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
