const max = 2n ** 63n - 1n;
const min = -(2n ** 63n);

/**
 * A signed 64-bit decimal, with an optional sign and nothing else around the digits; undefined
 * for every other text.
 *
 * Upstream: `strconv.ParseInt(text, 10, 64)`.
 */
export function parseInt64(text: string): bigint | undefined {
  const signed = text.startsWith('-') || text.startsWith('+') ? text.slice(1) : text;
  if (signed === '' || /[^0-9]/.test(signed)) return undefined;
  const digits = signed.replace(/^0+/, '');
  // Longer ones cannot fit, and making a number of a huge text would take long.
  if (digits.length > 19) return undefined;
  const size = BigInt(digits);
  const value = text.startsWith('-') ? -size : size;
  return value >= min && value <= max ? value : undefined;
}
