import { describe, expect, it } from 'vitest';
import { commandSelectors } from '../../../../server/language/kubectl/commandSelectors';
import { readScript } from '../../../../server/language/shell/script';

describe('a kubectl command', () => {
  const selectors = (text: string) =>
    readScript(text).commands.flatMap((command) =>
      commandSelectors(command).map(({ kind, text: mapped, from, isSure }) => [
        kind,
        mapped.text,
        from.resource ?? '-',
        from.namespace ?? '-',
        ...(isSure ? [] : ['?']),
      ]),
    );

  it.each([
    ['kubectl get pods -l app=web', [['label', 'app=web', 'pods', '-']]],
    ["kubectl -n web get po --selector 'a in (b)'", [['label', 'a in (b)', 'pods', 'web']]],
    ['kubectl get deploy -lapp=web -nweb', [['label', 'app=web', 'deployments.apps', 'web']]],
    ["kubectl get pods --field-selector ' a=b '", [['field', 'a=b', 'pods', '-']]],
    ['kubectl get deploy,po -l=a=b', [['label', 'a=b', '-', '-']]],
    ['kubectl get pods -Al app', [['label', 'app', 'pods', '-']]],
    ['kubectl get pods -n a -A -l app', [['label', 'app', 'pods', '-']]],
    [
      'kubectl get pods --selector=a=b --field-selector=status.phase=Running',
      [
        ['label', 'a=b', 'pods', '-'],
        ['field', 'status.phase=Running', 'pods', '-'],
      ],
    ],
    ['kubectl logs -l app=web -f --tail 5', [['label', 'app=web', 'pods', '-']]],
    ['kubectl wait --for condition=ready pod -l a=b', [['label', 'a=b', 'pods', '-']]],
    ['kubectl rollout status deployment -l a=b', [['label', 'a=b', 'deployments.apps', '-']]],
    [
      'kubectl drain -l a=b --pod-selector c=d',
      [
        ['label', 'a=b', 'nodes', '-'],
        ['label', 'c=d', 'pods', '-'],
      ],
    ],
    ['sudo KUBECONFIG=x /usr/bin/kubectl delete pod -l a', [['label', 'a', 'pods', '-']]],
    ['oc get pods -l a', [['label', 'a', 'pods', '-']]],
    ['kubectl get pods -l "app=$APP"', [['label', 'app=', 'pods', '-', '?']]],
    ['xargs -I{} kubectl get pods -l "app={}"', [['label', 'app={}', 'pods', '-', '?']]],
    ['xargs -I % kubectl get pods -n % -l "app=%"', [['label', 'app=%', 'pods', '-', '?']]],
    ['ssh -i app host kubectl get pods -l app=b', [['label', 'app=b', 'pods', '-']]],
    [`ssh host kubectl get pods -l "'a in (b)'"`, [['label', "'a in (b)'", 'pods', '-', '?']]],
    ['watch kubectl get pods -l a\\\\=b', [['label', 'a\\=b', 'pods', '-', '?']]],
    ['xargs -I@ kubectl get @ -n a@ -l a', [['label', 'a', '-', '-']]],
    ['xargs -n1 -rI NAME kubectl get po -l "a=NAME"', [['label', 'a=NAME', 'pods', '-', '?']]],
    ['xargs --replace=% kubectl get pods -l "app=%"', [['label', 'app=%', 'pods', '-', '?']]],
    ['parallel kubectl get pods -n {1} -l "idx={2}"', [['label', 'idx={2}', 'pods', '-', '?']]],
    ['x kubectl get pods -l "a in ({0},%s)"', [['label', 'a in ({0},%s)', 'pods', '-', '?']]],
    ['kubectl get pods --field-selector "a=%(b)s"', [['field', 'a=%(b)s', 'pods', '-', '?']]],
    ['kubectl get pods -l "app=%"', [['label', 'app=%', 'pods', '-']]],
    ['kubectl get $KIND -n $NS -l a', [['label', 'a', '-', '-']]],
    ['kubectl get widgets.example.com -l a', [['label', 'a', 'widgets.example.com', '-']]],
    ['kubectl run x -l a=b', []],
    ['kubectl expose pod x -l a=b --selector c=d', [['label', 'c=d', 'pods', '-']]],
    ['kubectl get pods -L app', []],
    ['kubectl exec x -- ls -l a', []],
    ['kubectl get pods -l', []],
    ['kubectl logs -f -l app=web', [['label', 'app=web', 'pods', '-']]],
    ['kubectl apply -f x.yaml --dry-run -l a=b', [['label', 'a=b', '-', '-']]],
    ['kubectl delete pods --cascade -l a=b', [['label', 'a=b', 'pods', '-']]],
    ["kubectl get pods --selector='a=b'\\''c'", [['label', "a=b'c", 'pods', '-']]],
    [
      'kubectl get pods --field-selector a=b -l x -l y',
      [
        ['field', 'a=b', 'pods', '-'],
        ['label', 'x', 'pods', '-'],
        ['label', 'y', 'pods', '-'],
      ],
    ],
    ['kubectl $OPTIONS get po -l a=b', [['label', 'a=b', 'pods', '-']]],
    ['kubectl create -f x.yaml -l a=b', [['label', 'a=b', '-', '-']]],
    ['kubectl set image deploy web=web:2 -l a=b', [['label', 'a=b', 'deployments.apps', '-']]],
    ['oc adm drain -l a=b', [['label', 'a=b', '-', '-']]],
    ['ls -l kubectl', []],
    ['echo get pods -l a', []],
  ])('%s', (text, wanted) => {
    expect(selectors(text)).toEqual(wanted);
  });

  it.each([
    ...['exec pod ls', 'debug pod ls', 'krew search', 'argo rollouts list', 'config view'],
    ...['create secret generic x', 'set selector svc x', '$VERB x', 'kustomize x', 'cp a b'],
    ...['plugin list', 'auth can-i', 'adm policy x', 'new-app x', 'new-build x', 'process -f x'],
    ...['rsh pod ls', 'rsync a b', 'run x'],
  ])('is asked for none by kubectl %s -l', (command) => {
    expect(selectors(`kubectl ${command} -l "a=b c"`)).toEqual([]);
    expect(selectors(`oc ${command} -l "a=b c"`)).toEqual([]);
  });

  it.each(['echo', 'printf "%s "', ':', '/bin/echo -e', 'Use', 'Please run', 'Note: with'])(
    'is only spoken of behind %s',
    (before) => {
      expect(selectors(`${before} kubectl get pods -l a=b!`)).toEqual([]);
    },
  );

  it.each(['a=b.', 'a=b,', 'a=b:', 'a=b!', 'a=b…'])(
    'may be within a sentence that goes on or ends behind %s',
    (text) => {
      expect(selectors(`or kubectl get pods -l ${text} and`)).toEqual([
        ['label', text, 'pods', '-', '?'],
      ]);
      expect(selectors(`kubectl get pods -l ${text}`)).toEqual([['label', text, 'pods', '-']]);
    },
  );

  it('takes no time over flags that nobody knows', () => {
    const start = performance.now();
    expect(selectors(`kubectl get pods ${'--selektor '.repeat(20_000)}-l a`)).toHaveLength(1);
    expect(performance.now() - start).toBeLessThan(3_000);
  });
});
