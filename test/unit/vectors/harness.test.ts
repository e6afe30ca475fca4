import { describe, expect, it } from 'vitest';
import { defineTopic, loadTopic, sameColumns, UnknownShape } from '../../vectors/harness';

const file = { topic: 'sample', cases: [], rest: {} };
const vector = { id: 'sample/a', kind: 'a', input: { x: 1 }, expect: { y: 2 } };

describe('sameColumns', () => {
  it.each([
    [
      { a: 1, b: [1, { c: null }] },
      { a: 1, b: [1, { c: null }] },
    ],
    [{ a: 1, b: undefined }, { a: 1 }],
    [{ m: new Map([['__proto__', 'x']]) }, JSON.parse('{"m":{"__proto__":"x"}}') as unknown],
    [{ error: 'abc' }, { errorPrefix: 'ab' }],
    [{ message: 'abc' }, { messageContains: 'b' }],
    [{ keyPrefix: 'a' }, { keyPrefix: 'a' }],
  ])('%j answers %j', (got, expected) => {
    expect(sameColumns(got, expected)).toBe(true);
  });

  it.each([
    [{ a: 1, extra: 2 }, { a: 1 }],
    [{}, { a: 1 }],
    [{ a: '1' }, { a: 1 }],
    [{ a: [1] }, { a: [1, 2] }],
    [{ a: [1, 2] }, { a: [1] }],
    [{ a: null }, { a: {} }],
    [{}, { a: null }],
    [{ error: 'xab' }, { errorPrefix: 'ab' }],
    [{}, { errorPrefix: '' }],
    [{ a: -0 }, { a: 0 }],
    [undefined, {}],
    [{}, JSON.parse('{"__proto__":"x"}') as unknown],
  ])('%j does not answer %j', (got, expected) => {
    expect(sameColumns(got, expected)).toBe(false);
  });
});

describe('a topic', () => {
  it('runs against a subject the cases it says, and never drops a case of unknown shape', () => {
    const topic = defineTopic({
      subjects: ['one', 'other'],
      runsOn: ({ input }, subject) => subject === 'one' || input['x'] === 2,
      actual: () => ({}),
    });
    const second = { ...vector, id: 'sample/b', input: { x: 2 } };
    const three = { ...file, cases: [vector, second, 'odd'] };
    expect(topic.casesFor(three, 'one')).toEqual([vector, second, 'odd']);
    expect(topic.casesFor(three, 'other')).toEqual([second, 'odd']);
    expect(defineTopic({ actual: () => ({}) }).casesFor(three, '')).toEqual(three.cases);
  });

  const failure = async (actual: () => unknown, input: unknown = vector) => {
    const session = await defineTopic({ actual }).open(file, '');
    return session.failure(input);
  };

  it('passes on the expected answer, also a late one', async () => {
    expect(await failure(() => ({ y: 2 }))).toBeUndefined();
    expect(await failure(() => Promise.resolve({ y: 2 }))).toBeUndefined();
  });

  it('tells what it got and what was expected', async () => {
    expect(await failure(() => ({ y: 3 }))).toEqual({
      id: 'sample/a',
      got: { y: 3 },
      expected: { y: 2 },
    });
  });

  it('fails, and does not break, on whatever a runner throws', async () => {
    const thrown = await failure(() => {
      throw new UnknownShape('no such call');
    });
    expect(thrown?.problem).toBe('unknown shape: no such call');
    const rejected = await failure(() => Promise.reject(new TypeError('gone')));
    expect(rejected?.problem).toContain('TypeError: gone');
  });

  it.each([null, 5, [], {}, { id: 'x' }, { ...vector, expect: null }])(
    'fails on a case of unknown shape: %j',
    async (unknown) => {
      expect((await failure(() => ({}), unknown))?.problem).toBe('a case of unknown shape');
    },
  );

  it('opens and closes once per subject', async () => {
    const seen: string[] = [];
    const topic = defineTopic<string>({
      subjects: ['one', 'two'],
      open: (_, subject) => `context of ${subject}`,
      close: (context) => {
        seen.push(`closed ${context}`);
      },
      actual: (_, context) => ({ y: context }),
    });
    for (const subject of topic.subjects) {
      const session = await topic.open(file, subject);
      expect((await session.failure(vector))?.got).toEqual({ y: `context of ${subject}` });
      await session.close();
    }
    expect(seen).toEqual(['closed context of one', 'closed context of two']);
  });

  it('is found by its name alone, and only in its folder', async () => {
    expect(await loadTopic('label-lexer')).toBeDefined();
    expect(await loadTopic('no-such-topic')).toBeUndefined();
    expect(await loadTopic('../harness')).toBeUndefined();
  });
});
