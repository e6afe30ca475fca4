/** A trail as a list of steps along its likely way, what else may be told beside each. */
import { isFork, likelyPath, type Trail } from './model';
import { branchText, endText } from './text';

export interface ChainStep {
  readonly rule: string;
  readonly source: string;
  readonly text: string;
  /** What follows where the answer is the unlikely one. */
  readonly otherwise?: string;
}

export interface Chain {
  readonly steps: readonly ChainStep[];
  readonly end: string;
}

export function chainOf(trail: Trail): Chain {
  return { steps: stepsOf(trail), end: endText(likelyPath(trail).end) };
}

function stepsOf({ steps, end }: Trail): ChainStep[] {
  if (!isFork(end)) return [...steps];
  const { rule, source, about, likely, otherwise } = end;
  const fork: ChainStep = {
    rule,
    source,
    text: `Likely, ${likely.when} (${about}).`,
    otherwise: `Otherwise ${otherwise.when}: ${branchText(otherwise.trail)}`,
  };
  return [...steps, fork, ...stepsOf(likely.trail)];
}
