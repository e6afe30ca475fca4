import { afterEach, expect, it, vi } from 'vitest';
import { parseOptions } from '../../bench/options';

afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

it.each([
  [['--case', 'b', '--case', 'nosuch'], 'there is no case "nosuch"; there are b, c-read'],
  [['--case='], 'there is no case ""'],
  [['--growth-to', '500'], '--growth-to takes 0 or a number from 1000'],
  [['--patience', '0'], '--patience takes a whole number from 1 to 590'],
  [['--patience', '591'], '--patience takes a whole number from 1 to 590'],
  [['--pods', '1e3'], '--pods takes a whole number from 1'],
])('the options %j are refused', (args, message) => {
  const error = vi.spyOn(console, 'error').mockReturnValue();
  expect(parseOptions(args)).toBeUndefined();
  expect(process.exitCode).toBe(2);
  expect(error.mock.calls[0]?.[0]).toContain(message);
});

it('all is measured without options, and only what is named with them', () => {
  expect(parseOptions([])).toMatchObject({ rates: true, growthTo: 500_000, largePods: 20_000 });
  const one = parseOptions(['--case', 'b', '--growth-to', '1000']);
  expect(one).toMatchObject({ cases: ['b'], rates: false, growthTo: 1000, largePods: 0 });
});
