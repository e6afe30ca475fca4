import { describe, expect, it } from 'vitest';
import { parseFieldSelector } from '../../../server/kube/selectors';
import { narrowList, type ResourceListRequest } from '../../../server/store/narrow';

function request(
  fieldSelector: string,
  more: Partial<Omit<ResourceListRequest, 'predicate'>> & { readonly continueToken?: string } = {},
): ResourceListRequest {
  const { continueToken = '', ...rest } = more;
  const field = parseFieldSelector(fieldSelector);
  return {
    resourcePath: '/pods',
    namespaced: true,
    namespace: '',
    ...rest,
    predicate: { label: undefined, field, limit: 5n, continueToken },
  };
}

const scan = (key: string, namespace = '') => ({ key, recursive: true, namespace });
const get = (key: string, namespace = '') => ({ key, recursive: false, namespace });

describe('narrowList', () => {
  it('narrows a list over all namespaces to the one the selector demands', () => {
    expect(narrowList(request('metadata.namespace=web'))).toEqual(scan('/pods/web', 'web'));
  });

  it('keeps the namespace of the request over the selector’s', () => {
    const asked = request('metadata.namespace=web', { namespace: 'db' });
    expect(narrowList(asked)).toEqual(scan('/pods/db', 'db'));
  });

  it('scans when the demanded namespace is no namespace name', () => {
    expect(narrowList(request('metadata.namespace=Not_One'))).toEqual(scan('/pods'));
    expect(narrowList(request('metadata.namespace='))).toEqual(scan('/pods'));
  });

  it('reads one key when name and namespace are known', () => {
    expect(narrowList(request('metadata.name=a', { namespace: 'web' }))).toEqual(
      get('/pods/web/a', 'web'),
    );
    expect(narrowList(request('metadata.name=a,metadata.namespace=web'))).toEqual(
      get('/pods/web/a', 'web'),
    );
  });

  it('reads one key of a cluster-scoped resource, whatever namespace the selector names', () => {
    const nodes = { resourcePath: '/minions', namespaced: false };
    expect(narrowList(request('metadata.name=a', nodes))).toEqual(get('/minions/a'));
    expect(narrowList(request('metadata.namespace=x,metadata.name=a', nodes))).toEqual(
      get('/minions/a'),
    );
  });

  it('scans for a name over all namespaces', () => {
    expect(narrowList(request('metadata.name=a'))).toEqual(scan('/pods'));
  });

  it('scans when the name is no path segment', () => {
    for (const name of ['', '.', '..', 'a/b', 'a%b']) {
      const asked = request(`metadata.name=${name}`, { namespace: 'web' });
      expect(narrowList(asked)).toEqual(scan('/pods/web', 'web'));
    }
  });

  it('never narrows with a continue token', () => {
    const token = { continueToken: 'x' };
    expect(narrowList(request('metadata.namespace=web', token))).toEqual(scan('/pods'));
    expect(narrowList(request('metadata.name=a', { ...token, namespace: 'web' }))).toEqual(
      scan('/pods/web', 'web'),
    );
  });

  it('does not take != for a demand', () => {
    expect(narrowList(request('metadata.name!=a', { namespace: 'web' }))).toEqual(
      scan('/pods/web', 'web'),
    );
  });
});
