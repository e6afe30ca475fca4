/**
 * What the API server holds against selectors of nodes.
 *
 * Upstream: `ValidateNodeSelector` and what it calls (`k8s.io/kubernetes/pkg/apis/core/validation`).
 */
import type { FieldError } from './fieldErrors';
import { child, invalid, required, subscript } from './fieldErrors';
import {
  unknownOperator,
  validateOperator,
  type LabelSelectorExpression,
} from './labelSelectorObject';
import { dns1123SubdomainErrors, labelKeyErrors, labelValueErrors } from './names';

/** The operators of node selectors beside those of label selectors. */
export const boundOperators = ['Gt', 'Lt'] as const;

/** One requirement on a node's labels; fields are named below `path`. */
export function validateNodeRequirement(
  { key, operator, values }: LabelSelectorExpression,
  path: string,
): FieldError[] {
  return [
    ...operatorErrors(operator, values?.length ?? 0, path),
    ...labelKeyErrors(key).map((message) => invalid(child(path, 'key'), { text: key }, message)),
    ...(values ?? []).flatMap((value, i) =>
      labelValueErrors(value).map((message) =>
        invalid(subscript(child(path, 'values'), i), { text: value }, message),
      ),
    ),
  ];
}

function operatorErrors(operator: string, count: number, path: string): FieldError[] {
  if (operator !== 'Gt' && operator !== 'Lt') return validateOperator(operator, count, path);
  if (count === 1) return [];
  const message = "must be specified single value when `operator` is 'Lt' or 'Gt'";
  return [required(child(path, 'values'), message)];
}

/** One requirement on a node's fields, of which there is one: its name. */
export function validateNodeFieldRequirement(
  { key, operator, values }: LabelSelectorExpression,
  path: string,
): FieldError[] {
  const isName = key === 'metadata.name';
  return [
    ...fieldOperatorErrors(operator, values?.length ?? 0, path),
    ...(isName
      ? []
      : [invalid(child(path, 'key'), { text: key }, 'not a valid field selector key')]),
    ...(isName ? (values ?? []) : []).flatMap((value, i) =>
      dns1123SubdomainErrors(value).map((message) =>
        invalid(subscript(child(path, 'values'), i), { text: value }, message),
      ),
    ),
  ];
}

function fieldOperatorErrors(operator: string, count: number, path: string): FieldError[] {
  if (operator !== 'In' && operator !== 'NotIn') return [unknownOperator(operator, path)];
  if (count === 1) return [];
  const message =
    "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
  return [required(child(path, 'values'), message)];
}

/** A selector of nodes without a single term. */
export function missingNodeTerms(path: string): FieldError {
  return required(child(path, 'nodeSelectorTerms'), 'must have at least one node selector term');
}
