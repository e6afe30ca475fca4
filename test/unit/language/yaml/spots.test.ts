import { describe, expect, it } from 'vitest';
import type { CompletionSpot } from '../../../../server/language/model';
import type { YamlOptions } from '../../../../server/language/yaml/analyse';
import { YamlFile } from '../../../../server/language/yaml/yamlFile';

/** The spot at `|`, and the text without it. */
function at(
  marked: string,
  options?: YamlOptions,
): { spot: CompletionSpot | undefined; text: string } {
  const offset = marked.lastIndexOf('|');
  const text = marked.slice(0, offset) + marked.slice(offset + 1);
  return { spot: new YamlFile(text, options).spotAt(offset), text };
}

/** Kind, what is replaced, what was typed, and the key that it is about. */
function spot(marked: string, options?: YamlOptions): [string, string, string, string] | undefined {
  const { spot: found, text } = at(marked, options);
  return (
    found && [found.kind, text.slice(found.span.start, found.span.end), found.typed, found.key]
  );
}

const HEAD = 'apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {namespace: web}\n';
const policy = (lines: string): string => `${HEAD}spec:\n  podSelector:\n${lines}`;

describe('in a selector', () => {
  it.each([
    ['    matchLabels:\n      app: web\n      ti|\n', ['labelKey', 'ti', 'ti', '']],
    ['    matchLabels:\n      app: web\n      ti|er\n  x: 1\n', ['labelKey', 'tier', 'ti', '']],
    ['    matchLabels:\n      a|pp: web\n', ['labelKey', 'app', 'a', '']],
    ['    matchLabels:\n      app: web\n      |\n', ['labelKey', '', '', '']],
    ['    matchLabels:\n      |\n  ingress: []\n', ['labelKey', '', '', '']],
    ['    matchLabels:\n      ti|\n  ingress: []\n', ['labelKey', 'ti', 'ti', '']],
    ['    matchLabels:\n      app: |\n', ['labelValue', '', '', 'app']],
    ['    matchLabels:\n      app: we|b\n', ['labelValue', 'web', 'we', 'app']],
    ['    matchLabels:\n      app: |\n      tier: db\n', ['labelValue', '', '', 'app']],
    ['    matchLabels:\n      app: "we|b"\n', ['labelValue', 'web', 'we', 'app']],
    ["    matchLabels:\n      app: '|'\n", ['labelValue', '', '', 'app']],
    ['    matchLabels:\n      "a|pp": x\n', ['labelKey', 'app', 'a', '']],
    ['    matchLabels: {|}\n', ['labelKey', '', '', '']],
    ['    matchLabels: {app: web, t|}\n', ['labelKey', 't', 't', '']],
    ['    matchLabels: {app: |}\n', ['labelValue', '', '', 'app']],
    ['    matchLabels: {app: w|, b: c}\n', ['labelValue', 'w', 'w', 'app']],
    ['    matchExpressions:\n    - key: |\n', ['labelKey', '', '', '']],
    ['    matchExpressions:\n    - key: a|pp\n      operator: In\n', ['labelKey', 'app', 'a', '']],
    ['    matchExpressions:\n    - key: app\n      operator: |\n', ['choice', '', '', '']],
    ['    matchExpressions:\n    - key: app\n      operator: N|\n', ['choice', 'N', 'N', '']],
    [
      '    matchExpressions:\n    - key: app\n      values: [a, |]\n',
      ['labelValue', '', '', 'app'],
    ],
    [
      '    matchExpressions:\n    - key: app\n      values:\n      - a\n      - |\n',
      ['labelValue', '', '', 'app'],
    ],
    [
      '    matchExpressions:\n    - values:\n      - "w|e"\n      key: app\n',
      ['labelValue', 'we', 'w', 'app'],
    ],
    ['    matchExpressions: [{key: a, operator: In, values: [|]}]\n', ['labelValue', '', '', 'a']],
  ])('%j', (lines, wanted) => {
    expect(spot(policy(lines))).toEqual(wanted);
    expect(spot(policy(lines).replaceAll('\n', '\r\n'))).toEqual(wanted);
    expect(spot(`a: 1\n---\n${policy(lines)}---\nb: 2\n`)).toEqual(wanted);
  });

  it.each([
    '    |\n',
    '    match|Labels: {}\n',
    '    matchLabels: |\n',
    '    matchLabels: we|\n',
    '    matchLabels:\n      app: web # a|bc\n',
    '    matchLabels:\n      app: web\n        |\n',
    '    matchLabels:\n      app: {{ .V|alues }}\n',
    '    matchLabels:\n      app: x-{{ .Values }}-|\n',
    '    matchExpressions:\n    - |\n',
    '    matchExpressions:\n    - ke|y: a\n',
  ])('is nothing to be completed at %j', (lines) => {
    expect(spot(policy(lines))).toBeUndefined();
  });

  it('says from where, what is given, and how it is written', () => {
    const { spot: found } = at(
      policy('    matchLabels:\n      app: web\n      tier: db\n      a|\n'),
    );
    expect(found).toMatchObject({
      from: { resource: 'pods', namespace: 'web' },
      given: ['app', 'tier'],
      choices: [],
      writing: 'yaml',
    });
    const quoted = at(policy("    matchExpressions:\n    - {key: a, values: [x, 'y|', w]}\n")).spot;
    expect(quoted).toMatchObject({ given: ['x', 'w'], writing: 'yamlSingle' });
    const operators = at(policy('    matchExpressions:\n    - operator: |\n')).spot;
    expect(operators?.choices.map(({ text }) => text)).toEqual([
      'In',
      'NotIn',
      'Exists',
      'DoesNotExist',
    ]);
  });
});

