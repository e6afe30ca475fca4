/** Structured selectors as lines of YAML. */
import type { LabelSelectorExpression, LabelSelectorObject } from '../../kube/selectors';
import { written } from '../source/writing';

/** Without indent; undefined for an empty selector, and where a text has no form on one line. */
export function objectLines({
  matchLabels,
  matchExpressions,
}: LabelSelectorObject): string[] | undefined {
  const labels = [...matchLabels].map(([key, value]) => labelLine(key, value));
  const expressions = matchExpressions.map(expressionLines);
  if (labels.includes(undefined) || expressions.includes(undefined)) return undefined;
  const all = [
    ...headed('matchLabels:', labels),
    ...headed('matchExpressions:', expressions.flat()),
  ];
  return all.length === 0 ? undefined : all;
}

function headed(key: string, lines: readonly (string | undefined)[]): string[] {
  return lines.length === 0 ? [] : [key, ...lines.map((line) => `  ${line ?? ''}`)];
}

function labelLine(key: string, value: string): string | undefined {
  const [keyText, valueText] = [written(key, 'yaml'), written(value, 'yaml')];
  return keyText === undefined || valueText === undefined ? undefined : `${keyText}: ${valueText}`;
}

/** One item of a list. */
export function expressionLines({
  key,
  operator,
  values,
}: LabelSelectorExpression): string[] | undefined {
  const keyText = written(key, 'yaml');
  const texts = (values ?? []).map((value) => written(value, 'yaml'));
  if (keyText === undefined || texts.includes(undefined)) return undefined;
  const lines = [`- key: ${keyText}`, `  operator: ${operator}`];
  return texts.length === 0 ? lines : [...lines, `  values: [${texts.join(', ')}]`];
}
