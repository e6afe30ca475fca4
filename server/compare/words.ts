/** A comparison in sentences. */
import { countText, grouped } from '../explain/estimateNumbers';
import { isStoreError } from '../store/errors';
import { AnswersDifferError } from './difference';
import type { ComparisonFailedError, Comparison, WayName } from './model';
import { TokenLeadError } from './runWay';

export const wayTexts: Readonly<Record<WayName, string>> = {
  pages: "the API server's: the limit first, then twice as many keys each time, up to 10,000",
  stream: 'one RangeStream, left when the list is full; to the end one without a limit',
  naive: 'every page as large as the limit',
  adaptive: 'ours: the limit first, then as many keys as the share that matched so far asks for',
};

/** What all runs gave alike. */
export function samenessText(comparison: Comparison, toTheEnd: boolean): string {
  const { agreed, revision, ways } = comparison;
  const returned = ways.find(({ figures }) => figures !== undefined)?.figures?.returned ?? 0;
  const at = grouped(revision ?? 0n);
  const objects = `${countText(returned, 'object')} at revision ${at}`;
  if (agreed === 0) return `${objects}; one way alone could be read, so nothing was compared`;
  const what = toTheEnd ? 'keys, revisions and values' : 'keys, revisions, values and token';
  return `all ${grouped(agreed + 1)} runs gave the same ${objects}: ${what}`;
}

export interface ComparisonFailure {
  readonly kind: 'differ' | 'token' | 'expired';
  readonly sentence: string;
}

/** What failed of the comparison itself; undefined where it is what any list may fail with. */
export function comparisonFailure(failed: ComparisonFailedError): ComparisonFailure | undefined {
  const { cause, comparison } = failed;
  if (cause instanceof AnswersDifferError) return { kind: 'differ', sentence: cause.message };
  if (cause instanceof TokenLeadError) return { kind: 'token', sentence: cause.message };
  const { revision } = comparison;
  const expired = isStoreError(cause, 'expired') || isStoreError(cause, 'expiredWithContinue');
  if (!expired || revision === null) return undefined;
  const sentence = `410 Expired: revision ${grouped(revision)}, at which all ways read, was compacted in the meantime: compare again, with fewer ways or rounds`;
  return { kind: 'expired', sentence };
}

/** Whether any run has come so far that there is something to show. */
export const hasFigures = ({ ways }: Comparison): boolean =>
  ways.some(({ figures, broken }) => (figures ?? broken) !== undefined);
