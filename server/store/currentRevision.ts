/** The revision that etcd is at. Upstream: `store.GetCurrentResourceVersion`. */
import type { ReadContext } from './chunks';
import { inconsistentReply } from './errorTexts';
import { recordedRange, type RangeContext } from './recordedRange';

/**
 * Asks by one point read of the resource's key. Rejects with what the transport rejects with.
 * `serializable` is the connection's choice when absent; a member that answers alone may be behind.
 */
export async function readCurrentRevision(
  context: RangeContext & Pick<ReadContext, 'resourceKey'>,
  serializable?: boolean,
): Promise<bigint> {
  const range = { key: context.resourceKey, limit: 1n };
  const asked = [context, 'getCurrentResourceVersion', range, serializable] as const;
  const { reply, request } = await recordedRange(...asked);
  request.done();
  if (reply.revision > 0n) return reply.revision;
  throw inconsistentReply('the current resource version must be greater than 0');
}
