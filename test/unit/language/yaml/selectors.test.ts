import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { labelValueErrors } from '../../../../server/kube/selectors';
import { analyseYaml, fixed, found, marks, only, selects, sites, yaml } from './look';

/** A NetworkPolicy with these lines below its selector. */
function policy(...lines: readonly string[]): string {
  const head =
    'apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {namespace: web}\n';
  return `${head}spec:\n  podSelector:\n${lines.map((line) => `    ${line}\n`).join('')}`;
}

const expression = (...lines: readonly string[]): string =>
  policy('matchExpressions:', ...lines.map((line, i) => `${i === 0 ? '- ' : '  '}${line}`));

const PATH = 'spec.podSelector.matchExpressions[0]';

describe('a label selector as an object', () => {
  it('is a site with what it selects', () => {
    const text = policy(
      'matchLabels: {b: x, a: ""}',
      'matchExpressions:',
      '- {key: c, operator: In, values: [z, w]}',
      '- {key: d, operator: NotIn, values: [v]}',
      '- key: e',
      '  operator: Exists',
      '- {key: f, operator: DoesNotExist}',
    );
    expect(found(text)).toEqual([]);
    expect(selects(text)).toEqual(['pods web: a=,b=x,c in (w,z),d notin (v),e,!f']);
    const [site] = sites(text);
    expect(site?.form).toBe('object');
    expect(text.slice(site!.anchor.start, site!.anchor.end)).toBe('podSelector');
    expect(text.slice(site!.span.start, site!.span.end)).toMatch(/^podSelector:[^]*DoesNotExist}$/);
    expect(
      site!.requirements.map(({ key, operator, values, span }) => [
        key,
        operator,
        values,
        text.slice(span.start, span.end),
      ]),
    ).toEqual([
      ['b', '=', ['x'], 'b: x'],
      ['a', '=', [''], 'a: ""'],
      ['c', 'in', ['z', 'w'], '{key: c, operator: In, values: [z, w]}'],
      ['d', 'notin', ['v'], '{key: d, operator: NotIn, values: [v]}'],
      ['e', 'exists', [], 'key: e\n      operator: Exists'],
      ['f', '!', [], '{key: f, operator: DoesNotExist}'],
    ]);
  });

  it.each([
    ['in', 'In'],
    ['IN', 'In'],
    ['notin', 'NotIn'],
    ['"not in"', '"NotIn"'],
    ['exists', 'Exists'],
    ['=', 'In'],
    ['"!="', '"NotIn"'],
    ['NotExists', 'DoesNotExist'],
    ['Equals', 'In'],
    ['Exits', 'Exists'],
  ])('has no operator %s, but %s', (written, meant) => {
    const text = expression('key: a', `operator: ${written}`, 'values: [b]');
    const plain = written.replaceAll('"', '');
    const { message, span } = only(text, 'operator');
    const quoted = JSON.stringify(plain);
    expect(message).toBe(
      `${PATH}.operator: Invalid value: ${quoted}: not a valid selector operator`,
    );
    expect(text.slice(span.start, span.end)).toBe(written);
    expect(fixed(text, 'operator')).toBe(
      text.replace(`operator: ${written}`, `operator: ${meant}`),
    );
  });

  it.each([
    [
      ['key: a', 'operator: In', 'values: []'],
      'values',
      "values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
    ],
    [
      ['key: a', 'operator: NotIn'],
      'NotIn',
      "values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
    ],
    [
      ['key: a', 'operator: Exists', 'values: [x]'],
      'values',
      "values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
    ],
  ])('%j has values that do not go with the operator', (lines, covered, message) => {
    expect(found(expression(...lines))).toEqual([['values', covered, `${PATH}.${message}`]]);
  });

  it('has Gt and Lt for nodes only', () => {
    const text = expression('key: a', 'operator: Gt', 'values: ["1"]');
    expect(marks(text)).toEqual([['operator', 'Gt']]);
  });

  it('has keys and values that are checked where they stand', () => {
    const text = expression('key: a b', 'operator: In', 'values:', '- x', '- y z', '- 5', '- yes');
    expect(
      found(text).map(([code, covered, message]) => [code, covered, message.slice(0, 70)]),
    ).toEqual(
      [
        ['label-key', 'a b', `${PATH}.key: Invalid value: "a b": name pa`],
        ['label-value', 'y z', `${PATH}.values[1]: Invalid value: "y z": `],
        [
          'not-a-string',
          '5',
          'YAML reads 5 as the number 5: json: cannot unmarshal number into Go str'.slice(0, 70),
        ],
        [
          'not-a-string',
          'yes',
          'YAML reads yes as the truth value true: json: cannot unmarshal bool into'.slice(0, 70),
        ],
      ].map(([code, covered, message]) => [
        code,
        covered,
        expect.stringContaining(message!.slice(0, 60)) as string,
      ]),
    );
    expect(only(policy('matchLabels: {a: 5}'), 'not-a-string').message).toBe(
      'YAML reads 5 as the number 5: json: cannot unmarshal number into Go struct field LabelSelector.spec.podSelector.matchLabels of type string',
    );
  });

  it('names the Go field of an operator and of values', () => {
    const text = expression('key: 1', 'operator: on', 'values: [2]');
    expect(found(text).map(([, , message]) => /field (.*)/.exec(message)?.[1])).toEqual([
      'LabelSelectorRequirement.spec.podSelector.matchExpressions.key of type string',
      'LabelSelectorRequirement.spec.podSelector.matchExpressions.operator of type v1.LabelSelectorOperator',
      'LabelSelectorRequirement.spec.podSelector.matchExpressions.values of type string',
    ]);
  });

  it('says at its first line what is missing', () => {
    expect(marks(expression('key: a', 'values: [b]'))).toEqual([['operator', 'key: a']]);
    expect(marks(expression('operator: Exists'))).toEqual([['label-key', 'operator: Exists']]);
  });

  it('cannot match when it contradicts itself', () => {
    const text = policy(
      'matchLabels:',
      '  app: web',
      'matchExpressions:',
      '- {key: app, operator: NotIn, values: [web]}',
      '- {key: tier, operator: DoesNotExist}',
      '- {key: tier, operator: Exists}',
    );
    expect(found(text)).toEqual([
      [
        'contradiction',
        '{key: app, operator: NotIn, values: [web]}',
        'This selector matches nothing: for "app" every value that is asked for is excluded as well.',
      ],
      [
        'contradiction',
        '{key: tier, operator: Exists}',
        'This selector matches nothing: for "tier" the label would have to be present and absent.',
      ],
    ]);
  });

  it('says once what it says twice', () => {
    const text = policy(
      'matchLabels:',
      '  app: web',
      'matchExpressions:',
      '- key: app',
      '  operator: In',
      '  values: [web]',
      '- {key: tier, operator: Exists}',
    );
    expect(marks(text)[0]?.[0]).toBe('duplicate-requirement');
    expect(fixed(text, 'duplicate-requirement')).toBe(
      policy('matchLabels:', '  app: web', 'matchExpressions:', '- {key: tier, operator: Exists}'),
    );
  });

  it('is no business of ours where it is something else', () => {
    for (const line of ['matchLabels: web', 'matchLabels: [a]', 'matchExpressions: {a: b}']) {
      expect(found(policy(line))).toEqual([]);
    }
    expect(found(policy('matchExpressions: [a, [b], 5]'))).toEqual([]);
  });

  it('is told nothing as a whole about while a template has a hand in it', () => {
    const text = policy(
      'matchLabels:',
      '  app: web',
      '  {{- if .Values.x }}',
      'matchExpressions:',
      '- {key: app, operator: NotIn, values: [web]}',
      '- {key: app, operator: Equal, values: []}',
      '  {{- end }}',
    );
    expect(marks(text)).toEqual([['operator', 'Equal']]);
    expect(sites(text)[0]?.selects).toBeUndefined();
    const values = expression('key: a', 'operator: In', 'values: {{ .Values.all }}');
    expect(found(values)).toEqual([]);
    expect(sites(values)[0]?.selects).toBeUndefined();
  });
});

