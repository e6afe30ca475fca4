import type { ListQuery } from './model';

/** Whether both ask for the same. A member that is absent is as one that is undefined. */
export function sameQuery(a: ListQuery, b: ListQuery): boolean {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]) as Set<keyof ListQuery>;
  return [...names].every((name) => a[name] === b[name]);
}
