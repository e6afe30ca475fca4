/** What the engine, the editor features and the command line see of selectors. */

/** Labels or selectable fields of one object. A map, since keys are untrusted text. */
export type StringSet = ReadonlyMap<string, string>;

/** A half-open range of UTF-16 offsets in the selector's text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Operators under upstream's own names (`k8s.io/apimachinery/pkg/selection`). */
export type Operator = '=' | '==' | '!=' | 'in' | 'notin' | 'exists' | '!' | 'gt' | 'lt';

export interface LabelRequirement {
  readonly key: string;
  readonly operator: Operator;
  /** Sorted and without duplicates when parsed, else as they were given; printed sorted. */
  readonly values: readonly string[];
}

/** A parsed label selector: the conjunction of its requirements (`labels.Selector` upstream). */
export interface LabelSelector {
  readonly requirements: readonly LabelRequirement[];
  /** True when it filters nothing. */
  empty(): boolean;
  matches(labels: StringSet): boolean;
  /** The one value this selector demands of `key`, or undefined (`RequiresExactMatch`). */
  requiresExactMatch(key: string): string | undefined;
  /** Canonical text, as upstream's `String()`. */
  toString(): string;
}

export interface FieldRequirement {
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

/** A parsed field selector (`fields.Selector` upstream). A missing field equals the empty text. */
export interface FieldSelector {
  readonly requirements: readonly FieldRequirement[];
  empty(): boolean;
  matches(fields: StringSet): boolean;
  requiresExactMatch(field: string): string | undefined;
  toString(): string;
}

/**
 * Maps one field label and value to the internal ones, or throws `SelectorError` with upstream's
 * text when the resource has no such field (rule F1).
 */
export type FieldTransform = (field: string, value: string) => readonly [string, string];

/** A selector that upstream would refuse. `message` is upstream's text, whole. */
export class SelectorError extends Error {
  override readonly name = 'SelectorError';
  constructor(
    message: string,
    /** The characters to blame, in the text that was parsed. */
    readonly span: Span,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