describe('an empty selector', () => {
  const kind = (apiVersion: string, name: string, rest: string): string =>
    `apiVersion: ${apiVersion}\nkind: ${name}\n${rest}\n`;

  it.each([
    ['apps/v1', 'Deployment', 'deployment'],
    ['apps/v1', 'ReplicaSet', 'deployment'],
    ['apps/v1', 'StatefulSet', 'statefulset'],
    ['apps/v1', 'DaemonSet', 'daemonset'],
  ])('is refused by a %s %s', (apiVersion, name, word) => {
    expect(found(kind(apiVersion, name, 'spec: {selector: {matchLabels: {}}}'))).toEqual([
      [
        'request',
        'selector: {matchLabels: {}}',
        `spec.selector: Invalid value: {}: empty selector is invalid for ${word}`,
      ],
    ]);
  });

  it.each([
    [
      'policy/v1',
      'PodDisruptionBudget',
      'selector',
      'An empty selector selects all pods in its namespace here.',
    ],
    [
      'policy/v1beta1',
      'PodDisruptionBudget',
      'selector',
      'An empty selector selects no pods here.',
    ],
    ['v1', 'Service', 'selector', 'An empty selector selects no pods here.'],
  ])('means something in a %s %s', (apiVersion, name, field, message) => {
    const text = kind(apiVersion, name, `spec: {${field}: {}}`);
    expect(found(text)).toEqual([['empty-selector', `${field}: {}`, message]]);
  });

  it('is nothing to speak of where everybody writes it', () => {
    expect(found(kind('networking.k8s.io/v1', 'NetworkPolicy', 'spec: {podSelector: {}}'))).toEqual(
      [],
    );
  });

  it('selects what its kind says, and one that is absent too', () => {
    const meanings = (apiVersion: string, name: string, rest: string) =>
      sites(kind(apiVersion, name, rest)).map(({ empty, selects: what }) => [empty, what]);
    expect(meanings('policy/v1', 'PodDisruptionBudget', 'spec: {selector: {}}')).toEqual([
      ['all', [{ labels: '', fields: '' }]],
    ]);
    expect(meanings('policy/v1', 'PodDisruptionBudget', 'spec: {selector: }')).toEqual([
      ['none', []],
    ]);
    expect(meanings('policy/v1beta1', 'PodDisruptionBudget', 'spec: {selector: {}}')).toEqual([
      ['none', []],
    ]);
    expect(meanings('apps/v1', 'Deployment', 'spec: {selector: {}}')).toEqual([
      ['refused', undefined],
    ]);
  });

  it('is not one while a template may fill it', () => {
    const text =
      'apiVersion: apps/v1\nkind: Deployment\nspec:\n  selector:\n    {{- include "x" . }}\n';
    expect(found(text)).toEqual([]);
    expect(found(text.replace('{{- include "x" . }}', 'matchLabels: {a: ${B}}'))).toEqual([]);
  });
});

