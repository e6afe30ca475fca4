/** Floating-point numbers as Go writes them. */

/** Upstream: `encoding/json` of a float64; undefined for what JSON cannot say. */
export function float64Json(value: number): string | undefined {
  if (!Number.isFinite(value)) return undefined;
  return Object.is(value, -0) ? '-0' : String(value);
}

/**
 * With the fewest digits that tell it from other float32 numbers.
 *
 * Upstream: `strconv.FormatFloat(value, 'g', -1, 32)`, as `sigs.k8s.io/yaml` uses it.
 */
export function float32Text(value: number): string {
  const single = Math.fround(value);
  if (Number.isNaN(single)) return 'NaN';
  if (!Number.isFinite(single)) return single > 0 ? '+Inf' : '-Inf';
  if (single === 0) return Object.is(single, -0) ? '-0' : '0';
  const [digits = '', exponentText = '0'] = shortest(Math.abs(single)).split('e');
  const sign = single < 0 ? '-' : '';
  const exponent = Number(exponentText);
  if (exponent < -4 || exponent >= 6) return sign + scientific(digits, exponent);
  return sign + fixed(digits.replace('.', ''), exponent);
}

function shortest(single: number): string {
  for (let precision = 0; precision < 9; precision++) {
    const text = single.toExponential(precision);
    if (Math.fround(Number(text)) === single) return text;
  }
  return single.toExponential(9);
}

function scientific(digits: string, exponent: number): string {
  const size = String(Math.abs(exponent)).padStart(2, '0');
  return `${digits}e${exponent < 0 ? '-' : '+'}${size}`;
}

function fixed(digits: string, exponent: number): string {
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${digits}`;
  if (digits.length <= exponent + 1) return digits.padEnd(exponent + 1, '0');
  return `${digits.slice(0, exponent + 1)}.${digits.slice(exponent + 1)}`;
}
