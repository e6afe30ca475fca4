import type { ListQuery } from './model';

/** A query on one line: `pods in web -l app=nginx limit 500`. */
export function queryText(query: ListQuery): string {
  const parts = [
    query.resource,
    query.namespace === '' ? '' : `in ${query.namespace}`,
    query.labelSelector === '' ? '' : `-l ${query.labelSelector}`,
    query.fieldSelector === '' ? '' : `-f ${query.fieldSelector}`,
    query.limit === '' || query.limit === '0' ? '' : `limit ${query.limit}`,
    query.resourceVersion === '' ? '' : `at ${query.resourceVersion}`,
    query.continueToken === '' ? '' : 'from a token',
    query.serveFrom === undefined ? '' : 'from the watch cache',
  ];
  return parts.filter((part) => part !== '').join(' ');
}
