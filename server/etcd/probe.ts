/** Asks an etcd whether it has the RangeStream RPC. A version number is no proof (rule S4). */
import { prefixEnd } from '../common/bytes';
import { describeEtcdError } from './describe';
import { EtcdError } from './errors';
import type { CallOptions, EtcdReader } from './interfaces';

export type RangeStreamProbe =
  | { readonly answer: 'supported'; readonly endpoint: string }
  | {
      readonly answer: 'notSupported';
      readonly endpoint: string;
      /** True when etcd's own gRPC proxy answered, which has no RangeStream whatever is behind it. */
      readonly proxy: boolean;
      readonly reason: string;
    }
  | { readonly answer: 'unknown'; readonly endpoint: string; readonly reason: string };

/**
 * Streams at most one key below `prefix`, without its value. Rejects only with what is no
 * `EtcdError`.
 */
export async function probeRangeStream(
  reader: Pick<EtcdReader, 'rangeStream' | 'currentEndpoint'>,
  prefix: Uint8Array,
  options?: CallOptions,
): Promise<RangeStreamProbe> {
  const request = { key: prefix, rangeEnd: prefixEnd(prefix), limit: 1n, keysOnly: true };
  try {
    for await (const { endpoint } of reader.rangeStream(request, options)) {
      return { answer: 'supported', endpoint };
    }
  } catch (error) {
    if (!(error instanceof EtcdError)) throw error;
    return judged(error);
  }
  return {
    answer: 'unknown',
    endpoint: reader.currentEndpoint,
    reason: 'The stream ended without a message.',
  };
}

function judged(error: EtcdError): RangeStreamProbe {
  const { endpoint } = error;
  if (error.method === 'rangeStream') {
    if (error.code === 'unimplemented') return refused(error);
    // The RPC itself answered, be it with a refusal.
    if (error.message.startsWith('etcdserver:')) return { answer: 'supported', endpoint };
  }
  return { answer: 'unknown', endpoint, reason: describeEtcdError(error) };
}

/** The proxy's own words since it knows the RPC; older ones answer like an older etcd. */
function refused({ endpoint, message }: EtcdError): RangeStreamProbe {
  const proxy = /\bgRPC proxy\b/i.test(message);
  const reason = proxy
    ? `etcd's gRPC proxy at ${endpoint} never passes RangeStream on.`
    : `The etcd at ${endpoint} has no RangeStream (etcd 3.7 and later have it).`;
  return { answer: 'notSupported', endpoint, proxy, reason };
}
