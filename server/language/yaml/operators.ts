/** Operators of requirements that are written as objects. */
import { nearest } from '../../common/nearest';
import {
  child,
  notSupported,
  parseInt64,
  validateLabelExpression,
  validateNodeFieldRequirement,
  validateNodeRequirement,
  type FieldError,
  type LabelSelectorExpression,
  type Operator,
} from '../../kube/selectors';
import type { SpotChoice } from '../model';
import type { OperatorSet } from './kindRows';

/** What a list of requirements is about; `nodeField` is `matchFields` of a node selector term. */
export type RequirementKind = OperatorSet | 'nodeField';

const CHOICES: readonly SpotChoice[] = [
  { text: 'In', detail: 'the label has one of the values' },
  { text: 'NotIn', detail: 'the label has none of the values, or is not there' },
  { text: 'Exists', detail: 'the label is there' },
  { text: 'DoesNotExist', detail: 'the label is not there' },
  { text: 'Gt', detail: 'the label is a whole number greater than the value' },
  { text: 'Lt', detail: 'the label is a whole number less than the value' },
  { text: 'Gte', detail: 'the label is a whole number, the value or greater' },
  { text: 'Lte', detail: 'the label is a whole number, the value or less' },
];

const COUNTS: Readonly<Record<RequirementKind, number>> = {
  nodeField: 2,
  inOnly: 2,
  label: 4,
  review: 4,
  node: 6,
  karpenter: 8,
};

/** Upstream: `nodeFieldSelectorValidators` (`k8s.io/kubernetes/pkg/apis/core/validation`). */
export const NODE_FIELDS: readonly SpotChoice[] = [
  { text: 'metadata.name', detail: 'the only field that may stand here' },
];

export function operatorChoices(kind: RequirementKind): readonly SpotChoice[] {
  return CHOICES.slice(0, COUNTS[kind]);
}

/** What is wrong with a requirement, in upstream's words where Kubernetes itself checks it. */
export function requirementFaults(
  kind: RequirementKind,
  expression: LabelSelectorExpression,
  path: string,
): FieldError[] {
  switch (kind) {
    case 'label':
      return validateLabelExpression(expression, path);
    case 'review':
      return validateLabelExpression(expression, path, { allowUnknownOperator: true });
    case 'node':
      return validateNodeRequirement(expression, path);
    case 'nodeField':
      return validateNodeFieldRequirement(expression, path);
    case 'inOnly':
    case 'karpenter':
      return customFaults(kind, expression, path);
  }
}

/** Of custom kinds: the operator is an enumeration of their schema, the rest is as for nodes. */
function customFaults(
  kind: RequirementKind,
  expression: LabelSelectorExpression,
  path: string,
): FieldError[] {
  const names = operatorChoices(kind).map(({ text }) => text);
  const { operator } = expression;
  if (!names.includes(operator)) {
    return [notSupported(child(path, 'operator'), { text: operator }, [...names].sort())];
  }
  return validateNodeRequirement({ ...expression, operator: operator.replace(/te$/, 't') }, path);
}

/** Written by people who think of another language. Small letters, without anything between. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['=', 'In'],
  ['==', 'In'],
  ['equals', 'In'],
  ['equal', 'In'],
  ['eq', 'In'],
  ['!=', 'NotIn'],
  ['notequals', 'NotIn'],
  ['notequal', 'NotIn'],
  ['ne', 'NotIn'],
  ['neq', 'NotIn'],
  ['!', 'DoesNotExist'],
  ['notexists', 'DoesNotExist'],
  ['notexist', 'DoesNotExist'],
  ['absent', 'DoesNotExist'],
  ['present', 'Exists'],
  ['>', 'Gt'],
  ['greaterthan', 'Gt'],
  ['<', 'Lt'],
  ['lessthan', 'Lt'],
  ['>=', 'Gte'],
  ['<=', 'Lte'],
]);

/** The operators that may be meant, the likeliest first. */
export function meantOperators(kind: RequirementKind, written: string): string[] {
  const names = operatorChoices(kind).map(({ text }) => text);
  const plain = written.toLowerCase().replace(/[\s_-]/g, '');
  const same = names.filter((name) => name.toLowerCase() === plain);
  const other = OTHER_NAMES.get(plain);
  const known = other !== undefined && names.includes(other) ? [other] : [];
  return [...new Set([...same, ...known, ...(same.length > 0 ? [] : nearest(written, names))])];
}

const OPERATORS: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', '!'],
  ['Gt', 'gt'],
  ['Lt', 'lt'],
]);

/** A valid requirement as one of a selector's text; undefined where it has no such form. */
export function asTextRequirement({
  operator,
  values,
}: LabelSelectorExpression):
  { readonly operator: Operator; readonly values: readonly string[] } | undefined {
  const name = OPERATORS.get(operator);
  if (name !== undefined) return { operator: name, values: values ?? [] };
  const bound = parseInt64(values?.[0] ?? '');
  if (bound === undefined) return undefined;
  return operator === 'Gte'
    ? { operator: 'gt', values: [String(bound - 1n)] }
    : { operator: 'lt', values: [String(bound + 1n)] };
}
