import { describe, expect, it } from 'vitest';
import { fixed, found, open } from './support';

const FIRST = '# @name a\nlist pods --limit=5\n###\n';

describe('a reference with blanks in it', () => {
  it.each([
    [
      'list pods --limit=5 --continue={{ a.continue }}',
      'list pods --limit=5 --continue={{a.continue}}',
    ],
    [
      'list pods --limit=5 --continue {{ a.continue }}',
      'list pods --limit=5 --continue {{a.continue}}',
    ],
    [
      'list pods --continue={{a.continue }} --limit=5',
      'list pods --continue={{a.continue}} --limit=5',
    ],
    [
      'GET /api/v1/pods?limit=5&continue={{ a.continue }}',
      'GET /api/v1/pods?limit=5&continue={{a.continue}}',
    ],
    [
      'GET /api/v1/pods?continue={{ a.continue }}&limit=5',
      'GET /api/v1/pods?continue={{a.continue}}&limit=5',
    ],
  ])('is told as one, and mended: %j', (text, wanted) => {
    const reference = /\{\{.*\}\}/.exec(text)![0];
    expect(found(FIRST + text)).toEqual([
      ['query', reference, 'Blanks end it: write {{a.continue}}.'],
    ]);
    expect(fixed(FIRST + text, 'Remove the blanks')).toBe(FIRST + wanted);
    expect(open(FIRST + wanted).queries()[1]?.request?.continue).toEqual({
      kind: 'query',
      name: 'a',
      index: 0,
    });
  });

  it.each([
    ["list pods --limit=5 --continue='{{ a.continue }}'"],
    ['list pods --limit=5 --continue={{a.continue}}'],
  ])('is well where nothing ends there: %j', (text) => {
    expect(found(FIRST + text)).toEqual([]);
  });

  it.each([
    ['list pods --continue={{ a.continue'],
    ['list pods --continue={{ a.continue x y z }}'],
    ['GET /api/v1/pods?continue={{ a.continue'],
  ])('is none without its end: %j', (text) => {
    expect(found(FIRST + text).map(([, , message]) => message)).not.toContainEqual(
      expect.stringContaining('Blanks end it'),
    );
  });
});
