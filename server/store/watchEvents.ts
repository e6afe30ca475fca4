/** etcd's events as changes. Upstream: `parseEvent` in `pkg/storage/etcd3/event.go`. */
import { goQuote } from '../common/goText';
import type { KeyValue, WatchEvent } from '../etcd/interfaces';
import type { StoreError } from './errors';
import { internalError } from './errorTexts';
import type { Change, SyncedObject } from './watchInterfaces';

export function syncedObject({ key, value, modRevision }: KeyValue): SyncedObject {
  return { type: 'synced', key, value, modRevision };
}

const isCreation = ({ type, kv }: WatchEvent): boolean =>
  type === 'put' && kv.createRevision === kv.modRevision;

/** etcd sends no previous value when it is compacted already, and a watch ends there. */
function withoutPrevious({ type, kv: { key, modRevision } }: WatchEvent): StoreError {
  const where = `key=${goQuote(key)}, modRevision=${String(modRevision)}`;
  const message = `etcd event received with PrevKv=nil (${where}, type=${type.toUpperCase()})`;
  return internalError(message, key);
}

/** Throws `StoreError` `internal` for a change or deletion without a previous value. */
export function changeOf(event: WatchEvent): Change {
  const { kv, prevKv } = event;
  const { key, value, modRevision: revision } = kv;
  if (isCreation(event)) return { type: 'created', key, value, previous: undefined, revision };
  if (prevKv === undefined) throw withoutPrevious(event);
  const previous = { value: prevKv.value, modRevision: prevKv.modRevision };
  if (event.type === 'delete') {
    return { type: 'deleted', key, value: previous.value, previous, revision };
  }
  return { type: 'modified', key, value, previous, revision };
}
