import { describe, expect, it } from 'vitest';
import { found, marks, yaml } from './look';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';

/** A Pod with a term of affinity to other Pods, which begins with a topology key. */
const affinity = (lines: string, labels = '{a: x}'): string => yaml`
  apiVersion: v1
  kind: Pod
  metadata: {labels: ${labels}}
  spec: {affinity: {podAffinity: {${REQUIRED}: [{topologyKey: zone, ${lines}}]}}}
  `;
const spread = (lines: string): string => yaml`
  apiVersion: apps/v1
  kind: Deployment
  spec:
    template:
      metadata: {labels: {a: x}}
      spec: {topologySpreadConstraints: [{topologyKey: zone, ${lines}}]}
  `;
const TERM = `spec.affinity.podAffinity.${REQUIRED}[0]`;
const CONSTRAINT = 'spec.template.spec.topologySpreadConstraints[0]';
const both = (path: string, where: string): string =>
  `${path}: Invalid value: "a": exists in both matchLabelKeys and ${where}`;
const unset = (path: string): string =>
  `${path}: Forbidden: must not be specified when labelSelector is not set`;

describe('keys whose values the Pod’s own labels give', () => {
  it.each([
    [
      affinity('matchLabelKeys: [a], labelSelector: {matchLabels: {a: b}}'),
      'a',
      both(`${TERM}[0]`, 'labelSelector'),
    ],
    [
      affinity(
        'matchLabelKeys: [b, a], labelSelector: {matchExpressions: [{key: a, operator: Exists}]}',
      ),
      'a',
      both(`${TERM}[1]`, 'labelSelector'),
    ],
    [
      affinity('matchLabelKeys: [a], mismatchLabelKeys: [b, a], labelSelector: {}'),
      'a',
      both(`${TERM}.matchLabelKeys[0]`, 'mismatchLabelKeys'),
    ],
    [affinity('matchLabelKeys: [a]'), 'matchLabelKeys', unset(`${TERM}.matchLabelKeys`)],
    [affinity('mismatchLabelKeys: [a]'), 'mismatchLabelKeys', unset(`${TERM}.mismatchLabelKeys`)],
    [
      affinity('matchLabelKeys: [a], labelSelector: null'),
      'matchLabelKeys',
      unset(`${TERM}.matchLabelKeys`),
    ],
    [
      spread('matchLabelKeys: [a], labelSelector: {matchLabels: {a: b}}'),
      'a',
      both(`${CONSTRAINT}[0]`, 'labelSelector'),
    ],
    [spread('matchLabelKeys: [a]'), 'matchLabelKeys', unset(`${CONSTRAINT}.matchLabelKeys`)],
  ])('are held against the selector beside them: %s', (text, at, message) => {
    const told = found(text).filter(([code]) => code === 'request');
    expect(told).toEqual([['request', at, message]]);
  });

  it.each([
    [affinity('matchLabelKeys: [a], labelSelector: {matchLabels: {b: c}}')],
    [affinity('matchLabelKeys: [], mismatchLabelKeys: []')],
    [affinity('mismatchLabelKeys: [a], labelSelector: {matchLabels: {a: b}}')],
    [affinity('matchLabelKeys: ["{{ a }}"], labelSelector: {matchLabels: {"{{ a }}": b}}')],
    [affinity('matchLabelKeys: [a], {{ if x }}labelSelector: {matchLabels: {b: c}}{{ end }}')],
  ])('are well where they say something else: %s', (text) => {
    expect(marks(text).filter(([code]) => code === 'request')).toEqual([]);
  });

  it('are added to the selector only where the Pod has the label', () => {
    const term = 'matchLabelKeys: [a], labelSelector: {matchLabels: {a: b}}';
    expect(marks(affinity(term, '{b: x}'))).toEqual([]);
    expect(marks(affinity(term, '{"{{ a }}": x}'))).toEqual([['request', 'a']]);
    expect(
      marks(
        affinity(
          term.replaceAll('a: b', 'pod-template-hash: b').replace('[a]', '[pod-template-hash]'),
        ),
      ),
    ).toEqual([['request', 'pod-template-hash']]);
  });
});

describe('a key of a topology', () => {
  it('may not be empty', () => {
    const text = affinity('labelSelector: {matchLabels: {b: c}}').replace(
      'topologyKey: zone',
      'topologyKey: ""',
    );
    expect(found(text)).toEqual([
      ['request', '""', `${TERM}.topologyKey: Required value: can not be empty`],
    ]);
    expect(marks(spread('labelSelector: {matchLabels: {b: c}}').replace('zone', '""'))).toEqual([
      ['request', '""'],
    ]);
  });
});

describe('terms for nodes', () => {
  const node = (required: string): string => yaml`
    apiVersion: v1
    kind: Pod
    spec: {affinity: {nodeAffinity: {${REQUIRED}: ${required}}}}
    `;
  const message = `spec.affinity.nodeAffinity.${REQUIRED}.nodeSelectorTerms: Required value: must have at least one node selector term`;

  it.each([
    ['{}', REQUIRED],
    ['{nodeSelectorTerms: []}', 'nodeSelectorTerms: []'],
    ['{nodeSelectorTerms: null}', 'nodeSelectorTerms: null'],
  ])('are missed in %s', (required, at) => {
    expect(found(node(required))).toEqual([['values', at, message]]);
  });

  it.each(['null', '{{ x }}', '{ {{ x }} }', '{nodeSel'])('are not missed in %s', (required) => {
    expect(marks(node(required))).toEqual([]);
  });
});
