import { describe, expect, it } from 'vitest';
import { marks, sites, yaml } from './look';

const deployment = (selector: string, labels: string): string => yaml`
  apiVersion: apps/v1
  kind: Deployment
  spec:
    selector:
      ${selector}
    template:
      metadata:
        ${labels}
      spec:
        containers: [{name: a, image: a}]
  `;

describe('what ytt writes', () => {
  it.each([
    ['matchLabels: #@ labels()', 'labels: {app: web}'],
    ['matchLabels: {app: web}', 'labels: #@ labels()'],
    ['matchLabels: {app: web}', 'labels:\n          _: #@ template.replace(labels())'],
    ['matchLabels: {app: web}', '#@overlay/match missing_ok=True\n        labels: {app: db}'],
    ['matchLabels: {app: web}', 'labels:\n          app: #@ name'],
    ['matchLabels: {app: web}', 'labels:\n          app: (@= name @)'],
    ['#@ if x:\n      matchLabels: {}\n      #@ end', 'labels: {app: web}'],
  ])('is nobody’s mistake: %j, %j', (selector, labels) => {
    expect(marks(deployment(selector, labels))).toEqual([]);
  });

  it('is not counted', () => {
    const text = deployment('matchLabels: #@ labels()', 'labels: {app: web}');
    expect(sites(text).map(({ selects }) => selects)).toEqual([undefined]);
  });

  it('hides no mistake beside it', () => {
    const text = deployment('matchLabels: {app: a b}', 'labels: #@ labels()');
    expect(marks(text)).toEqual([['label-value', 'a b']]);
  });

  it('leaves a key of one underscore wrong where nothing replaces it', () => {
    const text = deployment('matchLabels: {app: web}', 'labels: {app: web, _: x}');
    expect(marks(text)).toEqual([['label-key', '_']]);
  });
});

describe('a parameter of CircleCI', () => {
  it.each([
    ['run: kubectl get pods -l "app=<< parameters.app >>"'],
    ['run: kubectl get pods -l app=<< parameters.app >>'],
    ["run: kubectl get pods -l 'app in (<< parameters.app >>)'"],
    ['label-selector: app=<< parameters.app >>'],
  ])('is nobody’s mistake: %j', (text) => {
    expect(marks(text)).toEqual([]);
  });

  it('begins no here document', () => {
    const text = yaml`
      run: |
        kubectl get pods -l app=<< parameters.app >>
        kubectl get pods -l "bad ("
      `;
    expect(marks(text)).toEqual([['label-selector', '(']]);
  });
});
