import { expect, it, vi } from 'vitest';
import { objectPath, objectText } from '../../../../client/objects/objectText';
import { tokenText } from '../../../../client/commands/tokenArgument';

it('says warnings and masks above the text, as comments', () => {
  const object = { title: 't', text: 'kind: Secret\n', warning: 'one\ntwo', masked: true };
  expect(objectText(object)).toBe(
    '# one\n# two\n# Values of this Secret are masked.\nkind: Secret\n',
  );
  expect(objectText({ ...object, warning: '', masked: false })).toBe('kind: Secret\n');
});

it.each([
  ['pods/default/web-1', '/pods/default/web-1.yaml'],
  ['/registry/pods/a', '/registry/pods/a.yaml'],
  ['web/tls.yaml', '/web/tls.yaml'],
  ['a?b#c%2e\u0000\n<img>', '/a b c 2e img.yaml'],
  ['', '/object.yaml'],
])('names %j', (title, path) => {
  expect(objectPath(title)).toBe(path);
  expect(objectPath('x'.repeat(500)).length).toBeLessThan(140);
});

it('inspects the argument, else the selection, else a clipboard that holds a token', async () => {
  const held = `x ${Buffer.from('{"v":"meta.k8s.io/v1","rv":7}').toString('base64url')}`;
  const clipboard = vi.fn(() => Promise.resolve(held));
  const sources = { argument: 'arg', selection: 'sel', clipboard };
  expect(await tokenText(sources)).toBe('arg');
  expect(await tokenText({ ...sources, argument: { x: 1 } })).toBe('sel');
  expect(clipboard).not.toHaveBeenCalled();
  expect(await tokenText({ ...sources, argument: undefined, selection: ' ' })).toBe(held);
  clipboard.mockResolvedValue('my password');
  expect(await tokenText({ argument: '', selection: '', clipboard })).toBe('');
});
