/** What the requirements of one selector say together: whether they contradict or repeat each other. */
import { parseInt64, type Operator, type Span } from '../../kube/selectors';

/** One requirement of any form of selector, with where it stands. */
export interface PlacedRequirement {
  readonly key: string;
  readonly operator: Operator;
  readonly values: readonly string[];
  readonly span: Span;
}

/** Two requirements, or one alone, that no object can meet together. */
export interface Contradiction {
  readonly key: string;
  /** Why, as a sentence without its full stop. */
  readonly why: string;
  /** The later one of the two. */
  readonly at: PlacedRequirement;
}

/** What is known of one key's value so far. */
interface Known {
  /** Values that every list so far has; undefined while any will do. */
  allowed: ReadonlySet<string> | undefined;
  /** Those of the first list: what does not fit once never will, so each is tried once. */
  candidates: readonly string[];
  tried: number;
  readonly excluded: Set<string>;
  present: boolean;
  absent: boolean;
  /** Exclusive bounds. */
  above: bigint | undefined;
  below: bigint | undefined;
}

/** The first contradiction of each key, in the order of the requirements. */
export function contradictions(requirements: readonly PlacedRequirement[]): Contradiction[] {
  const byKey = new Map<string, Known>();
  const found = new Map<string, Contradiction>();
  for (const requirement of requirements) {
    const { key } = requirement;
    if (found.has(key)) continue;
    const known = byKey.get(key) ?? unknown();
    byKey.set(key, known);
    learn(known, requirement);
    const why = contradictionOf(known);
    if (why !== undefined) found.set(key, { key, why, at: requirement });
  }
  return [...found.values()];
}

function unknown(): Known {
  return {
    allowed: undefined,
    candidates: [],
    tried: 0,
    excluded: new Set(),
    present: false,
    absent: false,
    above: undefined,
    below: undefined,
  };
}

function learn(known: Known, { operator, values }: PlacedRequirement): void {
  switch (operator) {
    case '=':
    case '==':
    case 'in':
      known.present = true;
      allow(known, values);
      break;
    case '!=':
    case 'notin':
      for (const value of values) known.excluded.add(value);
      break;
    case 'exists':
      known.present = true;
      break;
    case '!':
      known.absent = true;
      break;
    case 'gt':
    case 'lt':
      known.present = true;
      learnBound(known, operator, parseInt64(values[0] ?? ''));
  }
}

function allow(known: Known, values: readonly string[]): void {
  if (known.allowed === undefined) known.candidates = values;
  known.allowed = intersection(known.allowed, values);
}

function learnBound(known: Known, operator: 'gt' | 'lt', bound: bigint | undefined): void {
  if (bound === undefined) return;
  const { above, below } = known;
  if (operator === 'gt') known.above = above === undefined || bound > above ? bound : above;
  else known.below = below === undefined || bound < below ? bound : below;
}

function intersection(
  allowed: ReadonlySet<string> | undefined,
  values: readonly string[],
): ReadonlySet<string> {
  return new Set(allowed === undefined ? values : values.filter((value) => allowed.has(value)));
}

/** Labels are compared as int64. That of a negative number would begin with a dash, which none does. */
const MOST = 2n ** 63n - 1n;

function contradictionOf(known: Known): string | undefined {
  if (known.present && known.absent) return 'the label would have to be present and absent';
  return boundsContradiction(known) ?? valuesContradiction(known);
}

function boundsContradiction({ above, below }: Known): string | undefined {
  if (below !== undefined && below <= 0n) return `no label is a whole number less than ${below}`;
  if (above !== undefined && above >= MOST) return `no label is greater than ${above}`;
  if (above !== undefined && below !== undefined && above + 1n >= below) {
    return `no whole number is greater than ${above} and less than ${below}`;
  }
  return undefined;
}

function valuesContradiction(known: Known): string | undefined {
  const { allowed, excluded } = known;
  if (allowed === undefined) return undefined;
  if (allowed.size === 0) return 'the label would have to have different values at once';
  if (hasCandidate(known, allowed)) return undefined;
  return [...allowed].every((value) => excluded.has(value))
    ? 'every value that is asked for is excluded as well'
    : 'no value that is asked for lies within the bounds';
}

function hasCandidate(known: Known, allowed: ReadonlySet<string>): boolean {
  const { candidates, excluded } = known;
  for (; known.tried < candidates.length; known.tried++) {
    const value = candidates[known.tried] ?? '';
    if (allowed.has(value) && !excluded.has(value) && isWithin(value, known)) return true;
  }
  return false;
}

function isWithin(text: string, { above, below }: Known): boolean {
  if (above === undefined && below === undefined) return true;
  const value = parseInt64(text);
  if (value === undefined) return false;
  return (above === undefined || value > above) && (below === undefined || value < below);
}

/** Requirements that an earlier one says already, word for word up to the order of values. */
export function duplicates(requirements: readonly PlacedRequirement[]): PlacedRequirement[] {
  const seen = new Set<string>();
  return requirements.filter((requirement) => {
    const text = canonical(requirement);
    if (seen.has(text)) return true;
    seen.add(text);
    return false;
  });
}

/** The same for all that means the same: `=`, `==` and `in` with one value, `!=` and `notin`. */
export function canonical({
  key,
  operator,
  values,
}: Pick<PlacedRequirement, 'key' | 'operator' | 'values'>): string {
  const sorted = [...new Set(values)].sort();
  const same = operator === '=' || operator === '==' ? 'in' : operator;
  return JSON.stringify([key, same === '!=' ? 'notin' : same, sorted]);
}
