/**
 * What the API server holds against selectors of nodes.
 *
 * Upstream: `ValidateNodeSelector` and what it calls (`k8s.io/kubernetes/pkg/apis/core/validation`).
 */
import type { FieldError } from './fieldErrors';
import { child, invalid, required, forbidden, subscript } from './fieldErrors';
import type { LabelSelectorExpression } from './labelSelectorObject';
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
    case 'Gt':
    case 'Lt':
      if (count === 1) return [];
      return [required(values, "must be specified single value when `operator` is 'Lt' or 'Gt'")];
    default:
      return [unknownOperator(operator, path)];
  }
}

function unknownOperator(operator: string, path: string): FieldError {
  return invalid(child(path, 'operator'), { named: operator }, 'not a valid selector operator');
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
