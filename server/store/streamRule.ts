/** Whether a list may be streamed (rule S1). Upstream: the first half of `shouldStream`. */

export interface StreamQuestion {
  readonly recursive: boolean;
  readonly limit: bigint;
  readonly filtered: boolean;
}

/** A filtered page cannot carry a limit that etcd would understand, and one key needs no stream. */
export function mayStream({ recursive, limit, filtered }: StreamQuestion): boolean {
  return recursive && !(limit > 0n && filtered);
}
