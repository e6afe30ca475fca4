import { describe, expect, it } from 'vitest';
import { fixed, found, open } from './support';

const page = 'list pods --limit=5';
const next = (name: string) => `${page} --continue {{${name}.continue}}`;

describe('the token of another query', () => {
  it('is taken from one before', () => {
    const text = `# @name first\n${page}\n###\n${next('first')}\n`;
    expect(found(text)).toEqual([]);
    expect(open(text).queries()[1]).toMatchObject({
      request: { continue: { kind: 'query', name: 'first', index: 0 } },
    });
    const inUrl = `# @name first\n${page}\n###\nGET /api/v1/pods?limit=5&continue={{first.continue}}`;
    expect(found(inUrl)).toEqual([]);
    const encoded = inUrl.replace('{{first.continue}}', '%7B%7B%20first.continue%20%7D%7D');
    expect(open(encoded).queries()[1]?.request?.continue).toMatchObject({ name: 'first' });
  });

  it.each([
    [next('x'), 'No query before this one is called "x".'],
    [`# @name x\n${next('x')}`, 'A query cannot go on from itself.'],
    [
      `${next('x')}\n###\n# @name x\n${page}`,
      'The query "x" comes later: a token is taken from one before.',
    ],
    [
      `${page} --continue {{x.resourceVersion}}`,
      'Only a token is taken from another query: write {{name.continue}}.',
    ],
  ])('is refused in %j', (text, message) => {
    expect(found(text)[0]).toMatchObject(['query', expect.stringMatching(/^\{\{x\./), message]);
  });

  it('is looked at like a token by the rules of the API server', () => {
    const text = `# @name a\n${page}\n###\n${next('a')} --resource-version 5`;
    expect(found(text)).toEqual([
      ['request', '5', 'specifying resource version is not allowed when using continue'],
    ]);
  });

  it.each([
    [`# @name a\nkubectl get pods -A\n###\n${next('a')}`, 'reads to the end'],
    [`# @name a\nlist pods\n###\n${next('a')}`, 'has no limit'],
    [`# @name a\nlist pods --limit=-1\n###\n${next('a')}`, 'a negative'],
    [`# @name a\nlist nodes --limit=5\n###\n${next('a')}`, 'lists something else'],
    [`# @name a\n${page} -n web\n###\n${next('a')}`, 'lists something else'],
  ])('is odd in %j', (text, why) => {
    expect(found(text).map(([code]) => code)).toContain('no-effect');
    expect(found(text).some(([, , message]) => message!.includes(why))).toBe(true);
    expect(open(text).queries()[1]?.request).toBeDefined();
  });

  it('may come from the same list by another name', () => {
    const text =
      '# @name a\nGET /api/v1/namespaces/web/pods?limit=5\n###\nlist /registry/pods/web --limit=5 --continue {{a.continue}}';
    expect(found(text)).toEqual([]);
  });

  it('is corrected', () => {
    const text = `# @name first\n${page}\n###\n${next('frist')}`;
    expect(fixed(text, 'Take it from first')).toBe(text.replace('frist', 'first'));
  });
});

describe('names', () => {
  it.each([
    ['# @name a b\nlist pods', 'a b', 'A name begins with'],
    ['# @name 1a\nlist pods', '1a', 'A name begins with'],
    ['# @name\nlist pods', '# @name', 'A name begins with'],
    [`# @name ${'a'.repeat(101)}\nlist pods`, 'a'.repeat(101), 'A name begins with'],
    ['# @name a\n# @name b\nlist pods', 'b', 'This block has a name already.'],
    ['# @name a\nlist pods\n###\n# @name a\nlist pods', 'a', 'Another query before this one'],
  ])('are checked: %j', (text, at, message) => {
    const [first] = found(text);
    expect(first!.slice(0, 2)).toEqual(['query', at]);
    expect(first![2]!.startsWith(message)).toBe(true);
  });

  it('may stand behind the request', () => {
    expect(open('list pods\n#@name  a-1_x \n').queries()[0]?.name).toBe('a-1_x');
  });

  it('that are given twice belong to the first', () => {
    const text = `# @name a\n${page}\n###\n# @name a\nlist nodes\n###\n${next('a')}`;
    expect(
      open(text)
        .queries()
        .map(({ name }) => name),
    ).toEqual(['a', undefined, undefined]);
    expect(open(text).queries()[2]?.request?.continue).toMatchObject({ index: 0 });
  });
});
