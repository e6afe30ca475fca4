import { describe, expect, it } from 'vitest';
import { SelectorError } from '../../../../server/kube/selectors';
import type { YamlOptions } from '../../../../server/language/yaml/analyse';
import { fixed, found, marks, only, selects, sites, yaml } from './look';

describe('a selector that is one text', () => {
  it.each([
    ['labelSelector: app=web,tier in (a,b)', ['- -: app=web,tier in (a,b)']],
    ['label_selector: "app=web"', ['- -: app=web']],
    ["label-selectors: ['a', 'b=c']", ['- -: a', '- -: b=c']],
    ['fieldSelector: status.phase=Running', ['- -: ; status.phase=Running']],
    ['kind: Pod\nnamespace: web\nlabel_selectors: [a=b]', ['pods web: a=b']],
    ['x: {y: [{LabelSelector: a}]}', ['- -: a']],
    ['labelSelector: >-\n  app=web,\n  tier=db', ['- -: app=web,tier=db']],
  ])('is found under its key: %j', (text, wanted) => {
    expect(found(text)).toEqual([]);
    expect(selects(text)).toEqual(wanted);
  });

  it.each([
    ['labelSelector: {matchLabels: {a: b c}}'],
    ['labelSelector: 5'],
    ['labelSelector:'],
    ['labelSelector: Select the Pods by their labels'],
    ['properties: {labelSelector: "a=b=c"}'],
    ['description:\n  labelSelector: a=b=c'],
    ['labelSelector: app={{ .Values.app }}'],
    ['labelSelector: app=${APP},tier==='],
    ['labelSelector: app=$APP,tier==='],
    ['labelSelectorPath: .status.selector'],
    ['labelSelector: Label Selector'],
    ['labelSelector: not set'],
    ['labelSelector: Selector in use'],
    ['labelSelector: 标签选择器'],
    ['labelSelector: "Selecteur : (étiquettes)"'],
    ['labelSelector: ".form > label"'],
    ['labelSelector: "[for=x]"'],
    ['labelSelector: label[for=x]'],
    ['label-selector: "label.widget:hover, .x > a"'],
    ['labelSelector: "a:not(.b)=c"'],
    ['labelSelector: "x => x.label === y"'],
    ['labelSelector: key=value pairs separated by commas'],
    ['labelSelector: https://example.com/a?b=c'],
    ['labelSelector: "Pods by label, such as app=web"'],
    ['fieldSelector: Field selector'],
    ['fieldSelector: Feldauswahl'],
    ['{"labelSelector": "Label Selector", "fieldSelector": "Field selector"}'],
    ['# labelSelector: a=b=c'],
  ])('is no business of ours in %j', (text) => {
    expect(found(text)).toEqual([]);
  });

  it('has its errors in upstream’s words, at their place', () => {
    const text = 'labelSelector: app=web,tier in (a\n';
    expect(found(text)).toEqual([
      ['label-selector', 'a', "unable to parse requirement: found '', expected: ',' or ')'"],
    ]);
    expect(marks('labelSelector: "app=\\u0077eb,app=api"')).toEqual([['contradiction', 'app=api']]);
    expect(marks("labelSelector: 'a=''b'''")).toEqual([['label-selector', "''b''"]]);
  });

  it.each([
    ['labelSelector: app web=x,b=c', []],
    ['labelSelector: app in web', ['label-selector']],
    ['labelSelector: app in (web', ['label-selector']],
    ['labelSelector: app in (a) (b)', ['label-selector']],
    ['labelSelector: app=web tier=db', ['label-selector']],
    ['labelSelector: app==', []],
    ['labelSelector: app=a b', ['label-selector']],
    ['labelSelector: app.example.com/x=a b', ['label-selector']],
    ['labelSelector: "!app,b=c d"', ['label-selector']],
    ['fieldSelector: status.phase', ['field-selector']],
    ['fieldSelector: status.phase>Running', ['field-selector']],
  ])('is told from prose by how it asks: %j', (text, codes) => {
    expect(marks(text).map(([code]) => code)).toEqual(codes);
  });

  it('is read as it stands where the table names its place', () => {
    const text = 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n';
    const target = 'patches: [{path: a, target: {labelSelector: Label Selector}}]';
    expect(marks(text + target)).toEqual([['label-selector', 'Selector']]);
  });

  it('is found where it begins with a blank that YAML takes for a letter', () => {
    expect(marks('labelSelector: \u00a0a=b\n')).toEqual([['label-selector', '\u00a0a']]);
    expect(marks('labelSelector:\n  \u00a0a=b\n')).toEqual([['label-selector', '\u00a0a']]);
  });

  it('is mended as a whole where it is a plain scalar', () => {
    expect(fixed('labelSelector: not app,a=b\n', 'label-selector')).toBe(
      "labelSelector: '!app,a=b'\n",
    );
    expect(fixed('labelSelector: "app=\'web\'" # x\n', 'label-selector')).toBe(
      'labelSelector: "app=web" # x\n',
    );
    expect(fixed("labelSelector: 'app:web'\n", 'label-selector')).toBe(
      "labelSelector: 'app=web'\n",
    );
    const block = 'labelSelector: |\n  app=web,\n  tier: a\n';
    expect(fixed(block, 'label-selector')).toBe('labelSelector: |\n  app=web,\n  tier=a\n');
  });

  it('selects by the fields that its resource has', () => {
    const text = 'kind: Secret\nfieldSelector: tipe=Opaque\n';
    const { message, fixes } = only(text, 'unsupported-field');
    expect(message).toBe('field label not supported: tipe');
    expect(fixes.map(({ title }) => title)).toEqual(['Change to type']);
    const options: YamlOptions = {
      fields: (resource) => ({
        names: ['spec.x'],
        transform: () => {
          throw new SelectorError(`not of ${resource}`, { start: 0, end: 0 });
        },
      }),
    };
    expect(found(text, options)[0]?.[2]).toBe('not of secrets');
  });

  it('is met once where a kustomization has it', () => {
    const text = 'patches:\n- target: {kind: Deployment, labelSelector: "a==="}\n';
    expect(marks(text, { fileName: 'kustomization.yml' })).toEqual([['label-selector', '=']]);
    const pairs = `${text}labels: [{pairs: {a b: c}}]\n`;
    expect(marks(pairs, { fileName: 'kustomization.yml' }).map(([code]) => code)).toEqual([
      'label-selector',
      'label-key',
    ]);
    expect(sites(text.replace('===', '=b'), { fileName: 'kustomization.yml' })).toHaveLength(1);
  });

  it('is what the table says under other names', () => {
    const text = yaml`
      apiVersion: autoscaling/v1
      kind: Scale
      metadata: {namespace: web}
      status: {selector: "app=web"}
      ---
      apiVersion: authorization.k8s.io/v1
      kind: SubjectAccessReview
      spec:
        resourceAttributes:
          labelSelector: {rawSelector: "a in b"}
          fieldSelector: {rawSelector: "a=b"}
      `;
    expect(selects(text)).toEqual(['pods web: app=web', '- -: -', '- -: ; a=b']);
    expect(marks(text)).toEqual([['label-selector', 'b']]);
  });
});

