import { describe, expect, it } from 'vitest';
import { storedFixes } from '../../../../server/language/index/misspelt';
import { openDocument } from '../../../../server/language/open';
import { withEdits } from '../../../../server/language/source/edits';
import { indexOf, times } from './support';

const index = indexOf([
  ...times(3, { labels: { app: 'nginx' }, fields: { 'spec.nodeName': 'node-1' } }),
  ...times(2, { labels: { 'app.kubernetes.io/name': "it's" }, fields: { 'spec.nodeName': 'a,b' } }),
]);

/** The document after each fix of its selectors, the lines that changed alone. */
function fixed(text: string, uri: string): string[] {
  const sites = openDocument({ uri, languageId: '', text })!.analysis().sites;
  const before = new Set(text.split('\n'));
  return sites.flatMap((site) =>
    storedFixes(site, index).map(({ edits }) =>
      withEdits(text, edits)
        .split('\n')
        .filter((line) => !before.has(line))
        .join('\n')
        .trim(),
    ),
  );
}

const service = (selector: string): string =>
  `apiVersion: v1\nkind: Service\nspec:\n  selector:${selector}\n`;
const deployment = (selector: string): string =>
  `apiVersion: v1\nkind: ConfigMap\n---\napiVersion: apps/v1\nkind: Deployment\nspec:\n  selector:\n${selector}\n`;
const steps = (text: string): string => `steps:\n${text}\n`;

describe('what is not stored is changed to what is, and nothing else', () => {
  it.each([
    ['a map', service('\n    app: ngimx'), ['app: nginx']],
    ['a key of it', service('\n    apq: nginx'), ['app: nginx']],
    ['in quotes', service(`\n    "apq": 'ngimx'`), [`"app": 'ngimx'`]],
    ['a value in quotes', service(`\n    app: 'ngimx' # x`), [`app: 'nginx' # x`]],
    ['JSON', service(' {"app":"ngimx"}'), ['selector: {"app":"nginx"}']],
    ['matchLabels', deployment('    matchLabels:\n      app: ngimx'), ['app: nginx']],
    [
      'values of matchExpressions',
      deployment('    matchExpressions:\n      - {key: app, operator: In, values: [x, "ngimx"]}'),
      ['- {key: app, operator: In, values: [x, "nginx"]}'],
    ],
    [
      'a key of matchExpressions',
      deployment('    matchExpressions:\n      - {key: apq, operator: Exists}'),
      ['- {key: app, operator: Exists}'],
    ],
    ['a plain text', 'labelSelector: app=ngimx\n', ['labelSelector: app=nginx']],
    ['a list in it', 'labelSelector: app in (z,ngimx),x\n', ['labelSelector: app in (z,nginx),x']],
    ['all of a plain text', 'labelSelector: apq\n', ['labelSelector: app']],
    ['a quoted text', `labelSelector: "app==ngimx"\n`, ['labelSelector: "app==nginx"']],
    ['a block', 'labelSelector: |-\n  app=ngimx\n', ['app=nginx']],
    [
      'a field',
      'kind: Pod\nfieldSelector: spec.nodeName!=node-2\n',
      ['fieldSelector: spec.nodeName!=node-1'],
    ],
    [
      'a command in a block',
      steps('  - run: |\n      kubectl get pods -l app=ngimx'),
      ['kubectl get pods -l app=nginx'],
    ],
    [
      'a command in quotes of both',
      steps(`  - run: "kubectl get pods -l 'app=ngimx'"`),
      [`- run: "kubectl get pods -l 'app=nginx'"`],
    ],
    [
      'an argument',
      steps('  - args: [kubectl, get, pods, --selector=app=ngimx]'),
      ['- args: [kubectl, get, pods, --selector=app=nginx]'],
    ],
  ])('YAML: %s', (_, text, wanted) => {
    expect(fixed(text, 'a.yaml')).toEqual(wanted);
  });

  it.each([
    ['kubectl get pods -l app=ngimx -n x', ['kubectl get pods -l app=nginx -n x']],
    [`kubectl get pods -l 'apq=nginx'`, [`kubectl get pods -l 'app=nginx'`]],
    ['GET /api/v1/pods?labelSelector=app%3Dngimx', ['GET /api/v1/pods?labelSelector=app%3Dnginx']],
    [
      'list pods --field-selector spec.nodeName=node-2',
      ['list pods --field-selector spec.nodeName=node-1'],
    ],
  ])('queries: %s', (text, wanted) => {
    expect(fixed(text, 'a.etcdlist')).toEqual(wanted);
  });

  it.each([
    ['resource: pods\nlabelSelector: app=ngimx,x', ['labelSelector: app=nginx,x']],
    ['resource: pods\nlabelSelector: apq', ['labelSelector: app']],
    [
      'resource: pods\nfieldSelector: "spec.nodeName=node-2"',
      ['fieldSelector: "spec.nodeName=node-1"'],
    ],
  ])('queries in YAML: %j', (text, wanted) => {
    expect(fixed(text, 'a.etcdlist.yaml')).toEqual(wanted);
  });

  it('escapes what a field selector takes for itself', () => {
    expect(fixed(`kubectl get pods --field-selector 'spec.nodeName=ab'`, 'a.etcdlist')).toEqual([
      `kubectl get pods --field-selector 'spec.nodeName=a\\,b'`,
    ]);
  });

  it('leaves alone what stands elsewhere, and what cannot be told', () => {
    expect(fixed(service('\n    app: &a ngimx\n  x: *a'), 'a.yaml')).toEqual(['app: &a nginx']);
    const aliased = 'apiVersion: v1\nkind: Service\nx: &a ngimx\nspec: {selector: {app: *a}}\n';
    expect(fixed(aliased, 'a.yaml')).toEqual([]);
  });
});
