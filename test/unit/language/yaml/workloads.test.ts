import { describe, expect, it } from 'vitest';
import { fixed, found, marks, yaml } from './look';

/** A Deployment with this selector and these lines of a template. */
function deployment(selector: string, ...template: readonly string[]): string {
  const lines = template.map((line) => `    ${line}\n`).join('');
  return `apiVersion: apps/v1\nkind: Deployment\nspec:\n  selector: ${selector}\n  template:\n${lines}`;
}

const SPEC = ['spec:', '  containers:', '  - name: a'];
const WEB = '{matchLabels: {app: web, tier: db}}';
const wrong = (labels: string): string =>
  `spec.template.metadata.labels: Invalid value: ${labels}: \`selector\` does not match template \`labels\``;

describe('a selector and the labels of its own template', () => {
  it.each([
    [WEB, ['metadata:', '  labels: {app: web, tier: db, more: x}', ...SPEC]],
    ['{matchExpressions: [{key: a, operator: DoesNotExist}]}', [...SPEC]],
    [
      '{matchExpressions: [{key: a, operator: In, values: [x, w]}]}',
      ['metadata: {labels: {a: w}}', ...SPEC],
    ],
  ])('go together: %s', (selector, template) => {
    expect(found(deployment(selector, ...template))).toEqual([]);
  });

  it.each([
    [['metadata:', '  labels:', '    app: web', ...SPEC], 'tier: db', '{"app":"web"}'],
    [['metadata:', '  labels: {tier: db, app: x}', ...SPEC], 'app: web', '{"app":"x","tier":"db"}'],
    [['metadata:', '  name: a', ...SPEC], 'app: web', 'null'],
    [[...SPEC], 'app: web', 'null'],
    [['metadata: {labels: {}}', ...SPEC], 'app: web', '{}'],
  ])('do not: %j', (template, covered, labels) => {
    expect(found(deployment(WEB, ...template))).toEqual([
      ['template-labels', covered, wrong(labels)],
    ]);
  });

  it.each([
    ['{app: x, tier: 1}', [['app: web', '{"app":"x"}']]],
    ['{app: x, tier: yes}', [['app: web', '{"app":"x"}']]],
    ['{app: x, tier: {a: b}}', [['app: web', '{"app":"x"}']]],
    ['{app: x, tier: [db]}', [['app: web', '{"app":"x"}']]],
    ['{app: x, tier: $(TIER)}', [['app: web', '{"app":"x"}']]],
    ['{app: x, tier: 1, tier: db}', [['app: web', '{"app":"x","tier":"db"}']]],
    ['{app: x, other: 1}', [['app: web', '{"app":"x"}']]],
    ['{app: web, tier: null}', [['tier: db', '{"app":"web","tier":""}']]],
    ['{app: web, tier: 1}', []],
    ['{app: web, tier: db, tier: {}}', []],
    ['{app: 1, tier: 2}', []],
    ['{app: x, "{{ k }}": 1}', []],
    ['{app: x, tier: {{ t }}}', []],
  ])('a label that is no text hides no other: %s', (labels, wanted) => {
    const text = deployment(WEB, 'metadata:', `  labels: ${labels}`, ...SPEC);
    const told = found(text).filter(([code]) => code === 'template-labels');
    expect(told).toEqual(
      wanted.map(([covered = '', shown = '']) => ['template-labels', covered, wrong(shown)]),
    );
  });

  it('labels with a merge of what is not there are not judged', () => {
    const labels = ['metadata:', '  labels:', '    <<: *x', '    app: web', ...SPEC];
    expect(found(deployment(WEB, ...labels))).toEqual([]);
  });

  it('a fix has the line ends of its document', () => {
    const text = deployment(WEB, 'metadata:', '  labels:', '    app: web', ...SPEC);
    const wanted = fixed(text, 'template-labels').replaceAll('\n', '\r\n');
    expect(fixed(text.replaceAll('\n', '\r\n'), 'template-labels')).toBe(wanted);
  });

  it('a selector that asks for a number is still held against the labels', () => {
    const template = ['metadata: {labels: {app: x, tier: db}}', ...SPEC];
    expect(marks(deployment('{matchLabels: {app: web, tier: 1}}', ...template))).toEqual([
      ['template-labels', 'app: web'],
      ['not-a-string', '1'],
    ]);
    expect(marks(deployment('{matchLabels: {app: x, tier: 1}}', ...template))).toEqual([
      ['not-a-string', '1'],
    ]);
    expect(marks(deployment('{matchLabels: {app: web, tier: {{ t }}}}', ...template))).toEqual([]);
  });

  it.each([
    [
      ['metadata:', '  labels:', '    app: web', ...SPEC],
      ['metadata:', '  labels:', '    tier: db', '    app: web', ...SPEC],
    ],
    [
      ['metadata:', '  labels: {app: web}', ...SPEC],
      ['metadata:', '  labels: {tier: db, app: web}', ...SPEC],
    ],
    [
      ['metadata: {labels: {}}', ...SPEC],
      ['metadata: {labels: {app: web, tier: db}}', ...SPEC],
    ],
    [
      ['metadata:', '  labels:', '    app: x # why', '    tier: db', ...SPEC],
      ['metadata:', '  labels:', '    app: web # why', '    tier: db', ...SPEC],
    ],
    [
      ['metadata:', '  labels:', ...SPEC],
      ['metadata:', '  labels:', '    app: web', '    tier: db', ...SPEC],
    ],
    [
      ['metadata: # why', ...SPEC],
      ['metadata: # why', '  labels:', '    app: web', '    tier: db', ...SPEC],
    ],
    [
      ['metadata:', '  labels:', '    app: web', '    <<: {x: w}', ...SPEC],
      ['metadata:', '  labels:', '    tier: db', '    app: web', '    <<: {x: w}', ...SPEC],
    ],
    [
      ['metadata:', '  labels:', '    <<: {app: web}', '    x: w', ...SPEC],
      ['metadata:', '  labels:', '    tier: db', '    <<: {app: web}', '    x: w', ...SPEC],
    ],
    [
      ['metadata:', '  labels:', '    app: x', ...SPEC],
      ['metadata:', '  labels:', '    tier: db', '    app: web', ...SPEC],
    ],
    [
      ['metadata:', '  name: a', ...SPEC],
      ['metadata:', '  labels:', '    app: web', '    tier: db', '  name: a', ...SPEC],
    ],
    [[...SPEC], ['metadata:', '  labels:', '    app: web', '    tier: db', ...SPEC]],
  ])('are brought together: %j', (before, after) => {
    expect(fixed(deployment(WEB, ...before), 'template-labels')).toBe(deployment(WEB, ...after));
  });

  it('are brought together in JSON', () => {
    const text = JSON.stringify({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      spec: {
        selector: { matchLabels: { app: 'web' } },
        template: { metadata: { labels: { tier: 'db' } }, spec: { containers: [{}] } },
      },
    });
    const after: unknown = JSON.parse(fixed(text, 'template-labels'));
    expect(after).toMatchObject({
      spec: { template: { metadata: { labels: { app: 'web', tier: 'db' } } } },
    });
  });

  it('get quotes where they need them', () => {
    const text = deployment('{matchLabels: {a: "5"}}', ...SPEC);
    expect(fixed(text, 'template-labels')).toContain("labels:\n        a: '5'\n");
  });

  it.each([
    ['a patch', deployment(WEB, 'metadata: {labels: {app: web}}')],
    ['a template in the labels', deployment(WEB, 'metadata:', '  labels:', '    {{ x }}', ...SPEC)],
    [
      'a template beside them',
      deployment(WEB, 'metadata:', '  {{- if x }}', '  labels: {a: b}', '  {{- end }}', ...SPEC),
    ],
    [
      'a template in the selector',
      deployment('{matchLabels: {app: {{ x }}}}', 'metadata: {labels: {a: b}}', ...SPEC),
    ],
    ['a variable', deployment('{matchLabels: {app: $APP}}', 'metadata: {labels: {a: b}}', ...SPEC)],
    [
      'a selector that is wrong itself',
      deployment('{matchExpressions: [{key: a, operator: in}]}', ...SPEC),
    ],
  ])('may yet go together: %s', (_why, text) => {
    expect(marks(text).map(([code]) => code)).not.toContain('template-labels');
  });

  it('are compared for every kind that has them', () => {
    const other = (apiVersion: string, kind: string, selector: string): string =>
      `apiVersion: ${apiVersion}\nkind: ${kind}\nspec: {selector: ${selector}, template: {metadata: {labels: {a: b}}, spec: {containers: [{}]}}}\n`;
    for (const [apiVersion, kind] of [
      ['apps/v1', 'StatefulSet'],
      ['apps/v1', 'DaemonSet'],
      ['apps/v1', 'ReplicaSet'],
      ['argoproj.io/v1alpha1', 'Rollout'],
    ] as const) {
      expect(marks(other(apiVersion, kind, '{matchLabels: {a: c}}'))).toEqual([
        ['template-labels', 'a: c'],
      ]);
    }
    expect(marks(other('v1', 'ReplicationController', '{a: c}'))).toEqual([
      ['template-labels', 'a: c'],
    ]);
  });
});

