/**
 * The order in which kubectl prints members: sorted, in JSON by bytes, in YAML so that numbers in
 * names count as numbers.
 */
import { compareUtf8 } from '../../common/goText';
import type { JsonObject, JsonValue } from '../decode/jsonText';

/** `given` is the order of the object's own members; `kubectl` sorts all but fields by number. */
export type MemberOrder = 'given' | 'kubectl';

/** Fields by number stay in order of their numbers. */
const UNDECODED = 'x-undecoded';

/** The order of a member's own members. */
export function orderWithin(order: MemberOrder, name: string): MemberOrder {
  return name === UNDECODED ? 'given' : order;
}

/** The members as JSON has them. Upstream: maps in `encoding/json`. */
export function jsonMembers(object: JsonObject, order: MemberOrder): [string, JsonValue][] {
  const members = Object.entries(object);
  return order === 'given' ? members : members.sort(([a], [b]) => compareUtf8(a, b));
}

/** Negative, zero or positive. Upstream: `keyList.Less` of `go.yaml.in/yaml/v2`. */
export function compareYamlKeys(a: string, b: string): number {
  if (a === b) return 0;
  const left = Array.from(a);
  const right = Array.from(b);
  let at = 0;
  while (at < left.length && left[at] === right[at]) at++;
  const [x, y] = [left[at], right[at]];
  if (x === undefined || y === undefined) return left.length - right.length;
  const isLetterX = isLetter(x);
  const isLetterY = isLetter(y);
  if (isLetterX && isLetterY) return compareUtf8(x, y);
  if (isLetterX || isLetterY) return isLetterY ? -1 : 1;
  return compareNumbers(left, right, at) || compareUtf8(x, y);
}

/** Of two texts that differ at `at` for the first time, where neither has a letter. */
function compareNumbers(left: readonly string[], right: readonly string[], at: number): number {
  const isZeroInside = (left[at] === '0' || right[at] === '0') && followsDigits(left, at);
  const [m, mEnd] = numberAt(left, at, isZeroInside);
  const [n, nEnd] = numberAt(right, at, isZeroInside);
  return m === n ? mEnd - nEnd : m < n ? -1 : 1;
}

/** Whether a number that is not only zeros goes on here. */
function followsDigits(characters: readonly string[], at: number): boolean {
  for (let i = at - 1; i >= 0; i--) {
    const character = characters[i] ?? '';
    if (!isDigit(character)) return false;
    if (character !== '0') return true;
  }
  return false;
}

/** The digits from here on as Go's int64, which overflows, and where they end. */
function numberAt(characters: readonly string[], at: number, goesOn: boolean): [bigint, number] {
  let end = at;
  let number = goesOn ? 1n : 0n;
  for (; isDigit(characters[end] ?? ''); end++) {
    const digit = (characters[end]?.codePointAt(0) ?? 0) - 0x30;
    number = BigInt.asIntN(64, number * 10n + BigInt(digit));
  }
  return [number, end];
}

const isLetter = (character: string): boolean => /^\p{L}/u.test(character);

const isDigit = (character: string): boolean => /^\p{Nd}/u.test(character);
