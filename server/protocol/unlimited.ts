/** A read of everything: when a person is asked about it first, and in which words. */
import { counted, mebibytes, roughBytes, thousands } from './format';
import type { ListQuery, Measure } from './model';

/** Up to here such a read is of no weight, and nobody is asked about it. */
const fewKeys = 500;

/** `tooHeavy` is over the budget: the engine refuses it, with its receipt and what can be done instead. */
export type Weight = 'light' | 'heavy' | 'tooHeavy';

export function weightOf({ keys, bytes, budget }: Measure): Weight {
  if (budget >= 0 && bytes > budget) return 'tooHeavy';
  return Number(keys) <= fewKeys ? 'light' : 'heavy';
}

/** What such a read brings, to be agreed to. */
export function readsAll(query: ListQuery, { keys, bytes, streams }: Measure): string {
  const where = query.namespace === '' ? '' : ` of namespace ${query.namespace}`;
  const how = streams ? 'as a stream' : 'in one reply';
  return `This reads all ${thousands(keys)} ${query.resource}${where} ${how} of about ${roughBytes(bytes)}, without a limit.`;
}

/** What filling a watch cache brings, to be agreed to. */
export function fillsCacheText(query: ListQuery, { keys, bytes, budget }: Measure): string {
  const objects = counted(Number(keys), 'object');
  const all = keys === '1' ? objects : `all ${objects}`;
  return `A watch cache of ${query.resource.trim()} reads ${all}, about ${mebibytes(bytes)} of at most ${mebibytes(budget)}, and keeps watching them until you stop it.`;
}