describe('in other places of a manifest', () => {
  const pod = (lines: string): string =>
    `apiVersion: v1\nkind: Pod\nmetadata: {namespace: web}\nspec:\n${lines}`;

  it.each([
    [pod('  nodeSelector:\n    kub|\n'), ['labelKey', 'kub', 'kub', ''], 'nodes'],
    [pod('  nodeSelector: {disk: |}\n'), ['labelValue', '', '', 'disk'], 'nodes'],
    [pod('  topologySpreadConstraints:\n  - topologyKey: |\n'), ['labelKey', '', '', ''], 'nodes'],
    [
      pod('  topologySpreadConstraints:\n  - matchLabelKeys: [a, |]\n'),
      ['labelKey', '', '', ''],
      'pods',
    ],
    [
      'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  labels:\n    a|\n',
      ['labelKey', 'a', 'a', ''],
      'deployments.apps',
    ],
    [
      'apiVersion: apps/v1\nkind: Deployment\nspec: {template: {metadata: {labels: {a: |}}}}\n',
      ['labelValue', '', '', 'a'],
      'pods',
    ],
    [
      'apiVersion: v1\nkind: Service\nspec:\n  selector:\n    app: |\n',
      ['labelValue', '', '', 'app'],
      'pods',
    ],
    [
      'apiVersion: storage.k8s.io/v1\nkind: StorageClass\nallowedTopologies:\n- matchLabelExpressions:\n  - key: |\n',
      ['labelKey', '', '', ''],
      'nodes',
    ],
    [
      'apiVersion: karpenter.sh/v1\nkind: NodePool\nspec: {template: {spec: {requirements: [{key: |}]}}}\n',
      ['labelKey', '', '', ''],
      'nodes',
    ],
  ])('%j', (text, wanted, resource) => {
    expect(spot(text)).toEqual(wanted);
    expect(at(text).spot?.from.resource).toBe(resource);
  });

  it('terms for nodes have their own operators, and one field', () => {
    const terms = (line: string): string =>
      pod(
        `  affinity:\n    nodeAffinity:\n      requiredDuringSchedulingIgnoredDuringExecution:\n        nodeSelectorTerms:\n        - ${line}\n`,
      );
    expect(at(terms('matchExpressions: [{operator: |}]')).spot?.choices).toHaveLength(6);
    expect(spot(terms('matchFields: [{key: |}]'))?.[0]).toBe('fieldName');
    expect(at(terms('matchFields: [{key: me|}]')).spot?.choices.map(({ text }) => text)).toEqual([
      'metadata.name',
    ]);
    expect(spot(terms('matchFields: [{key: metadata.name, values: [a, |]}]'))).toBeUndefined();
    expect(at(terms('matchFields: [{operator: |}]')).spot?.choices).toHaveLength(2);
    expect(spot(terms('matchFields: [{key: metadata.name, values: [|]}]'))).toEqual([
      'fieldValue',
      '',
      '',
      'metadata.name',
    ]);
  });

  it('a kustomization need not say what it is', () => {
    const text = 'labels:\n- pairs:\n    a|\n';
    expect(spot(text)).toBeUndefined();
    expect(spot(text, { fileName: '/x/kustomization.yaml' })).toEqual(['labelKey', 'a', 'a', '']);
  });

  it.each(['metadata:\n  labels:\n    a|\n', '|', 'a|', '{{ | }}', 'a: b\n---\n|', '\0|'])(
    'is nothing in %j',
    (text) => {
      expect(spot(text)).toBeUndefined();
    },
  );
});

