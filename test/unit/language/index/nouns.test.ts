import { expect, it } from 'vitest';
import { BUILT_IN } from '../../../../server/kube/resources/resources';
import { counted, nounOf } from '../../../../server/language/index/nouns';

it('names every built-in resource by its kind, in the form of its plural', () => {
  for (const { kind, resource } of BUILT_IN) {
    const { one, many } = nounOf(kind, resource);
    expect(one).toBe(kind);
    expect(many.toLowerCase()).toBe(resource);
    expect(many.slice(0, 2)).toBe(kind.slice(0, 2));
  }
});

it.each([
  ['Pod', 'pods', 'Pods'],
  ['NetworkPolicy', 'networkpolicies', 'NetworkPolicies'],
  ['Ingress', 'ingresses', 'Ingresses'],
  ['Endpoints', 'endpoints', 'Endpoints'],
  ['ServiceCIDR', 'servicecidrs', 'ServiceCIDRs'],
  ['', 'widgets', 'widgets'],
  ['Person', 'humans', 'humans'],
])('%j and %j make %j', (kind, plural, many) => {
  expect(nounOf(kind, plural).many).toBe(many);
});

it('counts', () => {
  const pods = nounOf('Pod', 'pods');
  expect([0, 1, 4210].map((count) => counted(count, pods))).toEqual([
    '0 Pods',
    '1 Pod',
    '4,210 Pods',
  ]);
});
