import { describe, expect, it } from 'vitest';
import { readSaved } from '../../../webview/host';
import { initialState } from '../../../webview/state';
import { emptyQuery } from '../../../webview/query';

const read = (saved: unknown) =>
  readSaved({ getState: () => saved, setState: () => undefined, postMessage: () => undefined });

describe('the saved state', () => {
  const query = {
    ...emptyQuery,
    labelSelector: 'app=nginx',
    readMode: 'pages',
    limit: '7',
  } as const;

  it('comes back as it was', () => {
    const saved = { query, tab: 'token', tokenText: 'eyJ2' };
    expect(read(saved)).toEqual(saved);
  });

  it.each([
    undefined,
    null,
    5,
    'x',
    [],
    {},
    { query: null, tokenText: '' },
    { query, tab: 'rows' },
  ])('is none where it is %j', (saved) => {
    expect(read(saved)).toBeUndefined();
  });

  it.each([
    { limit: 5 },
    { resource: null },
    { continueToken: {} },
    { skipUnreadable: 'yes' },
    { readMode: 'quickly' },
    { resourceVersionMatch: 'Roughly' },
  ])('leaves out the member that is %j', (wrong) => {
    const saved = read({ query: { ...query, ...wrong }, tab: 'x', tokenText: '' });
    const [name = ''] = Object.keys(wrong);
    const restored = { ...query, [name]: emptyQuery[name as keyof typeof emptyQuery] };
    expect(saved).toEqual({ query: restored, tab: 'rows', tokenText: '' });
    expect(initialState(saved).query).toEqual(restored);
  });

  it('takes in nothing that is no member of a query', () => {
    const query: unknown = JSON.parse('{ "__proto__": { "limit": "9" }, "other": 1 }');
    expect(read({ query, tokenText: '' })?.query).toEqual(emptyQuery);
  });
});
