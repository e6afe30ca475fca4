import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareBytes, utf8, utf8Lossy } from '../../../server/common/bytes';
import {
  BUILT_IN,
  discoverNextProbe,
  findResource,
  normalizeRoot,
  resourceOfPrefix,
} from '../../../server/kube/resources/resources';
import { suggestResources } from '../../../server/kube/resources/suggest';

describe('findResource', () => {
  it.each([
    ['pods', '', 'pods', 'v1'],
    ['po', '', 'pods', 'v1'],
    ['Pod', '', 'pods', 'v1'],
    ['svc', '', 'services', 'v1'],
    ['deploy', 'apps', 'deployments', 'v1'],
    ['deployments.apps', 'apps', 'deployments', 'v1'],
    ['deployments.v1.apps', 'apps', 'deployments', 'v1'],
    ['hpa.v1.autoscaling', 'autoscaling', 'horizontalpodautoscalers', 'v1'],
    ['events', '', 'events', 'v1'],
    ['events.events.k8s.io', 'events.k8s.io', 'events', 'v1'],
    ['widgets.example.com', 'example.com', 'widgets', ''],
    ['widgets.v1beta1.example.com', 'example.com', 'widgets', 'v1beta1'],
    ['widgets.v1.com', 'v1.com', 'widgets', ''],
  ])('finds %s', (text, group, resource, version) => {
    const found = findResource(text);
    expect([found?.resource.group, found?.resource.resource, found?.version]).toEqual([
      group,
      resource,
      version,
    ]);
  });

  it.each(['podz', '', '.', 'deployments.v7.apps', 'x', '../x.y.z', 'a b.c.d', 'deployments.foo'])(
    'does not know %j',
    (text) => {
      expect(findResource(text)).toBeUndefined();
    },
  );

  it('cannot tell the scope of a custom resource', () => {
    expect(findResource('widgets.example.com')?.resource.namespaced).toBeUndefined();
    expect(findResource('nodes')?.resource.namespaced).toBe(false);
  });

  it('suggests the nearest names', () => {
    expect(suggestResources('podz', 3)[0]).toBe('pods');
    expect(suggestResources('deploymnet', 1)).toEqual(['deployments']);
    expect(suggestResources('x', 4)).toHaveLength(4);
  });
});

describe('prefixes', () => {
  it.each([
    ['services', 'services/specs'],
    ['endpoints', 'services/endpoints'],
    ['nodes', 'minions'],
    ['rc', 'controllers'],
    ['ing', 'ingress'],
    ['psp', 'podsecuritypolicy'],
    ['leases', 'leases'],
    ['events.events.k8s.io', 'events'],
    ['crd', 'apiextensions.k8s.io/customresourcedefinitions'],
    ['apiservices', 'apiregistration.k8s.io/apiservices'],
    ['widgets.example.com', 'example.com/widgets'],
  ])('of %s is %s', (text, prefix) => {
    const resource = findResource(text)!.resource;
    expect(resource.prefix).toBe(prefix);
    expect(resourceOfPrefix(`/${prefix}/`)).toMatchObject({
      type: 'resource',
      resource: { prefix },
    });
  });

  it('are one to one but for events', () => {
    const prefixes = BUILT_IN.map((resource) => resource.prefix);
    const shared = prefixes.filter((prefix, i) => prefixes.indexOf(prefix) !== i);
    expect(shared).toEqual(['events']);
  });

  it('know what is no resource', () => {
    expect(resourceOfPrefix('ranges/serviceips').type).toBe('internal');
    expect(resourceOfPrefix('masterleases').type).toBe('internal');
    expect(resourceOfPrefix('whatever')).toEqual({ type: 'unknown', prefix: 'whatever' });
  });

  it.each([
    ['registry', '/registry/'],
    ['//registry//', '/registry/'],
    ['/', '/'],
    ['', '/'],
    ['a/../b/./c', '/b/c/'],
    ['../../x', '/x/'],
  ])('root %j is %j', (text, root) => {
    expect(normalizeRoot(text)).toBe(root);
  });
});

describe('discovery', () => {
  const root = utf8('/registry/');

  function discover(keys: readonly Uint8Array[]): { prefixes: string[]; reads: number } {
    const sorted = [...keys].sort(compareBytes);
    const prefixes: string[] = [];
    let start: Uint8Array = root;
    for (let reads = 1; ; reads++) {
      const from = start;
      const key = sorted.find((candidate) => compareBytes(candidate, from) >= 0);
      const probe = key === undefined ? undefined : discoverNextProbe(root, key);
      if (probe === undefined) return { prefixes, reads };
      prefixes.push(utf8Lossy(probe.prefix));
      start = probe.next;
    }
  }

  it('takes one read for each prefix and one to end', () => {
    const names = ['a', 'b', 'c'].flatMap((name) =>
      [
        'pods/x',
        'minions',
        'services/specs/x',
        'services/endpoints/x',
        'example.com/widgets/x',
        'example.com/gears',
      ].map((prefix) => utf8(`/registry/${prefix}/${name}`)),
    );
    const keys = [...names, utf8('/registry/ranges/serviceips'), utf8('/registry/x'), utf8('/zzz')];
    const { prefixes, reads } = discover(keys);
    expect(prefixes).toEqual([
      'example.com/gears',
      'example.com/widgets',
      'minions',
      'pods',
      'ranges/serviceips',
      'services/endpoints',
      'services/specs',
      'x',
    ]);
    expect(reads).toBe(prefixes.length + 1);
  });

  it('always moves on, whatever the keys', () => {
    const key = fc.uint8Array({ maxLength: 12 }).map((tail) => Uint8Array.from([...root, ...tail]));
    fc.assert(
      fc.property(key, (bytes) => {
        const probe = discoverNextProbe(root, bytes);
        if (probe === undefined) expect(bytes).toHaveLength(root.length);
        else expect(compareBytes(probe.next, bytes)).toBeGreaterThan(0);
      }),
    );
  });
});
