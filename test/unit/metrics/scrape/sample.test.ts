import { describe, expect, it } from 'vitest';
import { SampleError, SampleParser } from '../../../../server/metrics/scrape/sample';

const parser = new SampleParser();

function parsed(line: string) {
  const { name, labels, value, at } = parser.parse(line);
  return [name, Object.fromEntries(labels), value, at];
}

function fault(line: string): string {
  try {
    parser.parse(line);
  } catch (error) {
    if (error instanceof SampleError) return error.message;
    throw error;
  }
  throw new Error(`was taken: ${line}`);
}

describe('a sample', () => {
  it.each([
    ['m 1', ['m', {}, 1, undefined]],
    ['m{} 1', ['m', {}, 1, undefined]],
    ['m{a="b"} 1.5e3', ['m', { a: 'b' }, 1500, undefined]],
    ['m{a="b",} 1', ['m', { a: 'b' }, 1, undefined]],
    ['m { a = "b" , c="d" }\t7', ['m', { a: 'b', c: 'd' }, 7, undefined]],
    ['m{a=""} 0', ['m', { a: '' }, 0, undefined]],
    ['a:b_c9 .5', ['a:b_c9', {}, 0.5, undefined]],
    ['m{a="}"} 1', ['m', { a: '}' }, 1, undefined]],
    ['m{a="x,y={\\"z\\"}"} 1', ['m', { a: 'x,y={"z"}' }, 1, undefined]],
    [String.raw`m{a="C:\\DIR\nx\"q\""} 1`, ['m', { a: 'C:\\DIR\nx"q"' }, 1, undefined]],
    [String.raw`m{a="\t"} 1`, ['m', { a: '\\t' }, 1, undefined]],
    ['m{a="ü 世 😀"} 1', ['m', { a: 'ü 世 😀' }, 1, undefined]],
    ['m +Inf', ['m', {}, Infinity, undefined]],
    ['m -Inf', ['m', {}, -Infinity, undefined]],
    ['m NaN', ['m', {}, NaN, undefined]],
    ['m 1 1395066363000', ['m', {}, 1, 1_395_066_363_000]],
    ['m 1 1395066363.25', ['m', {}, 1, 1_395_066_363_250]],
    ['m{le="1"} 3 # {trace_id="x y"} 0.5 1395066363.1', ['m', { le: '1' }, 3, undefined]],
    ['m 3 1395066363 # {} 0.5', ['m', {}, 3, 1_395_066_363_000]],
    ['{"m",a="b"} 2', ['m', { a: 'b' }, 2, undefined]],
    ['{"my.metric", "l.x"="b"} 2', ['my.metric', { 'l.x': 'b' }, 2, undefined]],
  ])('%s', (line, expected) => {
    expect(parsed(line)).toEqual(expected);
  });

  it.each([
    ['', 'it does not begin with the name of a metric'],
    ['1abc 2', 'it does not begin with the name of a metric'],
    ['{} 2', 'it does not begin with the name of a metric'],
    ['m', 'its value is no number'],
    ['m{a="b"}', 'its value is no number'],
    ['m x', 'its value is no number'],
    ['m 0x10', 'its value is no number'],
    ['m 1_000', 'its value is no number'],
    ['m 1 soon', 'its time is no number'],
    ['m 1 2 3', 'something stands behind its value'],
    ['m{a="b', 'it ends within its labels'],
    ['m{a="b\\', 'it ends within its labels'],
    ['m{a=', 'it ends within its labels'],
    ['m{', 'it ends within its labels'],
    ['m{a="b" c="d"} 1', 'its labels cannot be read'],
    ['m{a=b} 1', 'its labels cannot be read'],
    ['m{9="b"} 1', 'its labels cannot be read'],
    ['m{a} 1', 'a label has no value'],
    ['m{"x"} 1', 'a label has no value'],
    ['m{a="b",a="c"} 1', 'a label stands there twice'],
  ])('%j is none: %s', (line, why) => {
    expect(fault(line)).toBe(why);
  });

  it('is read in time that grows with its length, whatever it holds', () => {
    const long = 'x'.repeat(1_000_000);
    expect(parser.parse(`m{a="${long}"} 1`).labels.get('a')).toHaveLength(1_000_000);
    expect(fault(`m{a="${long}`)).toBe('it ends within its labels');
    expect(fault(`m{a="${'\\'.repeat(1_000_001)}`)).toBe('it ends within its labels');
  });
});
