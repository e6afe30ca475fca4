import type { WireMessage } from '../../server/protocol/rpc';

/** A page's message, which may be anything, as a request to answer. */
export function asRequest(message: unknown): WireMessage | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  const { type, id, method } = message as Readonly<Record<string, unknown>>;
  const isRequest = type === 'request' && Number.isSafeInteger(id) && typeof method === 'string';
  return isRequest ? (message as WireMessage) : undefined;
}