describe('a selector of nodes', () => {
  const pod = (...lines: readonly string[]): string =>
    `apiVersion: v1\nkind: Pod\nspec:\n  affinity:\n    nodeAffinity:\n${lines
      .map((line) => `      ${line}\n`)
      .join('')}`;
  const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
  const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';
  const TERMS = `spec.affinity.nodeAffinity.${REQUIRED}.nodeSelectorTerms`;

  it('is a site with alternatives', () => {
    const text = pod(
      `${REQUIRED}:`,
      '  nodeSelectorTerms:',
      '  - matchExpressions:',
      '    - {key: zone, operator: In, values: [a, b]}',
      '    - {key: cpus, operator: Gt, values: ["8"]}',
      '  - matchFields:',
      '    - {key: metadata.name, operator: In, values: [n1]}',
      '  - {}',
    );
    expect(found(text)).toEqual([]);
    expect(selects(text)).toEqual(['nodes -: cpus>8,zone in (a,b) | ; metadata.name=n1']);
    expect(sites(text)[0]?.form).toBe('terms');
  });

  it('is held against upstream’s rules', () => {
    const text = pod(
      `${REQUIRED}:`,
      '  nodeSelectorTerms:',
      '  - matchExpressions:',
      '    - {key: a, operator: gt, values: ["1"]}',
      '    - {key: b, operator: Lt, values: ["1", "2"]}',
      '    - {key: c, operator: In}',
      '    matchFields:',
      '    - {key: spec.x, operator: In, values: [a]}',
      '    - {key: metadata.name, operator: Exists}',
      '    - {key: metadata.name, operator: In, values: [A_B]}',
    );
    const e = `${TERMS}[0].matchExpressions`;
    const f = `${TERMS}[0].matchFields`;
    expect(found(text)).toEqual([
      ['operator', 'gt', `${e}[0].operator: Invalid value: "gt": not a valid selector operator`],
      [
        'values',
        'values',
        `${e}[1].values: Required value: must be specified single value when \`operator\` is 'Lt' or 'Gt'`,
      ],
      [
        'values',
        'In',
        `${e}[2].values: Required value: must be specified when \`operator\` is 'In' or 'NotIn'`,
      ],
      [
        'label-key',
        'spec.x',
        `${f}[0].key: Invalid value: "spec.x": not a valid field selector key`,
      ],
      [
        'operator',
        'Exists',
        `${f}[1].operator: Invalid value: "Exists": not a valid selector operator`,
      ],
      [
        'label-value',
        'A_B',
        expect.stringContaining(
          `${f}[2].values[0]: Invalid value: "A_B": a lowercase RFC 1123 subdomain`,
        ) as string,
      ],
    ]);
  });

  it('needs a term', () => {
    expect(found(pod(`${REQUIRED}: {nodeSelectorTerms: []}`))).toEqual([
      [
        'values',
        'nodeSelectorTerms: []',
        `${TERMS}: Required value: must have at least one node selector term`,
      ],
    ]);
  });

  it('matches nothing with a bound that is no number', () => {
    const text = pod(
      `${REQUIRED}:`,
      '  nodeSelectorTerms:',
      '  - matchExpressions:',
      '    - {key: a, operator: Gt, values: [x1]}',
    );
    expect(found(text)).toEqual([
      [
        'contradiction',
        'x1',
        'This selector matches nothing: for "a" the value is no whole number.',
      ],
    ]);
  });

  it('that is only preferred is warned of, as upstream does', () => {
    const text = pod(
      `${PREFERRED}:`,
      '- weight: 1',
      '  preference:',
      '    matchExpressions:',
      '    - {key: a, operator: In, values: ["b c"]}',
    );
    expect(found(text)).toEqual([
      [
        'contradiction',
        '"b c"',
        `spec.affinity.nodeAffinity.${PREFERRED}[0].preference.matchExpressions[0].values[0]: b c is invalid, ${labelValueErrors('b c')[0]!}`,
      ],
    ]);
  });

  it('has old keys that the API server warns of', () => {
    const text = yaml`
      apiVersion: apps/v1
      kind: DaemonSet
      spec:
        template:
          spec:
            nodeSelector: {beta.kubernetes.io/os: linux, kubernetes.io/arch: arm64}
            topologySpreadConstraints:
            - topologyKey: failure-domain.beta.kubernetes.io/zone
            affinity:
              podAntiAffinity:
                requiredDuringSchedulingIgnoredDuringExecution:
                - topologyKey: beta.kubernetes.io/os
              nodeAffinity:
                requiredDuringSchedulingIgnoredDuringExecution:
                  nodeSelectorTerms:
                  - matchExpressions:
                    - key: node-role.kubernetes.io/master
                      operator: Exists
      ---
      apiVersion: node.k8s.io/v1
      kind: RuntimeClass
      scheduling:
        nodeSelector: {beta.kubernetes.io/arch: arm64}
      ---
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      allowedTopologies:
      - matchLabelExpressions:
        - {key: failure-domain.beta.kubernetes.io/region, values: [a]}
      ---
      apiVersion: storage.k8s.io/v1
      kind: CSIStorageCapacity
      nodeTopology:
        matchLabels: {beta.kubernetes.io/os: linux}
      `;
    expect(found(text).map(([code, , message]) => [code, message])).toEqual([
      [
        'deprecated',
        'spec.template.spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead',
      ],
      [
        'deprecated',
        'spec.template.spec.topologySpreadConstraints[0].topologyKey: failure-domain.beta.kubernetes.io/zone is deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
      ],
      [
        'deprecated',
        `spec.template.${TERMS}[0].matchExpressions[0].key: node-role.kubernetes.io/master is use "node-role.kubernetes.io/control-plane" instead`,
      ],
      [
        'deprecated',
        'scheduling.nodeSelector: deprecated since v1.14; use "kubernetes.io/arch" instead',
      ],
      [
        'deprecated',
        'allowedTopologies[0].matchLabelExpressions[0].key: deprecated since v1.17; use "topology.kubernetes.io/region" instead',
      ],
      [
        'deprecated',
        'nodeTopology.matchLabels.beta.kubernetes.io/os: deprecated since v1.14; use "kubernetes.io/os" instead',
      ],
    ]);
    const [first] = analyseYaml(text).findings;
    expect(first?.fixes.map(({ title }) => title)).toEqual(['Change to kubernetes.io/os']);
  });
});

