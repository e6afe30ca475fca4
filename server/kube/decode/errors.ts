/** Failures of reading one stored value. The texts marked upstream's are Kubernetes' own. */

/** A value that cannot be decoded (rule E3). `message` is what upstream's decoder says, where known. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
}

/** A value that is encrypted at rest. `message` is upstream's; `sentence` is for people. */
export class TransformError extends Error {
  override readonly name = 'TransformError';
  constructor(
    message: string,
    readonly sentence: string,
    /** Such as `aescbc`; untrusted text. */
    readonly provider: string,
    /** The key's (or KMS plugin's) name; untrusted text. */
    readonly keyName: string,
  ) {
    super(message);
  }
}