describe('in the text of a selector', () => {
  it.each([
    ['labelSelector: |', ['labelKey', '', '', '']],
    ['labelSelector: a|', ['labelKey', 'a', 'a', '']],
    ['labelSelector: "|"', ['labelKey', '', '', '']],
    ['labelSelector: "a|pp=web"', ['labelKey', 'app', 'a', '']],
    ['labelSelector: app=|', ['labelValue', '', '', 'app']],
    ['labelSelector: app=w|eb,b', ['labelValue', 'web', 'w', 'app']],
    ['labelSelector: app |', ['labelOperator', '', '', 'app']],
    ['labelSelector: app i| (a)', ['labelOperator', 'i', 'i', 'app']],
    ['labelSelector: app in (a, |)', ['labelValue', '', '', 'app']],
    ['labelSelector: app in (a|b, c)', ['labelValue', 'ab', 'a', 'app']],
    ['labelSelector: app in (a,b|', ['labelValue', 'b', 'b', 'app']],
    ['labelSelector: app=web,|', ['labelKey', '', '', '']],
    ['labelSelector: "!a|"', ['labelKey', 'a', 'a', '']],
    ['labelSelector: "app!=|"', ['labelValue', '', '', 'app']],
    ['labelSelector: app in |', undefined],
    ['labelSelector: app in (a)|', undefined],
    ['labelSelector: app=web |', undefined],
    ['labelSelector: in=a|', ['labelValue', 'a', 'a', 'in']],
    ['fieldSelector: sta|tus.phase=x', ['fieldName', 'status.phase', 'sta', '']],
    ['fieldSelector: status.phase=R|', ['fieldValue', 'R', 'R', 'status.phase']],
    ['fieldSelector: status.phase=|', ['fieldValue', '', '', 'status.phase']],
    ['fieldSelector: "a=b,|"', ['fieldName', '', '', '']],
    ['fieldSelector: "a!|=b"', ['fieldOperator', '!=', '!', 'a']],
    ['run: kubectl get pods -l a|', ['labelKey', 'a', 'a', '']],
    ['run: kubectl get pods -l app=|', ['labelValue', '', '', 'app']],
    ["run: kubectl get pods -l 'app in (|)'", ['labelValue', '', '', 'app']],
    ['run: kubectl get pods --field-selector=sp|', ['fieldName', 'sp', 'sp', '']],
    ['run: >\n  kubectl get pods\n  -l "app=w|eb" -A\n', ['labelValue', 'web', 'w', 'app']],
    ['run: kubectl get pods -l "$A|"', undefined],
    ['run: |\n  kubectl get pods -l "app=x|"', ['labelValue', 'x', 'x', 'app']],
    ['run: |\n  kubectl get pods -l "app=x"|', undefined],
    ["run: |\n  kubectl get pods -l 'app=x'|", undefined],
    ['run: |\n  kubectl get pods -l app="x"|', undefined],
    ['run: |\n  kubectl get pods --field-selector "a=x"|\n', undefined],
    ['labelSelector: "app=x"|', undefined],
    ["labelSelector: 'app=x'|", undefined],
    ["labelSelector: 'app='|", undefined],
  ])('%j', (text, wanted) => {
    expect(spot(text)).toEqual(wanted);
  });

  it('says from where, what is given, and how it is written', () => {
    expect(
      at("run: |\n  kubectl -n x get deploy -l 'a=b,c|'\n".replace('run: |', 'run: >')).spot,
    ).toMatchObject({
      from: { resource: 'deployments.apps', namespace: 'x' },
      given: ['a'],
      writing: 'shellSingle',
    });
    expect(at('labelSelector: a in (x,y|,w),b\n').spot).toMatchObject({
      given: ['x', 'w'],
      writing: 'word',
    });
    expect(at('labelSelector: "a,|,b"\n').spot).toMatchObject({
      given: ['a', 'b'],
      writing: 'yamlDouble',
    });
  });
});
