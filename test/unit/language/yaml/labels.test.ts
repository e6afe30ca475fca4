import { describe, expect, it } from 'vitest';
import { labelKeyErrors, labelValueErrors } from '../../../../server/kube/selectors';
import { fixed, found, marks, only, yaml } from './look';

/** A ConfigMap with these lines as its labels. */
function labelled(...lines: readonly string[]): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  labels:\n${lines
    .map((line) => `    ${line}\n`)
    .join('')}`;
}

describe('the labels of an object', () => {
  it('are right', () => {
    const labels = [
      'app: web',
      'example.com/a_b: A.1-z',
      'empty: ""',
      'null: ~',
      'none:',
      "x: '5'",
    ];
    expect(found(labelled(...labels.filter((line) => line !== 'null: ~')))).toEqual([]);
  });

  it.each([
    ['a b: c', 'a b', 'a b'],
    ['/x: c', '/x', '/x'],
    ['Example.com/x: c', 'Example.com/x', 'Example.com/x'],
    ['"a\\tb": c', '"a\\tb"', 'a\tb'],
    ['"": c', '""', ''],
  ])('%s has a key that is refused', (line, covered, key) => {
    const [message] = labelKeyErrors(key);
    const text = `metadata.labels: Invalid value: ${JSON.stringify(key)}: ${message!}`;
    expect(found(labelled(line))).toEqual([['label-key', covered, text]]);
  });

  it.each([
    ['a: b c', 'b c', 'b c'],
    ["a: '-b'", "'-b'", '-b'],
    [`a: ${'x'.repeat(64)}`, 'x'.repeat(64), 'x'.repeat(64)],
    ['a: /x', '/x', '/x'],
  ])('%s has a value that is refused', (line, covered, value) => {
    const [message] = labelValueErrors(value);
    const text = `metadata.labels: Invalid value: ${JSON.stringify(value)}: ${message!}`;
    expect(found(labelled(line))).toEqual([['label-value', covered, text]]);
  });

  it.each([
    ['yes', 'the truth value true', 'bool'],
    ['off', 'the truth value false', 'bool'],
    ['0755', 'the number 493', 'number'],
    ['1_000', 'the number 1000', 'number'],
    ['1e3', 'the number 1000', 'number'],
    ['1.10', 'the number 1.1', 'number'],
    ['!!int "7"', 'the number 7', 'number'],
  ])('with the value %s are refused, since it is no string', (value, is, type) => {
    const [[code, , message] = []] = found(labelled(`a: ${value}`));
    expect(code).toBe('not-a-string');
    expect(message).toContain(`as ${is}: json: cannot unmarshal ${type} into Go struct field `);
    expect(message).toMatch(/ObjectMeta\.metadata\.labels of type string$/);
  });

  it.each(['2001-01-01', '1.2.3', '0xG', 'yEs', '!!str 5', '"5"', "'yes'", '! 5'])(
    'with the value %s are strings',
    (value) => {
      expect(found(labelled(`a: ${value}`))).toEqual([]);
    },
  );

  it('are put in quotes', () => {
    expect(fixed(labelled('version: 0755 # why'), 'not-a-string')).toBe(
      labelled('version: "0755" # why'),
    );
  });

  it('lose blanks and capitals that do not belong there', () => {
    expect(fixed(labelled('" app ": web'), 'label-key')).toBe(labelled('"app": web'));
    expect(fixed(labelled("app: ' web'"), 'label-value')).toBe(labelled("app: 'web'"));
    expect(fixed(labelled('Example.com/x: web'), 'label-key')).toBe(labelled('example.com/x: web'));
    expect(fixed(labelled('app: "\\"web\\""'), 'label-value')).toBe(labelled('app: "web"'));
  });

  it.each([
    ['on: x', 'on', 'true'],
    ['0755: x', '0755', '493'],
    ['1e6: x', '1e6', '1e+06'],
  ])('%s have a key that is read as another', (line, covered, read) => {
    const warning = found(labelled(line)).find(([code]) => code === 'read-as-other');
    expect(warning).toEqual(['read-as-other', covered, `YAML reads ${covered} as ${read} here.`]);
  });

  it('have a key that is put in quotes', () => {
    expect(fixed(labelled('on: x'), 'read-as-other')).toBe(labelled('"on": x'));
  });

  it('count once where a key stands twice, the last one', () => {
    expect(marks(labelled('a: b c', 'a: d'))).toEqual([['label-value', 'b c']]);
  });

  it('are looked at in every object that says what it is, in lists as well', () => {
    const text = yaml`
      apiVersion: v1
      kind: List
      items:
      - apiVersion: example.com/v1
        kind: Widget
        metadata: {labels: {a: b c}}
      - metadata: {labels: {a: d e}}
        kind: ConfigMap
      `;
    expect(
      found(text).map(([code, covered, message]) => [code, covered, message.slice(0, 16)]),
    ).toEqual([
      ['label-value', 'b c', 'metadata.labels:'],
      ['label-value', 'd e', 'metadata.labels:'],
    ]);
    expect(found('metadata: {labels: {a: b c}}')).toEqual([]);
    expect(found('kind: X\nmetadata: {labels: {a: b c}}')).toEqual([]);
  });

  it('are those of what a template of OpenShift makes', () => {
    const text = yaml`
      apiVersion: template.openshift.io/v1
      kind: Template
      objects:
      - {apiVersion: v1, kind: Pod, metadata: {labels: {a: b c, d: "\${E}"}}}
      - {metadata: {labels: {a: b c}}}
      `;
    expect(marks(text)).toEqual([['label-value', 'b c']]);
  });

  it('of a template have the field that upstream names', () => {
    const text = yaml`
      apiVersion: apps/v1
      kind: Deployment
      spec:
        template:
          metadata:
            labels: {a: b c, d: 5}
      `;
    expect(only(text, 'label-value').message).toMatch(
      /^spec\.template\.labels: Invalid value: "b c"/,
    );
    expect(only(text, 'not-a-string').message).toMatch(
      /ObjectMeta\.spec\.template\.metadata\.labels of type string$/,
    );
  });

  it('of a custom resource are told no Go type', () => {
    const text = 'apiVersion: example.com/v1\nkind: Widget\nmetadata: {labels: {a: 5}}\n';
    expect(only(text, 'not-a-string').message).toBe(
      'YAML reads 5 as the number 5, and this has to be a string.',
    );
  });

  it('are found through anchors and merges, and told once', () => {
    const text = yaml`
      apiVersion: v1
      kind: Pod
      metadata:
        annotations: &all {a: b c}
        labels: &labels
          <<: *all
          d: e
      ---
      apiVersion: apps/v1
      kind: Deployment
      metadata:
        labels: &labels {a: b c}
      spec:
        selector: {matchLabels: *labels}
        template: {metadata: {labels: *labels}, spec: {containers: [{}]}}
      `;
    expect(marks(text)).toEqual([
      ['label-value', 'b c'],
      ['label-value', 'b c'],
    ]);
  });
});

describe('what is in no one’s hands yet', () => {
  it.each([
    '{{ .Values.key }}: a',
    'a: {{ .Values.app }}',
    'a: "{{ .Values.app }}"',
    'a: x-{{ .Values.app }}-{{ .Values.b }}',
    'a: ${APP}',
    'a: $(APP)',
    '$KEY: x',
    'a: <name here>',
    'a: {{ if x }}b c{{ else }}d e{{ end }}',
  ])('is left in peace: %s', (line) => {
    expect(found(labelled(line))).toEqual([]);
  });

  it('hides nothing beside it', () => {
    const text = labelled('{{- include "labels" . | nindent 4 }}', 'a: b c', '{{ if x }}', 'd: 5');
    expect(marks(text)).toEqual([
      ['label-value', 'b c'],
      ['not-a-string', '5'],
    ]);
  });

  it('is what stands behind broken YAML', () => {
    const broken =
      'apiVersion: v1\nkind: Pod\nmetadata:\n  labels:\n    a: b c\n  x: [\n    d: e f\n';
    expect(marks(broken)).toEqual([['label-value', 'b c']]);
    expect(marks(labelled('a: b c', 'half'))).toEqual([['label-value', 'b c']]);
  });
});
