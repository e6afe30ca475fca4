/**
 * Where the engine is known to differ from upstream until it is mended. Each constant keeps one
 * variety out of the comparison, and is to be turned in the commit that mends it.
 */

/** Whether a second status of an object may add to the addresses of the first. */
export const secondStatusAddsAddresses: boolean = false;

/** Whether JSON objects may name a member twice. */
export const jsonNamesMembersTwice: boolean = false;

/** Whether the metric of evaluated objects is compared where a chunk could not be read to its end. */
export const evaluatedOfFailedChunks: boolean = false;
