import { describe, expect, it } from 'vitest';
import { finding, type FindingCode } from '../../../server/language/findings';
import { addedUp, sumOf, toldOf, untoldText } from '../../../server/language/told';

const at = (code: FindingCode, start: number, message = code as string) =>
  finding(code, message, { start, end: start + 1 });

describe('what is told of findings', () => {
  const all = [
    at('empty-selector', 0),
    at('label-value', 9),
    at('contradiction', 5),
    at('duplicate-requirement', 1),
    at('label-key', 7),
  ];

  it('is all of few, in the order of their places', () => {
    const { findings, untold } = toldOf(all, 5);
    expect(findings.map(({ span }) => span.start)).toEqual([0, 1, 5, 7, 9]);
    expect(untold).toEqual({});
  });

  it('is the most severe of many, with the number of the others', () => {
    const { findings, untold } = toldOf(all, 3);
    expect(findings.map(({ code }) => code)).toEqual(['contradiction', 'label-key', 'label-value']);
    expect(untold).toEqual({ 'empty-selector': 1, 'duplicate-requirement': 1 });
    const own = toldOf(all, 1, (code) => (code === 'duplicate-requirement' ? 'error' : 'hint'));
    expect(own.findings.map(({ code }) => code)).toEqual(['duplicate-requirement']);
  });

  it('always holds what was not looked at, each sentence once at least', () => {
    const limits = [
      at('not-checked', 20, 'deep'),
      at('not-checked', 21, 'deep'),
      at('not-checked', 30, 'large'),
    ];
    const { findings, untold } = toldOf([...all, ...limits], 1);
    expect(findings.map(({ message }) => message)).toEqual(['deep', 'large']);
    expect(sumOf(untold)).toBe(6);
    expect(toldOf([...all, ...limits], 4).findings.map(({ span }) => span.start)).toEqual([
      7, 20, 21, 30,
    ]);
  });

  it('leaves numbers that can be added up and said', () => {
    const sum = addedUp([{ query: 2 }, {}, { query: 3, values: 1 }]);
    expect(sum).toEqual({ query: 5, values: 1 });
    expect(sumOf(sum, (code) => code === 'values')).toBe(1);
    expect(untoldText(1000, 6342)).toBe(
      'Only 1,000 of 7,342 findings are shown, the most severe ones.',
    );
  });
});
