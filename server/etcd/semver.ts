/**
 * Semantic versions as Kubernetes parses and orders them
 * (`k8s.io/apimachinery/pkg/util/version`: `ParseSemantic`, `LessThan`).
 */

export interface SemanticVersion {
  readonly numbers: readonly bigint[];
  /** Dot-separated pre-release identifiers, empty for a release. */
  readonly preRelease: string;
}

/** Go's `\s`: no vertical tab, no no-break space. */
const versionForm = /^[\t\n\f\r ]*v?([0-9]+(?:\.[0-9]+)*)([^\n]*)$/;
const extraForm =
  /^(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?[\t\n\f\r ]*$/;
const largest = 2n ** 64n - 1n;

/** The version, or undefined where upstream reports an error. */
export function parseSemantic(text: string): SemanticVersion | undefined {
  const [, numbersText, extra = ''] = versionForm.exec(text) ?? [];
  const parts = numbersText?.split('.') ?? [];
  if (parts.length !== 3 || parts.some(hasLeadingZero)) return undefined;
  const numbers = parts.map(BigInt);
  if (numbers.some((number) => number > largest)) return undefined;
  const match = extraForm.exec(extra);
  if (match === null) return undefined;
  const preRelease = match[1] ?? '';
  const badZero = preRelease.split('.').some((part) => isUint(part) && hasLeadingZero(part));
  return badZero ? undefined : { numbers, preRelease };
}

const hasLeadingZero = (part: string): boolean => part.startsWith('0') && part !== '0';

const isUint = (part: string): boolean => /^[0-9]+$/.test(part) && BigInt(part) <= largest;

/** Negative, zero or positive. Build metadata does not count. */
export function compareVersions(a: SemanticVersion, b: SemanticVersion): number {
  for (const [i, number] of a.numbers.entries()) {
    const other = b.numbers[i] ?? 0n;
    if (number !== other) return number < other ? -1 : 1;
  }
  return comparePreReleases(a.preRelease, b.preRelease);
}

/** A release comes after its pre-releases. */
function comparePreReleases(a: string, b: string): number {
  if (a === b) return 0;
  if (a === '') return 1;
  if (b === '') return -1;
  const ours = a.split('.');
  const theirs = b.split('.');
  for (const [i, part] of ours.entries()) {
    const other = theirs[i];
    if (other === undefined) return 1;
    const order = compareIdentifiers(part, other);
    if (order !== 0) return order;
  }
  return ours.length < theirs.length ? -1 : 0;
}

/** Two numbers by value, anything else by its bytes, which are ASCII: upstream's order. */
function compareIdentifiers(a: string, b: string): number {
  if (isUint(a) && isUint(b)) {
    const difference = BigInt(a) - BigInt(b);
    return difference === 0n ? 0 : difference < 0n ? -1 : 1;
  }
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
