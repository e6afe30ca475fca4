/**
 * What to do with objects that cannot be read (rule E3), as a policy object.
 *
 * Upstream: `listItemErrors` and `corruptObjErrAggregator` in `pkg/storage/etcd3`.
 */
import { qualifiedName } from '../common/groupResource';
import { copyBytes, utf8Lossy } from '../common/bytes';
import { DecodeError, TransformError } from '../kube/decode/errors';
import { StoreError, type StatusCause, type UnreadableObject } from './errors';
import { storageErrorText, untransformable } from './errorTexts';
import type { GroupResource, UnreadableItem, UnreadablePolicy } from './interfaces';

export type FailedStep = 'transform' | 'decode';

export interface FailedItem {
  readonly key: Uint8Array;
  readonly modRevision: bigint;
  readonly step: FailedStep;
  readonly error: Error;
}

export interface ItemErrors {
  /** Takes one failure; true ends the list. */
  add(item: FailedItem): boolean;
  /** The error the list ends with, or undefined. */
  result(): StoreError | undefined;
  readonly unreadable: readonly UnreadableItem[];
}

/** The error of one object that ends a list by itself. */
function single({ key: view, step, error }: FailedItem): StoreError {
  // The error outlives the reply, whose memory the key must not hold.
  const key = copyBytes(view);
  if (step === 'transform') return untransformable(key, error);
  return new StoreError({ code: 'undecodable', message: error.message, key, cause: error });
}

/** Ends the list at the first unreadable object: upstream's default. */
function abortOnFirst(): ItemErrors {
  let first: StoreError | undefined;
  return {
    unreadable: [],
    add(item) {
      first ??= single(item);
      return true;
    },
    result: () => first,
  };
}

/** Collects unreadable objects and reads on; ours, never upstream's. */
function skip(): ItemErrors {
  const unreadable: UnreadableItem[] = [];
  return {
    unreadable,
    add({ key, error }) {
      unreadable.push({ key: copyBytes(key), error });
      return false;
    },
    result: () => undefined,
  };
}

/** Errors collected at most before the list is cut. Upstream: `maxCorruptObjErrsToAggregate`. */
const maxErrors = 100;
const tooManyText = 'too many errors, the list is truncated';

const isCorrupt = (error: Error): boolean =>
  error instanceof DecodeError || error instanceof TransformError;

/** Text of upstream's `corruptObjectError` inside its `StorageError`. */
function corruptText({ key, modRevision, step, error }: FailedItem): string {
  const [what, revision] =
    step === 'transform'
      ? ['data from the storage is not transformable', 0n]
      : ['object not decodable', modRevision];
  const inner = `${what} revision=${String(revision)}: ${error.message}`;
  return storageErrorText(7, utf8Lossy(key), 0n, inner);
}

function aggregated(
  causes: readonly StatusCause[],
  abort: StatusCause | undefined,
  objects: readonly UnreadableObject[],
  gr: GroupResource,
) {
  const first = causes[0]?.message ?? '';
  const more = causes.length > 1 ? ` (and ${causes.length - 1} more)` : '';
  return new StoreError({
    code: 'storeRead',
    message: `failed to read one or more ${qualifiedName(gr)} from the storage: ${first}${more}`,
    status: 500,
    reason: 'StorageReadError',
    causes: abort === undefined ? causes : [...causes, abort],
    objects,
  });
}

/** Collects causes and still fails, under the gate `AllowUnsafeMalformedObjectDeletion`. */
function aggregate(gr: GroupResource): ItemErrors {
  const causes: StatusCause[] = [];
  const objects: UnreadableObject[] = [];
  let abort: StatusCause | undefined;
  let alone: StoreError | undefined;
  const collect = (item: FailedItem): boolean => {
    const type = 'UnexpectedServerResponse';
    causes.push({ type, field: utf8Lossy(item.key), message: corruptText(item) });
    objects.push({ key: copyBytes(item.key), error: item.error });
    if (causes.length < maxErrors) return false;
    abort = { type: 'FieldValueTooMany', message: tooManyText };
    return true;
  };
  return {
    unreadable: [],
    add(item) {
      if (isCorrupt(item.error)) return collect(item);
      alone = single(item);
      abort = { type: 'UnexpectedServerResponse', message: alone.message };
      return true;
    },
    result: () => (causes.length > 0 ? aggregated(causes, abort, objects, gr) : alone),
  };
}

export function itemErrors(policy: UnreadablePolicy, groupResource: GroupResource): ItemErrors {
  switch (policy) {
    case 'abort':
      return abortOnFirst();
    case 'skip':
      return skip();
    case 'aggregate':
      return aggregate(groupResource);
  }
}
