/** The structured label selector of API objects, to and from the other forms. */

import { goJsonMap, goJsonString, goJsonStrings, goQuote } from '../../common/goText';
import type { FieldError, FieldPath } from './fieldErrors';
import { child, forbidden, invalid, required, subscript } from './fieldErrors';
import { parseLabelSelectorDetailed } from './labelParser';
import { newRequirement } from './labelRequirement';
import {
  addRequirements,
  everythingLabels,
  nothingLabels,
  sortRequirements,
} from './labelSelector';
import { labelKeyErrors, labelValueErrors } from './names';
import type { LabelRequirement, LabelSelector, Operator, StringSet } from './types';
import { SelectorError } from './types';

export interface LabelSelectorExpression {
  readonly key: string;
  /** `In`, `NotIn`, `Exists` or `DoesNotExist`; anything else is an error to report. */
  readonly operator: string;
  /** Null is an absent list, which some errors print differently from an empty one. */
  readonly values: readonly string[] | null;
}

/** Upstream: `metav1.LabelSelector`. */
export interface LabelSelectorObject {
  readonly matchLabels: StringSet;
  readonly matchExpressions: readonly LabelSelectorExpression[];
}

const textOperators: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', '!'],
]);

const objectOperators: ReadonlyMap<string, string> = new Map(
  [...textOperators].map(([name, operator]) => [operator, name]),
);

function unparsed(message: string): SelectorError {
  return new SelectorError(message, { start: 0, end: 0 });
}

/**
 * The selector that an object means: null selects nothing, an empty one everything. Throws
 * `SelectorError` with an empty span, since no text was parsed.
 *
 * Upstream: `LabelSelectorAsSelector`.
 */
export function labelSelectorOfObject(object: LabelSelectorObject | null): LabelSelector {
  if (object === null) return nothingLabels;
  const requirements = [...object.matchLabels].map(([key, value]) =>
    newRequirement(key, '=', [value]),
  );
  for (const { key, operator, values } of object.matchExpressions) {
    const name = textOperators.get(operator);
    if (name === undefined) {
      throw unparsed(`${goQuote(operator)} is not a valid label selector operator`);
    }
    // Upstream copies the list, and a copy of an empty list is nil there.
    requirements.push(newRequirement(key, name, values?.length === 0 ? null : values));
  }
  return addRequirements(everythingLabels, requirements);
}

/**
 * The plain map that an object amounts to, with what was collected before the error when it has
 * no such form; null for null.
 *
 * Upstream: `LabelSelectorAsMap`.
 */
export function labelSelectorMap(object: LabelSelectorObject | null): {
  readonly map: Map<string, string> | null;
  readonly error: string | null;
} {
  if (object === null) return { map: null, error: null };
  const map = new Map(object.matchLabels);
  for (const { key, operator, values } of object.matchExpressions) {
    if (operator !== 'In') return { map, error: notPlain(operator) };
    if (values?.length !== 1) {
      const what = 'without a single value cannot be converted into the old label selector format';
      return { map, error: `operator ${goQuote(operator)} ${what}` };
    }
    map.set(key, values[0] ?? '');
  }
  return { map, error: null };
}

function notPlain(operator: string): string {
  return textOperators.has(operator)
    ? `operator ${goQuote(operator)} cannot be converted into the old label selector format`
    : `${goQuote(operator)} is not a valid selector operator`;
}

/**
 * The object that a selector's text means. Throws `SelectorError` for text that does not parse
 * and for operators without a structured form.
 *
 * Upstream: `ParseToLabelSelector`.
 */
export function parseLabelSelectorObject(text: string): LabelSelectorObject {
  const { requirements, error } = parseLabelSelectorDetailed(text);
  if (error !== null) {
    const message = `couldn't parse the selector string "${text}": ${error.message}`;
    throw new SelectorError(message, error.span, { cause: error });
  }
  const matchLabels = new Map<string, string>();
  const matchExpressions: LabelSelectorExpression[] = [];
  const written = requirements.flatMap(({ requirement, span }) =>
    requirement === null ? [] : [{ ...requirement, span }],
  );
  for (const { key, operator, values, span } of sortRequirements(written)) {
    if (operator === '=' || operator === '==') matchLabels.set(key, values[0] ?? '');
    else if (objectOperators.has(operator)) {
      matchExpressions.push({ key, operator: objectOperators.get(operator) ?? '', values });
    } else throw new SelectorError(noObjectForm(operator), span);
  }
  return { matchLabels, matchExpressions };
}

