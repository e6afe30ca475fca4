import { describe, expect, it } from 'vitest';
import {
  labelSelectorMap,
  labelSelectorOfObject,
  namespaceNameErrors,
  parseInt64,
  parseLabelSelectorObject,
  SelectorError,
  validateLabels,
} from '../../../../server/kube/selectors';

describe('the structured form of a text', () => {
  it('blames the requirement that has none', () => {
    const error = (text: string) => {
      try {
        parseLabelSelectorObject(text);
      } catch (thrown) {
        if (thrown instanceof SelectorError) return thrown;
      }
      throw new Error('no SelectorError');
    };
    expect(error('a=b, c!=d')).toMatchObject({
      message: '"!=" is not a valid label selector operator',
      span: { start: 5, end: 9 },
    });
    expect(error('a=(')).toMatchObject({
      message: `couldn't parse the selector string "a=(": unable to parse requirement: found '(', expected: identifier`,
      span: { start: 2, end: 3 },
    });
  });

  it('takes labels named like members of objects', () => {
    const { matchLabels } = parseLabelSelectorObject('constructor=a,toString=b');
    expect([...matchLabels]).toEqual([
      ['constructor', 'a'],
      ['toString', 'b'],
    ]);
    const selector = labelSelectorOfObject({ matchLabels, matchExpressions: [] });
    expect(selector.matches(new Map())).toBe(false);
    expect(selector.matches(matchLabels)).toBe(true);
  });
});

describe('the plain map of a structured selector', () => {
  it('does not change the object', () => {
    const matchLabels = new Map([['a', 'b']]);
    const expression = { key: 'a', operator: 'In', values: ['c'] };
    const { map } = labelSelectorMap({ matchLabels, matchExpressions: [expression] });
    expect(map?.get('a')).toBe('c');
    expect(matchLabels.get('a')).toBe('b');
  });
});

describe('validateLabels', () => {
  it('names type, field and value of each error', () => {
    expect(validateLabels(new Map([['a', 'x'.repeat(64)]]), 'metadata.labels')).toEqual([
      {
        type: 'FieldValueInvalid',
        field: 'metadata.labels',
        message: `metadata.labels: Invalid value: "${'x'.repeat(64)}": must be no more than 63 bytes`,
      },
    ]);
  });
});

describe('namespaceNameErrors', () => {
  it('lets a dash end a prefix only', () => {
    expect(namespaceNameErrors('web')).toEqual([]);
    expect(namespaceNameErrors('web-')).toHaveLength(1);
    expect(namespaceNameErrors('web-', true)).toEqual([]);
    expect(namespaceNameErrors('a.b')).toEqual(['must not contain dots']);
    expect(namespaceNameErrors('-', true)).toHaveLength(1);
  });
});

describe('parseInt64', () => {
  it.each([
    ['0', 0n],
    ['-0', 0n],
    ['+7', 7n],
    ['007', 7n],
    ['9223372036854775807', 2n ** 63n - 1n],
    ['-9223372036854775808', -(2n ** 63n)],
    [`${'0'.repeat(1_000_000)}5`, 5n],
  ])('reads %.40s', (text, value) => {
    expect(parseInt64(text)).toBe(value);
  });

  it.each(['', '+', '-', '+-1', '1_000', '1e3', '0x10', '1.0', ' 1', '１', '9223372036854775808'])(
    'refuses %j',
    (text) => {
      expect(parseInt64(text)).toBeUndefined();
    },
  );
});
