/** How long a document must stay as it is before it is looked at again. */

/** Milliseconds. Shorter ones would have half-typed words underlined between two letters. */
export const SHORTEST_MS = 150;

/** Milliseconds. Whoever stops to type waits no longer than this, whatever the document costs. */
export const LONGEST_MS = 500;

/** So much of the time of somebody who types without a rest may go into looking. */
const SHARE = 1 / 2;

/**
 * Milliseconds to wait after a change, by how long the last look took: a document that costs little
 * is looked at soon, and one that costs much does not keep the thread from what is asked meanwhile.
 */
export function pauseAfter(tookMs = 0): number {
  return Math.min(LONGEST_MS, Math.max(SHORTEST_MS, tookMs / SHARE));
}
