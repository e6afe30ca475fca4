/** What a limit means, and what is read to the end by it. */
import type { Span } from '../../kube/selectors';
import { finding, type Finding } from '../findings';

/** Objects of a page, from a decimal int64; 0 for no limit, which is what a negative one means too. */
export function pageSize(limit: string): bigint {
  const size = limit === '' ? 0n : BigInt(limit);
  return size > 0n ? size : 0n;
}

/** False for none, and for one that means none; what is no number at all is found elsewhere. */
export function hasLimit(limit: string): boolean {
  return limit !== '' && !(/^[+-]?\d+$/.test(limit) && pageSize(limit) === 0n);
}

/** Where pages are to be followed, told by `asked`; without a limit everything is in the first. */
export function followed(
  asked: Span | undefined,
  limit: string | undefined,
  findings: Finding[],
): 'toEnd' | 'one' {
  if (asked === undefined) return 'one';
  if (hasLimit(limit ?? '')) return 'toEnd';
  const message = 'Without a limit there is nothing to follow: everything is read at once.';
  findings.push(finding('no-effect', message, asked));
  return 'one';
}
