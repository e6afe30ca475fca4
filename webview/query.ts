/** The query bar's query: as it begins, and what it says in the part that may be folded. */
import type { ListQuery } from '../server/protocol/model';

export const emptyQuery: ListQuery = {
  resource: 'pods',
  namespace: '',
  labelSelector: '',
  fieldSelector: '',
  limit: '100',
  resourceVersion: '',
  resourceVersionMatch: '',
  continueToken: '',
  readMode: 'auto',
  skipUnreadable: false,
  serveFrom: undefined,
};

/** Whether the query says something in the part behind More. */
export const needsMore = (query: ListQuery): boolean => usedInMore(query).length > 0;

/** What the query says in the part behind More, in the words of its fields. */
export function usedInMore(query: ListQuery): readonly string[] {
  const fields: readonly (readonly [string, boolean])[] = [
    ['resourceVersion', query.resourceVersion !== ''],
    ['match', query.resourceVersionMatch !== ''],
    ['continue token', query.continueToken !== ''],
    ['skip unreadable objects', query.skipUnreadable],
    ['serve from', query.serveFrom !== undefined],
  ];
  return fields.flatMap(([name, isUsed]) => (isUsed ? [name] : []));
}
