/** One requirement of a label selector: its construction, text and meaning. */

import { compareUtf8 } from '../../common/goText';
import type { FieldError, FieldPath } from './fieldErrors';
import { aggregateText, invalid, notSupported, subscript } from './fieldErrors';
import { parseInt64 } from './int64';
import { labelKeyErrors, labelValueErrors } from './names';
import type { LabelRequirement, Operator, StringSet } from './types';
import { SelectorError } from './types';

export const binaryOperators = ['in', 'notin', '=', '==', '!=', 'gt', 'lt'] as const;
const operators: readonly string[] = [...binaryOperators, 'exists', '!'];

export function isOperator(operator: string): operator is Operator {
  return operators.includes(operator);
}

/** A requirement built without checks, whose operator may be none that exists. */
export interface RawLabelRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values: readonly string[];
}

export function labelKeyError(path: FieldPath, key: string): FieldError | undefined {
  const errors = labelKeyErrors(key);
  return errors.length > 0 ? invalid(path, { text: key }, errors.join('; ')) : undefined;
}

export function labelValueError(
  path: FieldPath,
  key: string,
  value: string,
): FieldError | undefined {
  const errors = labelValueErrors(value);
  if (errors.length === 0) return undefined;
  return invalid(subscript(path, key), { text: value }, errors.join('; '));
}

/**
 * Everything that keeps a requirement from being valid, in upstream's order. `values` null is
 * Go's nil list, which prints differently.
 *
 * Upstream: `labels.NewRequirement`.
 */
export function requirementErrors(
  key: string,
  operator: string,
  values: readonly string[] | null,
): FieldError[] {
  const given = values ?? [];
  return [
    labelKeyError('key', key),
    ...operatorErrors(operator, values),
    ...given.map((value, i) => labelValueError(subscript('values', i), key, value)),
  ].filter((error) => error !== undefined);
}

interface CountRule {
  readonly least: number;
  readonly most: number;
  readonly detail: string;
}

const someValues: CountRule = {
  least: 1,
  most: Infinity,
  detail: "for 'in', 'notin' operators, values set can't be empty",
};
const oneValue: CountRule = {
  least: 1,
  most: 1,
  detail: 'exact-match compatibility requires one single value',
};
const noValue: CountRule = {
  least: 0,
  most: 0,
  detail: 'values set must be empty for exists and does not exist',
};
const oneInteger: CountRule = {
  least: 1,
  most: 1,
  detail: "for 'Gt', 'Lt' operators, exactly one value is required",
};

const countRules: Readonly<Record<Operator, CountRule>> = {
  in: someValues,
  notin: someValues,
  '=': oneValue,
  '==': oneValue,
  '!=': oneValue,
  exists: noValue,
  '!': noValue,
  gt: oneInteger,
  lt: oneInteger,
};

function operatorErrors(operator: string, values: readonly string[] | null): FieldError[] {
  if (!isOperator(operator)) return [notSupported('operator', { named: operator }, operators)];
  const rule = countRules[operator];
  const count = values?.length ?? 0;
  const fits = count >= rule.least && count <= rule.most;
  const countError = fits ? [] : [invalid('values', { list: values }, rule.detail)];
  return rule === oneInteger ? [...countError, ...integerErrors(values ?? [])] : countError;
}

function integerErrors(values: readonly string[]): FieldError[] {
  const detail = "for 'Gt', 'Lt' operators, the value must be an integer";
  return values.flatMap((value, i) =>
    parseInt64(value) === undefined
      ? [invalid(subscript('values', i), { text: value }, detail)]
      : [],
  );
}

/**
 * A valid requirement, its values as given. Throws `SelectorError` with the combined text of all
 * errors and an empty span, since no text was parsed.
 */
export function newRequirement(
  key: string,
  operator: string,
  values: readonly string[] | null,
): LabelRequirement {
  const errors = requirementErrors(key, operator, values);
  if (errors.length > 0 || !isOperator(operator)) {
    throw new SelectorError(aggregateText(errors), { start: 0, end: 0 });
  }
  return { key, operator, values: values ?? [] };
}

export function equalRequirements(a: RawLabelRequirement, b: RawLabelRequirement): boolean {
  return (
    a.key === b.key &&
    a.operator === b.operator &&
    a.values.length === b.values.length &&
    a.values.every((value, i) => value === b.values[i])
  );
}

/** Values in byte order, the input left alone. Null stays null. */
export function sortedValues<T extends readonly string[] | null>(values: T): T | string[] {
  return values === null ? values : [...values].sort(compareUtf8);
}

const symbols: ReadonlyMap<string, string> = new Map([
  ['=', '='],
  ['==', '=='],
  ['!=', '!='],
  ['in', ' in '],
  ['notin', ' notin '],
  ['gt', '>'],
  ['lt', '<'],
]);

/** A requirement as upstream's `Requirement.String` prints it, also an invalid one. */
export function requirementText(requirement: RawLabelRequirement): string {
  const { key, operator, values } = requirement;
  if (operator === 'exists') return key;
  if (operator === '!') return `!${key}`;
  const list = (values.length > 1 ? [...values].sort(compareUtf8) : values).join(',');
  const written = operator === 'in' || operator === 'notin' ? `(${list})` : list;
  return `${key}${symbols.get(operator) ?? ''}${written}`;
}

/**
 * The test that a requirement makes of an object's labels. `!=` and `notin` hold where the label
 * is absent; an unknown operator never holds.
 *
 * Upstream: `Requirement.Matches`.
 */
export function requirementMatcher(
  requirement: RawLabelRequirement,
): (labels: StringSet) => boolean {
  const { key, operator } = requirement;
  const isListed = membership(requirement.values);
  switch (operator) {
    case 'in':
    case '=':
    case '==':
      return (labels) => {
        const value = labels.get(key);
        return value !== undefined && isListed(value);
      };
    case 'notin':
    case '!=':
      return (labels) => {
        const value = labels.get(key);
        return value === undefined || !isListed(value);
      };
    case 'exists':
      return (labels) => labels.has(key);
    case '!':
      return (labels) => !labels.has(key);
    case 'gt':
      return integerMatcher(requirement, (label, bound) => label > bound);
    case 'lt':
      return integerMatcher(requirement, (label, bound) => label < bound);
    default:
      return () => false;
  }
}

/** Most requirements have one value, for which a set would cost more than it saves. */
function membership(values: readonly string[]): (value: string) => boolean {
  if (values.length === 1) return (value) => value === values[0];
  const set = new Set(values);
  return (value) => set.has(value);
}

function integerMatcher(
  { key, values }: RawLabelRequirement,
  holds: (label: bigint, bound: bigint) => boolean,
): (labels: StringSet) => boolean {
  const bound = values.length === 1 ? parseInt64(values[0] ?? '') : undefined;
  if (bound === undefined) return () => false;
  return (labels) => {
    const label = parseInt64(labels.get(key) ?? '');
    return label !== undefined && holds(label, bound);
  };
}
