/** Options that storage refuses, before Kubernetes 1.33, which asks first whether the cache serves them. */
import { presetOf } from '../cache/versions/presets';
import type { VersionFacts } from '../cache/versions/preset';
import type { StoreError } from '../store/errors';
import type { ServerFacts } from './asked';
import type { Inquiry } from './inquiry';
import type { Outcome } from './model';
import { optionsOf, prefixOf } from './position';
import type { ListRequest } from './request';
import { sourcesOf } from './sources';

/** Whoever would serve the list refuses it: etcd's store, or a cache that cannot read the version. */
export function refusedLate(
  error: StoreError,
  request: ListRequest,
  { version, gates }: ServerFacts,
  hasCache: boolean,
  inquiry: Inquiry,
): Outcome {
  const { validate, parse } = sourcesOf(version);
  const { toEtcd } = presetOf(version).shouldDelegateList(
    optionsOf(request),
    nothingKnown(request),
    gates,
  );
  const ofEtcd = toEtcd || !hasCache;
  const text = ofEtcd
    ? 'The list goes to etcd, whose store refuses the options.'
    : 'The cache cannot read the version, and fails with an error that is none of the API.';
  inquiry.step({ rule: 'O1', source: ofEtcd ? validate : parse, text });
  const { status = 500, message, cause } = error;
  const refusal =
    ofEtcd || !(cause instanceof Error)
      ? { status, message }
      : { status: 500, message: cause.message };
  return { way: 'refused', text: 'nothing is read.', refusal };
}

/** Of a list that names a version or a token nothing is asked. */
const nothingKnown = (request: ListRequest): VersionFacts => ({
  keyPrefix: prefixOf(request),
  supportsProgress: () => false,
  hasSeen: () => false,
  hasSnapshotFor: () => false,
});
