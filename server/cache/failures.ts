/** What a feed's failure means for the cache that it fills. */
import { isStoreError, StoreError } from '../store/errors';
import { recordedError } from '../store/receipt';

/** Trying again would fail again, and would read a whole resource each time. */
const hopelessCodes: ReadonlySet<string> = new Set([
  ...['permissionDenied', 'authentication', 'userEmpty', 'invalidAuthToken'],
  ...['unimplemented', 'notEtcd', 'tls', 'badRequest', 'invalidKey', 'overBudget', 'replyTooLarge'],
]);

/** What is no `StoreError` is a fault of ours, and no reason to try again. */
export const isHopeless = (error: unknown): boolean =>
  !isStoreError(error) || hopelessCodes.has(recordedError(error).code);

/** The revision that the watch would go on from is compacted away. */
export const isExpired = (error: unknown): boolean =>
  isStoreError(error) && error.reason === 'Expired';

/** The watch ended by itself, which none does unasked. */
export const endedFeed = (): StoreError =>
  new StoreError({ code: 'etcd', message: 'the watch ended' });
