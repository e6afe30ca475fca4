/** Small operations on sets of labels. Upstream: `k8s.io/apimachinery/pkg/labels/labels.go`. */

import { compareUtf8 } from '../../common/goText';
import { labelKeyError, labelValueError } from './labelRequirement';
import type { Span, StringSet } from './types';
import { SelectorError } from './types';

/** `key=value` pairs in the byte order of the pairs. Upstream: `Set.String` of labels and fields. */
export function stringSetText(set: StringSet): string {
  const pairs = [...set].map(([key, value]) => `${key}=${value}`);
  return pairs.sort(compareUtf8).join(',');
}

/** Upstream: `FormatLabels`. */
export function formatLabels(labels: StringSet): string {
  const text = stringSetText(labels);
  return text === '' ? '<none>' : text;
}

/** Whether a key that both have stands for different values. */
export function labelsConflict(a: StringSet, b: StringSet): boolean {
  return [...a].some(([key, value]) => b.has(key) && b.get(key) !== value);
}

/** All labels of both; where both have a key, the second one's value. */
export function mergeLabels(a: StringSet, b: StringSet): Map<string, string> {
  return new Map([...a, ...b]);
}

export function equalLabels(a: StringSet, b: StringSet): boolean {
  return a.size === b.size && [...a].every(([key, value]) => b.get(key) === value);
}

/**
 * The labels of a `key=value,…` text, with those before the first error when there is one.
 *
 * Upstream: `ConvertSelectorToLabelsMap`.
 */
export function convertToLabels(text: string): {
  readonly labels: Map<string, string>;
  readonly error: SelectorError | null;
} {
  const labels = new Map<string, string>();
  let start = 0;
  for (const pair of text === '' ? [] : text.split(',')) {
    const span = { start, end: start + pair.length };
    start = span.end + 1;
    const message = addPair(labels, pair);
    if (message !== undefined) return { labels, error: pairError(message, span) };
  }
  return { labels, error: null };
}

function pairError(message: string, span: Span): SelectorError {
  return new SelectorError(message, span);
}

function addPair(labels: Map<string, string>, pair: string): string | undefined {
  const sides = pair.split('=');
  if (sides.length !== 2) return `invalid selector: [${sides.join(' ')}]`;
  const [key, value] = [trimGoSpace(sides[0] ?? ''), trimGoSpace(sides[1] ?? '')];
  const invalid = labelKeyError(null, key) ?? labelValueError(null, key, value);
  if (invalid !== undefined) return invalid.message;
  labels.set(key, value);
  return undefined;
}

const goSpaces = '\t\n\v\f\r \u0085\u00a0\u1680\u2028\u2029\u202f\u205f\u3000';

function isGoSpace(character: string): boolean {
  return goSpaces.includes(character) || (character >= '\u2000' && character <= '\u200a');
}

/** Go's `strings.TrimSpace`, which differs from `trim` in U+0085 and U+FEFF. */
function trimGoSpace(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isGoSpace(text.charAt(start))) start++;
  while (end > start && isGoSpace(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}