interface GoFieldCase {
  readonly apiVersion: string;
  readonly kind: string;
  readonly object: object;
  readonly error: string;
}

describe('a number or a truth value in the place of a text', () => {
  const file = readFileSync(join(import.meta.dirname, 'goFields.json'), 'utf8');
  const { cases } = JSON.parse(file) as { readonly cases: readonly GoFieldCase[] };

  it.each(cases)(
    'is refused with upstream’s own text: $kind $object',
    ({ apiVersion, kind, object, error }) => {
      const { message } = only(JSON.stringify({ apiVersion, kind, ...object }), 'not-a-string');
      expect(message.slice(message.indexOf('json:'))).toBe(error);
    },
  );
});

describe('selectors of other forms', () => {
  it('are held against themselves where they ask for fields', () => {
    const text = yaml`
      apiVersion: v1
      kind: Pod
      spec:
        affinity:
          nodeAffinity:
            requiredDuringSchedulingIgnoredDuringExecution:
              nodeSelectorTerms:
              - matchFields:
                - {key: metadata.name, operator: In, values: [a]}
                - {key: metadata.name, operator: NotIn, values: [a]}
      `;
    expect(marks(text).map(([code]) => code)).toEqual(['contradiction']);
  });

  it('are read from maps', () => {
    const text =
      'apiVersion: v1\nkind: Service\nmetadata: {namespace: a}\nspec:\n  selector: {b: c, a: 5}\n';
    expect(found(text)).toEqual([
      [
        'not-a-string',
        '5',
        'YAML reads 5 as the number 5: json: cannot unmarshal number into Go struct field ServiceSpec.spec.selector of type string',
      ],
    ]);
    expect(selects(text.replace('5', 'd'))).toEqual(['pods a: a=d,b=c']);
    expect(selects(text)).toEqual(['pods a: -']);
  });

  it('lead into other namespaces where something says so', () => {
    const peer = (rest: string): string =>
      `apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {namespace: a}\nspec:\n  ingress:\n  - from:\n    - podSelector: {matchLabels: {a: b}}\n${rest}`;
    expect(selects(peer(''))).toEqual(['pods a: a=b']);
    expect(selects(peer('      namespaceSelector: {}\n'))).toEqual([
      'pods -: a=b',
      'namespaces -: ',
    ]);
    expect(selects(peer('      namespaceSelector: null\n'))[0]).toBe('pods a: a=b');
    expect(selects(peer('      namespaceSelector: {{ x }}\n'))[0]).toBe('pods -: a=b');
  });

  it.each(['serviceMonitor', 'podMonitor', 'probe', 'scrapeConfig', 'rule'])(
    'select their own namespace where that of the %ss is null',
    (name) => {
      const text = `apiVersion: monitoring.coreos.com/v1\nkind: Prometheus\nmetadata: {namespace: a}\nspec:\n  ${name}Selector: {matchLabels: {b: c}}\n  ${name}NamespaceSelector:`;
      expect(sites(`${text} null\n`).map(({ empty, from }) => [empty, from.namespace])).toEqual([
        ['all', 'a'],
        ['own', undefined],
      ]);
      expect(sites(`${text} {}\n`).map(({ empty, from }) => [empty, from.namespace])).toEqual([
        ['all', undefined],
        ['all', undefined],
      ]);
      expect(selects(`${text} null\n`)[1]).toBe('namespaces -: -');
    },
  );

  it('are keys of labels', () => {
    const text = yaml`
      apiVersion: v1
      kind: Pod
      spec:
        topologySpreadConstraints:
        - topologyKey: a b
          matchLabelKeys: [x, "y z"]
          labelSelector: {matchLabels: {a: b}}
        affinity:
          podAffinity:
            requiredDuringSchedulingIgnoredDuringExecution:
            - topologyKey: a b
      `;
    const required = 'requiredDuringSchedulingIgnoredDuringExecution';
    expect(
      found(text).map(([code, covered, message]) => [code, covered, message.split(': ')[0]]),
    ).toEqual([
      ['label-key', '"y z"', 'spec.topologySpreadConstraints[0].matchLabelKeys[1]'],
      ['label-key', 'a b', `spec.affinity.podAffinity.${required}[0].topologyKey`],
    ]);
  });

  it('have wildcards in Kyverno, and more operators in Karpenter', () => {
    const text = yaml`
      apiVersion: kyverno.io/v1
      kind: ClusterPolicy
      spec:
        rules:
        - match:
            any:
            - resources:
                selector:
                  matchLabels: {"app*": "we?", "b c": "d"}
      ---
      apiVersion: karpenter.sh/v1
      kind: NodePool
      spec:
        template:
          spec:
            requirements:
            - {key: a, operator: Gte, values: ["5"]}
            - {key: b, operator: Lte, values: ["7"]}
            - {key: c, operator: gte, values: ["5"]}
      `;
    expect(marks(text)).toEqual([
      ['label-key', '"b c"'],
      ['operator', 'gte'],
    ]);
    expect(fixed(text, 'operator')).toContain('{key: c, operator: Gte, values');
    const fine = text.replace(/\n *- {key: c.*/, '').replace(', "b c": "d"', '');
    expect(selects(fine)).toEqual(['- -: -', 'nodes -: a>4,b<8']);
  });

  it('are warned of where the API server looks at nothing', () => {
    const text = yaml`
      apiVersion: autoscaling/v2
      kind: HorizontalPodAutoscaler
      spec:
        metrics:
        - external: {metric: {selector: {matchLabels: {a: b c}}}}
      `;
    expect(marks(text)).toEqual([['contradiction', 'b c']]);
  });

  it('may be what a kustomization makes of a number', () => {
    const text =
      'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nlabels:\n- pairs: {a: 5, b: 0755, c: yes}\n';
    expect(found(text)).toEqual([
      ['read-as-other', '0755', 'YAML reads 0755 as 493 here.'],
      ['read-as-other', 'yes', 'YAML reads yes as true here.'],
    ]);
    const bare = 'commonLabels: {a b: c}\n';
    expect(found(bare)).toEqual([]);
    expect(marks(bare, { fileName: 'base/kustomization.yaml' })).toEqual([
      ['deprecated', 'commonLabels'],
      ['label-key', 'a b'],
    ]);
  });
});
