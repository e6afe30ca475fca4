/** What is said of a list that was to be served from a watch cache, in words. */
import type { CacheStatus } from '../../cache/interfaces';
import type { ListOptions, TotalRecord } from '../../store/interfaces';

/** The cache serves a version of exactly `0` without regard to the limit (rule C2). */
export function servedNotes(
  { resourceVersion, predicate }: ListOptions,
  { servedBy, returned, error }: TotalRecord,
  { supportsProgress }: Pick<CacheStatus, 'supportsProgress'>,
): string[] {
  const { limit, continueToken } = predicate;
  if (error !== undefined) return [];
  if (servedBy === 'watchcache') {
    if (resourceVersion !== '0' || limit <= 0n) return [];
    const all = returned.toLocaleString('en-US');
    return [
      `With resourceVersion=0 the watch cache ignores the limit of ${limit.toLocaleString('en-US')}, as an API server's does: ${all} returned in one answer.`,
    ];
  }
  const isConsistent = resourceVersion === '' && continueToken === '';
  const why =
    isConsistent && !supportsProgress
      ? ": this etcd's version does not tell soundly how far a watch is"
      : '';
  return [
    `${servedBy === 'mixed' ? 'A part of this list' : 'This list'} was passed on to etcd, as an API server would do${why}.`,
  ];
}
