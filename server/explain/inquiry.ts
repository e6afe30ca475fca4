/** Follows a decision through all answers to what is not known. */
import type { Outcome, Step, Trail } from './model';

/** Something that a decision hangs on. */
export interface Question {
  readonly rule: string;
  readonly source: string;
  /** Undefined where nobody knows. */
  readonly known: boolean | undefined;
  readonly likely: boolean;
  /** Clauses that go on from "when". */
  readonly yes: string;
  readonly no: string;
  /** Why it is known, or what it hangs on. */
  readonly about: string;
}

/** What a decision tells of itself, and asks. */
export interface Inquiry {
  step(step: Step): void;
  ask(question: Question): boolean;
}

export type Decision = (inquiry: Inquiry) => Outcome;

/** Ends a run at the first question that it has no answer to. */
class Unanswered extends Error {
  override readonly name = 'Unanswered';
  constructor(
    readonly question: Question,
    readonly steps: readonly Step[],
  ) {
    super(question.yes);
  }
}

/** All trails of a decision, which is asked anew for each answer and has to be pure. */
export function explore(decide: Decision, answers: readonly boolean[] = [], told = 0): Trail {
  const end = attempt(decide, answers);
  if (!(end instanceof Unanswered)) {
    return { steps: end.steps.slice(told), end: end.outcome };
  }
  const { question, steps } = end;
  const { rule, source, about, likely, yes, no } = question;
  const branch = (answer: boolean) => ({
    when: answer ? yes : no,
    trail: explore(decide, [...answers, answer], steps.length),
  });
  return {
    steps: steps.slice(told),
    end: { rule, source, about, likely: branch(likely), otherwise: branch(!likely) },
  };
}

function attempt(
  decide: Decision,
  answers: readonly boolean[],
): Unanswered | { readonly outcome: Outcome; readonly steps: readonly Step[] } {
  const steps: Step[] = [];
  let next = 0;
  const ask = (question: Question): boolean => {
    const { known, rule, source, yes, no, about } = question;
    if (known !== undefined) {
      steps.push({ rule, source, text: `${sentence(known ? yes : no)} (${about}).` });
      return known;
    }
    const answer = answers[next++];
    if (answer === undefined) throw new Unanswered(question, steps);
    return answer;
  };
  try {
    const outcome = decide({ step: (step) => steps.push(step), ask });
    return { outcome, steps };
  } catch (error) {
    if (error instanceof Unanswered) return error;
    throw error;
  }
}

function sentence(clause: string): string {
  return clause.charAt(0).toUpperCase() + clause.slice(1);
}
