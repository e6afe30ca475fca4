/** How much a sample of stored objects may read, whoever wants it. */

/** Values may be large: the first few tell how large they are; of 1.5 MiB, etcd's limit, they take 12. */
export const FIRST_PAGE = 8;
export const LARGEST_PAGE = 1000;
/** Bytes wanted of one reply. */
export const PAGE_BYTES = 4 * 1024 * 1024;
/** Bytes read for one sample at most: of larger objects fewer are read. */
export const MOST_BYTES = 16 * 1024 * 1024;
/** Places beside the first that a sample is read from. */
export const MOST_PLACES = 8;
