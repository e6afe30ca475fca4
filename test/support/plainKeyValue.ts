import type { KeyValue } from '../../server/etcd/rpc/messages';

/** A key with its value as plain members of its own, however it was received. */
export function plainKeyValue(kv: KeyValue): KeyValue {
  const { createRevision, modRevision, version, lease } = kv;
  const [key, value] = [Uint8Array.from(kv.key), Uint8Array.from(kv.value)];
  return { key, value, createRevision, modRevision, version, lease };
}
