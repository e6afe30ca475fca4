/** How large a list's next page is (rule P1). */

/** Growth stops here; a client's larger limit is kept. Upstream: `maxLimit`. */
export const maxPageSize = 10_000n;

export function nextPageSize(limit: bigint): bigint {
  if (limit >= maxPageSize) return limit;
  const doubled = limit * 2n;
  return doubled > maxPageSize ? maxPageSize : doubled;
}
