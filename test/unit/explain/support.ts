import { askedBy, UNKNOWN_SERVER, type ServerFacts } from '../../../server/explain/asked';
import { explain } from '../../../server/explain/explain';
import { isFork, type Explanation, type Trail } from '../../../server/explain/model';
import { request } from '../language/query/support';

export const knownServer: ServerFacts = {
  ...UNKNOWN_SERVER,
  progress: { answer: true, because: 'a:1 is 3.6.16' },
  rangeStream: { answer: true, because: 'a:1 answered' },
};

export function explained(query: string, facts: Partial<ServerFacts> = {}): Explanation {
  const asked = request(query);
  if (asked === undefined) throw new Error(`no request: ${query}`);
  return explain(askedBy(asked), { ...UNKNOWN_SERVER, ...facts });
}

/** Steps and forks on the way where each answer is the one given, by the words of its question. */
export function path(trail: Trail, unlikely: readonly string[] = []): string[] {
  const rules = trail.steps.map(({ rule }) => rule);
  const { end } = trail;
  if (!isFork(end)) return [...rules, `=> ${end.way}`];
  const isOther = unlikely.some((words) => end.otherwise.when.includes(words));
  const branch = isOther ? end.otherwise : end.likely;
  return [...rules, `${end.rule}${isOther ? '!' : '?'}`, ...path(branch.trail, unlikely)];
}

/** The end of the same way. */
export function ending(trail: Trail, unlikely: readonly string[] = []) {
  const { end } = trail;
  if (!isFork(end)) return end;
  const isOther = unlikely.some((words) => end.otherwise.when.includes(words));
  return ending((isOther ? end.otherwise : end.likely).trail, unlikely);
}

export const words = ({ trail }: Explanation): string => JSON.stringify(trail);
