/**
 * Quantities such as `1500m` or `2Gi` as upstream prints what it has parsed.
 *
 * Upstream: `apimachinery/pkg/api/resource` (`ParseQuantity`, `CanonicalizeBytes`), whose texts
 * these are.
 */
import { DecodeError } from '../decode/errors';

type Format = 'decimal' | 'exponent' | 'binary';

interface Parts {
  readonly isNegative: boolean;
  /** The number with its sign, as written. */
  readonly value: string;
  /** Digits before the point, without leading zeros. */
  readonly whole: string;
  /** Digits behind the point. */
  readonly fraction: string;
  readonly suffix: string;
}

interface Unit {
  readonly format: Format;
  /** Of ten, or of two when binary. */
  readonly exponent: number;
}

/** `unscaled` times ten to the power of `exponent`. */
interface Amount {
  readonly unscaled: bigint;
  readonly exponent: number;
}

const WRONG_FORMAT =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const WRONG_NUMBER = 'unable to parse numeric part of quantity';
const WRONG_SUFFIX = "unable to parse quantity's suffix";

/** Digits and powers beyond these would cost seconds; upstream would pay them. */
const MOST_DIGITS = 400;
const MOST_EXPONENT = 400;

const DECIMAL: ReadonlyMap<string, number> = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
]);
const BINARY: readonly string[] = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

const MAX_INT64 = (1n << 63n) - 1n;
/** Digits that always fit an int64. */
const INT64_DIGITS = 18;
const NANO = -9;

/** Throws `DecodeError` when upstream refuses the text, and when it is absurdly long. */
export function printQuantity(text: string): string {
  if (text === '') throw new DecodeError(WRONG_FORMAT);
  if (text === '0') return text;
  const parts = split(text);
  const unit = unitOf(parts.suffix);
  return printSmall(text, parts, unit) ?? printLarge(parts, unit);
}

function split(text: string): Parts {
  const found = /^([+-]?0*(\d*)(?:\.(\d*))?)([eEinumkKMGTP]*[-+]?\d*)$/.exec(text);
  if (found === null) throw new DecodeError(WRONG_FORMAT);
  const [, value = '', whole = '', fraction = '', suffix = ''] = found;
  const isNegative = text.startsWith('-');
  return { isNegative, value, whole: whole === '' ? '0' : whole, fraction, suffix };
}

function unitOf(suffix: string): Unit {
  const decimal = DECIMAL.get(suffix);
  if (decimal !== undefined) return { format: 'decimal', exponent: decimal };
  const binary = BINARY.indexOf(suffix);
  if (binary > 0) return { format: 'binary', exponent: binary * 10 };
  const digits = /^[eE]([-+]?\d+)$/.exec(suffix)?.[1];
  if (digits === undefined || digits.length > MOST_DIGITS) throw new DecodeError(WRONG_SUFFIX);
  const exponent = BigInt(digits.replace('+', ''));
  if (BigInt.asIntN(64, exponent) !== exponent) throw new DecodeError(WRONG_SUFFIX);
  return { format: 'exponent', exponent: Number(BigInt.asIntN(32, exponent)) };
}

/** Upstream's way with what fits an int64; text in canonical form stays as it was written. */
function printSmall(text: string, parts: Parts, unit: Unit): string | undefined {
  const { whole, fraction, isNegative } = parts;
  const scale = (unit.format === 'binary' ? 0 : unit.exponent) - fraction.length;
  if (!isSmall(parts, unit) || scale < NANO) return undefined;
  const shifted = whole + fraction;
  const value = BigInt(shifted);
  const unscaled = unit.format === 'binary' ? value << BigInt(unit.exponent) : value;
  if (unscaled > MAX_INT64) return undefined;
  const isCanonical =
    unit.format === 'binary'
      ? (value & 7n) !== 0n
      : scale % 3 === 0 && !shifted.endsWith('000') && !shifted.startsWith('0');
  if (isCanonical) return text;
  return canonical({ unscaled: isNegative ? -unscaled : unscaled, exponent: scale }, unit.format);
}

/** Whether there are few enough digits, by upstream's estimate. */
function isSmall({ whole, fraction }: Parts, { format, exponent }: Unit): boolean {
  if (format !== 'binary') return whole.length + fraction.length <= INT64_DIGITS;
  return fraction === '' && whole.length + Math.trunc((exponent * 3) / 10) <= 14;
}

function printLarge({ value, whole, fraction, isNegative }: Parts, unit: Unit): string {
  if (!/\d/.test(value)) throw new DecodeError(WRONG_NUMBER);
  const digits = whole + fraction;
  if (digits.length > MOST_DIGITS || Math.abs(unit.exponent) > MOST_EXPONENT) {
    throw new DecodeError('the quantity is too long or too large to be shown');
  }
  const isBinary = unit.format === 'binary';
  const unscaled = isBinary ? BigInt(digits) << BigInt(unit.exponent) : BigInt(digits);
  const exponent = (isBinary ? 0 : unit.exponent) - fraction.length;
  let amount = roundUp({ unscaled, exponent }, NANO);
  let { format } = unit;
  if (isBinary) {
    const one = 10n ** BigInt(-NANO);
    if (amount.unscaled > MAX_INT64 * one) amount = { unscaled: MAX_INT64, exponent: 0 };
    else if (amount.unscaled > 0n && amount.unscaled < one) format = 'decimal';
  }
  const signed = isNegative ? -amount.unscaled : amount.unscaled;
  return canonical({ ...amount, unscaled: signed }, format);
}

/** The amount in units of ten to the power of `exponent`, rounded away from zero. */
function roundUp(amount: Amount, exponent: number): Amount {
  const shift = amount.exponent - exponent;
  if (shift >= 0) return { unscaled: amount.unscaled * 10n ** BigInt(shift), exponent };
  const divisor = 10n ** BigInt(-shift);
  const quotient = amount.unscaled / divisor;
  if (quotient * divisor === amount.unscaled) return { unscaled: quotient, exponent };
  return { unscaled: quotient + (amount.unscaled < 0n ? -1n : 1n), exponent };
}

function canonical(amount: Amount, format: Format): string {
  if (amount.unscaled === 0n) return '0';
  if (format === 'binary') {
    const whole = roundUp(amount, 0);
    const isExact = isSame(whole, amount);
    if (isExact && (whole.unscaled <= -1024n || whole.unscaled >= 1024n)) {
      const [factor, times] = withoutFactor(whole.unscaled, 1024n);
      return String(factor) + (BINARY[times] ?? '');
    }
  }
  return canonicalDecimal(amount, format);
}

function isSame(whole: Amount, amount: Amount): boolean {
  return roundUp(whole, Math.min(amount.exponent, 0)).unscaled === amount.unscaled;
}

/** The power is a multiple of three. Upstream leaves a suffix that does not exist out. */
function canonicalDecimal(amount: Amount, format: Format): string {
  const [factor, times] = withoutFactor(amount.unscaled, 10n);
  let digits = factor;
  let exponent = amount.exponent + times;
  for (; exponent % 3 !== 0; exponent--) digits *= 10n;
  if (format === 'exponent') {
    return exponent === 0 ? String(digits) : `${String(digits)}e${String(exponent)}`;
  }
  const suffix = [...DECIMAL].find(([, power]) => power === exponent)?.[0] ?? '';
  return String(digits) + suffix;
}

function withoutFactor(value: bigint, factor: bigint): [rest: bigint, times: number] {
  let rest = value;
  let times = 0;
  for (; rest % factor === 0n; times++) rest /= factor;
  return [rest, times];
}
