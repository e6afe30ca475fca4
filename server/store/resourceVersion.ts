/** resourceVersion text. Upstream: `storage.APIObjectVersioner`, Go's `strconv.ParseUint`. */
import { goQuote } from '../common/goText';
import { badRequest, inconsistentReply, tooLargeResourceVersion } from './errorTexts';

const maxUint64 = 2n ** 64n - 1n;

/** Parses as an unsigned 64-bit decimal; the empty text is 0. Throws `Error` with upstream's text. */
export function parseResourceVersion(text: string): bigint {
  if (text === '') return 0n;
  const problem = /^[0-9]+$/.test(text) ? undefined : 'invalid syntax';
  const value = problem === undefined ? BigInt(text) : 0n;
  if (problem !== undefined || value > maxUint64) {
    const quoted = goQuote(text);
    const why = problem ?? 'value out of range';
    throw new Error(
      `resourceVersion: Invalid value: ${quoted}: strconv.ParseUint: parsing ${quoted}: ${why}`,
    );
  }
  return value;
}

/** The same, as the 400 of a list request. */
export function parseRequestedVersion(text: string): bigint {
  try {
    return parseResourceVersion(text);
  } catch (error) {
    throw badRequest(`invalid resource version: ${(error as Error).message}`, error);
  }
}

/** Refuses an answer older than the version asked for (rule O4). */
export function checkMinimumVersion(minimum: string, actual: bigint): void {
  if (minimum === '') return;
  const wanted = parseRequestedVersion(minimum);
  if (wanted > BigInt.asUintN(64, actual)) throw tooLargeResourceVersion(wanted, actual);
}

/** Refuses to hand out a list without a revision. Upstream: `APIObjectVersioner.UpdateList`. */
export function checkListVersion(revision: bigint): void {
  if (revision === 0n) throw inconsistentReply('illegal resource version from storage: 0');
}