describe('a selector in a command', () => {
  it('stands in block scalars', () => {
    const text = yaml`
      jobs:
        a:
          steps:
          - run: |
              set -e
              kubectl -n web get pods \
                -l 'app in (web' # the web
              kubectl delete pods --field-selector status.fase=Failed
      `;
    expect(found(text)).toEqual([
      ['label-selector', 'b', "unable to parse requirement: found '', expected: ',' or ')'"],
      ['unsupported-field', 'status.fase', 'field label not supported: status.fase'],
    ]);
    expect(fixed(text, 'label-selector')).toContain("-l 'app in (web)' # the web");
    expect(fixed(text, 'unsupported-field')).toContain('status.phase=Failed');
  });

  it.each([
    ['run: kubectl get pods -l app=web', 'pods -: app=web'],
    ['script: ["kubectl get pods -l app=web"]', 'pods -: app=web'],
    ['command: [kubectl, get, pods, -l, "app in (a, b)"]', 'pods -: app in (a,b)'],
    ['command: [kubectl]\nargs: [get, pods, --selector=app]', 'pods -: app'],
    ['command: ["sh", "-c", "kubectl get pods -l app=\\"web\\""]', 'pods -: app=web'],
    ['run: >\n  kubectl get pods\n  -l app=web', 'pods -: app=web'],
    ['run: |\n  X=$(kubectl get pods -l app=web -o name)', 'pods -: app=web'],
  ])('is found in %j', (text, wanted) => {
    expect(found(text)).toEqual([]);
    expect(selects(text)).toEqual([wanted]);
  });

  it.each([
    'run: kubectl get pods -l app=$APP==',
    'run: kubectl get pods -l "app=${{ matrix.app }}=="',
    'run: kubectl get pods -l app={{ .app }}==',
    'run: kubectl get pods -l $(cat selector)',
    'about: kubectl get pods -l app===',
    'run: echo kubectl',
  ])('is left in peace: %j', (text) => {
    expect(found(text)).toEqual([]);
  });

  it('is mended where it stands, but not through two ways of quoting', () => {
    const block = 'run: |\n  kubectl get pods -l "app:web"\n';
    expect(fixed(block, 'label-selector')).toBe('run: |\n  kubectl get pods -l "app=web"\n');
    expect(only('run: "kubectl get pods -l app:web"', 'label-selector').fixes).toEqual([]);
  });
});
