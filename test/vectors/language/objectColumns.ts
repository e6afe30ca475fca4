/** Selectors as objects in the columns of a case. */
import type { Columns } from '../harness';
import { columns, list, text, textMap, texts } from '../read';

/** Members that are absent are null. */
export interface ObjectColumns {
  readonly matchLabels: ReadonlyMap<string, string> | null;
  readonly matchExpressions: readonly ExpressionColumns[] | null;
}

export interface ExpressionColumns {
  readonly key: string;
  readonly operator: string;
  readonly values: readonly string[] | null;
}

export function objectIn(input: Columns, column: string): ObjectColumns | null {
  const object = columns(input, column);
  if (object === null) return null;
  const expressions = list(object, 'matchExpressions').map((each) => ({
    key: text(each, 'key'),
    operator: text(each, 'operator'),
    values: texts(each, 'values'),
  }));
  const hasExpressions = Array.isArray(object['matchExpressions']);
  return {
    matchLabels: textMap(object, 'matchLabels'),
    matchExpressions: hasExpressions ? expressions : null,
  };
}

export function labelsObject(labels: ReadonlyMap<string, string>): ObjectColumns {
  return { matchLabels: labels, matchExpressions: null };
}

export function expressionsObject(expressions: readonly ExpressionColumns[]): ObjectColumns {
  return { matchLabels: null, matchExpressions: expressions };
}
