import { describe, expect, it } from 'vitest';
import { YamlFile } from '../../../../server/language/yaml/yamlFile';
import { marks, selects, sites } from './look';

const BODY =
  'spec:\n  selector: {matchLabels: {app: web}}\n  template:\n    metadata: {labels: {app: api}}\n    spec:\n      containers: [{name: a}]\n';

/** Lines of Go's templates around the two ways to write a key. */
const either = (one: string, other: string): string =>
  `{{- if .Values.old }}\n${one}\n{{- else }}\n${other}\n{{- end }}\n`;

describe('an object whose version a template fills in', () => {
  it.each([
    'apiVersion: {{ include "x.version" . }}\nkind: Deployment\n',
    'apiVersion: "{{ .Values.version }}"\nkind: Deployment\n',
    'apiVersion: apps/{{ .Values.version }}\nkind: Deployment\n',
    'apiVersion: {{ .Values.group }}/v1\nkind: Deployment\n',
    'apiVersion: ${VERSION}\nkind: Deployment\n',
    '{{ include "x.version" . }}\nkind: Deployment\n',
    `${either('apiVersion: extensions/v1beta1', 'apiVersion: apps/v1')}kind: Deployment\n`,
    `apiVersion: apps/v1\n${either('kind: Deployment', 'kind: StatefulSet')}`,
  ])('is known by its kind: %j', (head) => {
    expect(selects(head + BODY)).toEqual(['pods -: app=web']);
    expect(marks(head + BODY)).toEqual([['template-labels', 'app: web']]);
    const at = (head + BODY).indexOf('web');
    expect(new YamlFile(head + BODY).spotAt(at)?.kind).toBe('labelValue');
  });

  it.each([
    ['apiVersion: {{ v }}\nkind: {{ k }}\n'],
    ['apiVersion: apps/v1\nkind: {{ k }}\n'],
    ['apiVersion: example.com/{{ v }}\nkind: Deployment\n'],
    [`apiVersion: apps/v1\n${either('kind: Deployment', 'kind: Other')}`],
    [`${either('apiVersion: apps/v1', 'apiVersion: example.com/v1')}kind: Deployment\n`],
    ['kind: Deployment\n'],
  ])('is not taken for what it may not be: %j', (head) => {
    expect(sites(head + BODY)).toEqual([]);
    expect(marks(head + BODY)).toEqual([]);
  });

  it('says nothing in which its versions differ', () => {
    const budget = (head: string): string =>
      `${head}kind: PodDisruptionBudget\nspec: {selector: {}}\n`;
    const one = budget('apiVersion: policy/v1\n');
    expect(marks(one)).toEqual([['empty-selector', 'selector: {}']]);
    expect(sites(one)[0]?.empty).toBe('all');
    for (const head of [
      'apiVersion: {{ v }}\n',
      'apiVersion: policy/{{ v }}\n',
      either('apiVersion: policy/v1', 'apiVersion: policy/v1beta1'),
    ]) {
      expect(marks(budget(head))).toEqual([]);
      expect(sites(budget(head)).map(({ empty, from }) => [empty, from.resource])).toEqual([
        ['unknown', 'pods'],
      ]);
    }
    // As text in one version, as a map in others.
    expect(sites('apiVersion: {{ v }}\nkind: Scale\nstatus: {selector: a=b}\n')).toEqual([]);
  });

  it('has the labels of its resource where that is the only one of its kind', () => {
    const labels = (head: string): string | undefined => {
      const text = `${head}metadata:\n  labels:\n    a: x\n`;
      return new YamlFile(text).spotAt(text.indexOf('x\n'))?.from.resource;
    };
    expect(labels('apiVersion: {{ v }}\nkind: Deployment\n')).toBe('deployments.apps');
    expect(labels('apiVersion: {{ v }}\nkind: Event\n')).toBeUndefined();
    expect(labels('apiVersion: {{ v }}\nkind: Nothing\n')).toBeUndefined();
  });
});
