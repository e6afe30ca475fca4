/**
 * Where the engine is known to differ from upstream until it is mended. Each constant keeps one
 * variety out of the comparison, and is to be turned, or dropped, in the commit that mends it.
 */

/**
 * Whether an element of a JSON list may leave out what the element at its place had in the same
 * list named before: upstream decodes into what is there.
 */
export const repeatedListsLeaveOut: boolean = false;

/** Whether a JSON list may be followed by the same list as `null`, which empties it upstream. */
export const nullEmptiesLists: boolean = false;