describe('the selector of a Job', () => {
  const job = (selector: string, manual = ''): string =>
    `apiVersion: batch/v1\nkind: Job\nspec:\n${manual}  selector: ${selector}\n  template: {metadata: {labels: {a: b}}, spec: {containers: [{}]}}\n`;

  it('is made by Kubernetes', () => {
    expect(found(job('{matchLabels: {a: b}}'))).toEqual([
      [
        'request',
        'selector: {matchLabels: {a: b}}',
        'spec.selector: Invalid value: {"matchLabels":{"a":"b"}}: `selector` not auto-generated',
      ],
    ]);
    expect(found(job('{matchLabels: {batch.kubernetes.io/controller-uid: x}}'))).toEqual([]);
    expect(found(job('{}'))).toEqual([]);
  });

  it('has to match the template where it is written by hand', () => {
    expect(found(job('{matchLabels: {a: b}}', '  manualSelector: true\n'))).toEqual([]);
    expect(marks(job('{matchLabels: {a: c}}', '  manualSelector: true\n'))).toEqual([
      ['template-labels', 'a: c'],
    ]);
    expect(marks(job('{matchLabels: {a: c}}', '  manualSelector: {{ x }}\n'))).toEqual([]);
  });

  it('is refused in a CronJob, an empty one too', () => {
    const text = (selector: string): string =>
      `apiVersion: batch/v1\nkind: CronJob\nspec:\n  jobTemplate:\n    spec:\n      selector: ${selector}\n`;
    const json = '{"matchExpressions":[{"key":"a","operator":"In","values":["b"]}]}';
    expect(found(text('{matchExpressions: [{key: a, operator: In, values: [b]}]}'))[0]?.[2]).toBe(
      `spec.jobTemplate.spec.selector: Invalid value: ${json}: \`selector\` will be auto-generated`,
    );
    expect(marks(text('{}'))).toEqual([['request', 'selector: {}']]);
    expect(found(text('~'))).toEqual([]);
  });
});

