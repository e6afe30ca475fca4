/**
 * For `describe.skipIf(…)`: true when what the tests need is absent. It then says what is skipped
 * and why; under REQUIRE_ALL=1 it throws instead.
 */
export function requireOrSkip(needed: string, found: unknown, why: string): boolean {
  if (found !== undefined && found !== false) return false;
  const text = `${needed} is missing: ${why}`;
  if (process.env['REQUIRE_ALL'] === '1') throw new Error(`REQUIRE_ALL=1, but ${text}`);
  console.warn(`skipped: ${text}`);
  return true;
}
