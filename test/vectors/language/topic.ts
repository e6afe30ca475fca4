/** Runs vectors through the language side: through documents, in the forms in which a case can be written. */
import {
  caseId,
  isColumns,
  sameColumns,
  type Failure,
  type VectorCase,
  type VectorFile,
} from '../harness';
import { Unwritten } from './pieces';

/** What the language side makes of a case; `expected` where that is not what the case itself expects. */
export type Answer = { readonly got: unknown; readonly expected?: unknown } | Unwritten;

export interface LanguageTopic {
  readonly topic: string;
  readonly forms: readonly string[];
  /** What it throws fails the case. */
  answer(vector: VectorCase, form: string): Answer;
}

export interface FormRun {
  readonly topic: string;
  readonly form: string;
  readonly passed: number;
  readonly failures: readonly Failure[];
  /** Cases that the form cannot hold, by the reason. */
  readonly unwritten: ReadonlyMap<string, number>;
}

export function runForm(topic: LanguageTopic, form: string, file: VectorFile): FormRun {
  const failures: Failure[] = [];
  const unwritten = new Map<string, number>();
  let passed = 0;
  for (const vector of file.cases) {
    const result = resultOf(topic, form, vector);
    if (result === 'passed') passed++;
    else if (result instanceof Unwritten) {
      unwritten.set(result.why, (unwritten.get(result.why) ?? 0) + 1);
    } else failures.push(result);
  }
  return { topic: topic.topic, form, passed, failures, unwritten };
}

function resultOf(
  topic: LanguageTopic,
  form: string,
  vector: unknown,
): Failure | Unwritten | 'passed' {
  const id = `${caseId(vector)} as ${form}`;
  if (!isCase(vector)) return { id, problem: 'a case of unknown shape', got: vector };
  try {
    const answer = topic.answer(vector, form);
    if (answer instanceof Unwritten) return answer;
    const { got, expected = vector.expect } = answer;
    return sameColumns(got, expected) ? 'passed' : { id, got, expected };
  } catch (error) {
    return { id, problem: String(error), expected: vector.expect };
  }
}

function isCase(vector: unknown): vector is VectorCase {
  return isColumns(vector) && isColumns(vector['input']) && isColumns(vector['expect']);
}