describe('a Service', () => {
  const service = (selector: string, rest = ''): string =>
    `apiVersion: v1\nkind: Service\nmetadata: {name: s${rest}}\nspec: {selector: ${selector}}\n`;
  const pod = (labels: string, rest = ''): string =>
    `---\napiVersion: v1\nkind: Pod\nmetadata: {name: p, labels: ${labels}${rest}}\n`;
  const workload = (labels: string): string =>
    `---\n${deployment(`{matchLabels: ${labels}}`, `metadata: {labels: ${labels}}`, ...SPEC)}`;

  it('selects none of the Pods of its file', () => {
    const text = service('{app: web}') + pod('{app: api}') + workload('{app: db}');
    expect(found(text)).toEqual([
      ['selects-nothing', 'selector', 'This selector matches no Pod that is made in this file.'],
    ]);
  });

  it.each([
    ['one of them', service('{app: web}') + pod('{app: api}') + workload('{app: web, x: z}')],
    ['what is elsewhere', service('{app: web}')],
    ['what is in another namespace', service('{app: web}', ', namespace: a') + pod('{app: b}')],
    ['Pods with labels that are not known', service('{app: web}') + pod('{app: {{ x }}}')],
    [
      'Pods that an operator makes',
      `${service('{app: web}') + pod('{app: b}')}---\napiVersion: example.com/v1\nkind: Widget\n`,
    ],
    [
      'what a controller gives its Pods',
      service('{statefulset.kubernetes.io/pod-name: a-0}') + pod('{a: b}'),
    ],
    ['nothing by itself', service('{}') + pod('{app: b}')],
  ])('may select %s', (_what, text) => {
    expect(marks(text).map(([code]) => code)).not.toContain('selects-nothing');
  });

  it('stays with what it is told when a document beside it changes', () => {
    const text = yaml`
      apiVersion: v1
      kind: List
      items:
      - {apiVersion: v1, kind: Service, spec: {selector: {app: web}}}
      - {apiVersion: v1, kind: Pod, metadata: {labels: {app: api}}}
      `;
    expect(marks(text)).toEqual([['selects-nothing', 'selector']]);
    expect(marks(text.replace('api}', 'web}'))).toEqual([]);
  });
});
