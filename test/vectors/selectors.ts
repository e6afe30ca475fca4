/** What the topics of selectors share. */

import type { LabelRequirement, RawLabelRequirement } from '../../server/kube/selectors';
import { SelectorError } from '../../server/kube/selectors';
import type { Columns } from './harness';
import { list, text, texts } from './read';

/** The answer, or the `error` column of a text that is refused. */
export function orError(answer: () => unknown): unknown {
  try {
    return answer();
  } catch (error) {
    if (error instanceof SelectorError) return { error: error.message };
    throw error;
  }
}

export function rawRequirement(input: Columns): RawLabelRequirement {
  return {
    key: text(input, 'key'),
    operator: text(input, 'operator'),
    values: texts(input, 'values') ?? [],
  };
}

/** Unchecked, as the cases want them: the operator may be none that exists. */
export function requirements(input: Columns, column: string): LabelRequirement[] {
  return list(input, column).map((item) => rawRequirement(item) as LabelRequirement);
}