function noObjectForm(operator: LabelRequirement['operator']): string {
  return operator === 'gt' || operator === 'lt'
    ? `${goQuote(operator)} isn't supported in label selectors`
    : `${goQuote(operator)} is not a valid label selector operator`;
}

/** A selector as Go's JSON encoder writes it; what is empty is left out. */
export function labelSelectorJson({ matchLabels, matchExpressions }: LabelSelectorObject): string {
  const labels = matchLabels.size === 0 ? [] : [`"matchLabels":${goJsonMap(matchLabels)}`];
  const expressions = matchExpressions.map(({ key, operator, values }) => {
    const list = values === null || values.length === 0 ? '' : `,"values":${goJsonStrings(values)}`;
    return `{"key":${goJsonString(key)},"operator":${goJsonString(operator)}${list}}`;
  });
  const list = expressions.length === 0 ? [] : [`"matchExpressions":[${expressions.join(',')}]`];
  return `{${[...labels, ...list].join(',')}}`;
}

/** Text for people: `<none>` when empty or null, `<error>` when not valid. Upstream: `FormatLabelSelector`. */
export function formatLabelSelectorObject(object: LabelSelectorObject | null): string {
  try {
    const text = labelSelectorOfObject(object).toString();
    return text === '' ? '<none>' : text;
  } catch (error) {
    if (error instanceof SelectorError) return '<error>';
    throw error;
  }
}

export interface LabelSelectorValidationOptions {
  readonly allowInvalidValues?: boolean;
  readonly allowUnknownOperator?: boolean;
}

/**
 * What the API server holds against a structured selector, in order; fields are named below
 * `path`. Upstream: `ValidateLabelSelector` (`k8s.io/apimachinery/pkg/apis/meta/v1/validation`).
 */
export function validateLabelSelectorObject(
  object: LabelSelectorObject | null,
  path: FieldPath,
  options: LabelSelectorValidationOptions = {},
): FieldError[] {
  if (object === null) return [];
  const expressions = child(path, 'matchExpressions');
  return [
    ...validateLabels(object.matchLabels, child(path, 'matchLabels')),
    ...object.matchExpressions.flatMap((expression, i) =>
      validateLabelExpression(expression, subscript(expressions, i), options),
    ),
  ];
}

/** Keys and values are both reported at `path` itself. Upstream: `ValidateLabels`. */
export function validateLabels(labels: StringSet, path: FieldPath): FieldError[] {
  return [...labels].flatMap(([key, value]) => [
    ...labelKeyErrors(key).map((message) => invalid(path, { text: key }, message)),
    ...labelValueErrors(value).map((message) => invalid(path, { text: value }, message)),
  ]);
}

/** One of its `matchExpressions`. Upstream: `ValidateLabelSelectorRequirement`. */
export function validateLabelExpression(
  { key, operator, values }: LabelSelectorExpression,
  path: string,
  options: LabelSelectorValidationOptions = {},
): FieldError[] {
  const checked = options.allowInvalidValues === true ? [] : (values ?? []);
  return [
    ...validateOperator(operator, values?.length ?? 0, path, options),
    ...labelKeyErrors(key).map((message) => invalid(child(path, 'key'), { text: key }, message)),
    ...checked.flatMap((value, i) =>
      labelValueErrors(value).map((message) =>
        invalid(subscript(child(path, 'values'), i), { text: value }, message),
      ),
    ),
  ];
}

/** Whether the operator exists, and goes with so many values. */
export function validateOperator(
  operator: string,
  count: number,
  path: string,
  { allowUnknownOperator = false }: LabelSelectorValidationOptions = {},
): FieldError[] {
  const values = child(path, 'values');
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (count > 0) return [];
      return [required(values, "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      if (count === 0) return [];
      return [
        forbidden(values, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"),
      ];
    default:
      return allowUnknownOperator ? [] : [unknownOperator(operator, path)];
  }
}

export function unknownOperator(operator: string, path: string): FieldError {
  return invalid(child(path, 'operator'), { named: operator }, 'not a valid selector operator');
}
