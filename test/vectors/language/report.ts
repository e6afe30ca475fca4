/** What was run through documents, in lines a person reads. */
import type { FormRun } from './topic';

/** Runs of one topic under its name, in the order in which topics come first. */
export function byTopic(runs: readonly FormRun[]): Map<string, FormRun[]> {
  const topics = new Map<string, FormRun[]>();
  for (const run of runs) topics.set(run.topic, [...(topics.get(run.topic) ?? []), run]);
  return topics;
}

const sum = (counts: readonly number[]): number => counts.reduce((total, each) => total + each, 0);

export function unwrittenCount({ unwritten }: FormRun): number {
  return sum([...unwritten.values()]);
}

/** One line for each topic. */
export function topicLines(runs: readonly FormRun[]): string[] {
  return [...byTopic(runs)].map(([topic, forms]) => {
    const passed = sum(forms.map((each) => each.passed));
    const left = sum(forms.map(unwrittenCount));
    return `${topic}: ${passed} passed in ${forms.length} forms, ${left} cannot be written in theirs`;
  });
}

/** Below each topic one line for each form, and why cases cannot be written in it. */
export function formLines(runs: readonly FormRun[]): string[] {
  return [...byTopic(runs)].flatMap(([topic, forms]) => [
    `${topic} through documents`,
    ...forms.map(({ form, passed, unwritten }) => {
      const whys = [...unwritten].map(([why, count]) => `${count}: ${why}`);
      const left = whys.length === 0 ? '' : ` (not written ${whys.join('; ')})`;
      return `${String(passed).padStart(6)}  ${form}${left}`;
    }),
  ]);
}
