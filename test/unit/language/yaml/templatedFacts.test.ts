import { describe, expect, it } from 'vitest';
import { marks, selects, sites, yaml } from './look';

const manifest = (metadata: string): string =>
  `apiVersion: v1\nkind: Service\nmetadata:\n${metadata}\nspec: {selector: {app: web}}\n`;

/** Where each selector of a text selects from. */
function namespaces(text: string): (string | undefined)[] {
  return sites(text).map(({ from }) => from.namespace);
}

describe('a namespace that something fills in is not known', () => {
  it.each([
    ['  namespace: {{ .Release.Namespace }}'],
    ['  namespace: web-{{ .Values.stage }}'],
    ['  namespace: ${NAMESPACE}'],
    ['  namespace: __NAMESPACE__'],
    ['  {{- if .Values.a }}\n  namespace: a\n  {{- else }}\n  namespace: b\n  {{- end }}'],
    ['  {{- include "meta" . | nindent 2 }}'],
  ])('in a manifest: %j', (metadata) => {
    expect(namespaces(manifest(metadata))).toEqual([undefined]);
  });

  it.each([
    ['kind: Pod\nnamespace: {{ ns }}\nlabelSelector: app=web'],
    ['kind: Pod\nnamespace: web-{{ ns }}\nlabelSelector: app=web'],
    ['run: kubectl get pods -n {{ ns }} -l app=web'],
    ['run: kubectl get pods -n {{ns}} -l app=web'],
    ['run: kubectl get pods -n ${{ env.NS }} -l app=web'],
    ['run: kubectl get pods -n ${NS} -l app=web'],
    ['run: kubectl get pods -n __NS__ -l app=web'],
    ['run: |\n  kubectl get pods \\\n    --namespace=a{{ ns }} -l app=web'],
    ['args: [kubectl, get, pods, -n, "{{ ns }}", -l, app=web]'],
    ['args: [kubectl, get, pods, -n, "${NS}", -l, app=web]'],
  ])('beside a selector that is text: %j', (text) => {
    expect(selects(text)).toEqual(['pods -: app=web']);
  });

  it('is known where no template has a hand in it', () => {
    const text = '  namespace: web\n  name: {{ .Release.Name }}';
    expect(namespaces(manifest(text))).toEqual(['web']);
    expect(selects('run: kubectl get pods -n web -l app=web,b={{ b }}')).toEqual([]);
    expect(selects('x: {{ x }}\nrun: kubectl get pods -n web -l app=web')).toEqual([
      'pods web: app=web',
    ]);
  });
});

describe('what a template fills in beside a selector', () => {
  it.each([
    ['kind: {{ kind }}\nlabelSelector: app=web'],
    ['kind: Pod\ngroup: "{{ group }}"\nlabelSelector: app=web'],
    ['kind: Pod\napiVersion: {{ group }}/v1\nlabelSelector: app=web'],
    ['run: kubectl get {{ what }} -l app=web'],
    ['args: [kubectl, get, "{{ what }}", -l, app=web]'],
  ])('is no kind of object: %j', (text) => {
    expect(selects(text)).toEqual(['- -: app=web']);
  });
});

describe('Pods of a namespace that a template fills in', () => {
  const service = (namespace: string): string => yaml`
    apiVersion: v1
    kind: Service
    metadata: {namespace: ${namespace}}
    spec: {selector: {app: web}}
    `;
  const pod = (namespace: string, app: string): string => yaml`
    ---
    apiVersion: v1
    kind: Pod
    metadata: {namespace: ${namespace}, labels: {app: ${app}}}
    `;

  it.each([
    [service('"{{ a }}"'), pod('"{{ b }}"', 'db')],
    [service('"{{ a }}"'), pod('one', 'db')],
    [service('one'), pod('one', 'db') + pod('"{{ b }}"', 'web')],
    [service('$A'), pod('$B', 'db')],
  ])('may be in that of a Service: %j %j', (text, pods) => {
    expect(marks(text + pods)).toEqual([]);
  });

  it('are compared where both are known', () => {
    expect(marks(service('one') + pod('one', 'db'))).toEqual([['selects-nothing', 'selector']]);
  });
});
