import { describe, expect, it } from 'vitest';
import { selects } from './look';

const kustomization = (target: string): string =>
  `apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\npatches:\n- path: a.yaml\n  target:\n    ${target}\n    labelSelector: a=b\n`;

describe('what a target selects from', () => {
  it.each([
    ['kind: Deployment', 'deployments.apps -'],
    ['kind: Deployment\n    group: apps', 'deployments.apps -'],
    ['kind: Deployment\n    group: example.com', '- -'],
    ['kind: Deployment|StatefulSet', '- -'],
    ['kind: Deploy.*', '- -'],
    ['kind: {{ k }}', '- -'],
    ['kind: Event', '- -'],
    ['kind: Event\n    group: events.k8s.io', 'events.events.k8s.io -'],
    ['kind: Widget', '- -'],
    ['group: apps', '- -'],
    ['name: web.*', '- -'],
    ['kind: Pod\n    namespace: web', 'pods web'],
    ['kind: Pod\n    namespace: web-.*', 'pods -'],
    ['kind: Pod\n    namespace: {{ n }}', 'pods -'],
  ])('is told beside it, or unknown: %j', (target, wanted) => {
    expect(selects(kustomization(target))).toEqual([`${wanted}: a=b`]);
  });

  it.each([
    'patchesJson6902:\n- target: {kind: Pod, labelSelector: a=b}\n',
    'replacements:\n- targets:\n  - select: {kind: Pod, labelSelector: a=b}\n',
    'replacements:\n- targets:\n  - reject: [{kind: Pod, labelSelector: a=b}]\n',
  ])('is told in every place of a kustomization: %j', (text) => {
    expect(selects(text, { fileName: 'kustomization.yaml' })).toEqual(['pods -: a=b']);
  });

  it('is told in files of their own', () => {
    const transformer = (more: string): string =>
      `apiVersion: builtin\nkind: PatchTransformer\ntarget:\n  kind: Service\n${more}  labelSelector: a=b\n`;
    expect(selects(transformer(''))).toEqual(['services -: a=b']);
    expect(selects(transformer('  group: serving.knative.dev\n'))).toEqual(['- -: a=b']);
    expect(selects(transformer('  apiVersion: serving.knative.dev/v1\n'))).toEqual(['- -: a=b']);
    expect(selects(transformer('  apiVersion: v1\n'))).toEqual(['services -: a=b']);
    expect(selects('- targets:\n  - select: {kind: Pod, labelSelector: a=b}\n')).toEqual([
      'pods -: a=b',
    ]);
  });
});
