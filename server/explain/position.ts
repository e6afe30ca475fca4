/** Whether storage accepts the options, and where the list is read then (rules O1 to O3). */
import { utf8 } from '../common/bytes';
import { StoreError } from '../store/errors';
import type { ListOptions } from '../store/interfaces';
import { validateListOptions, type ReadPosition } from '../store/listOptions';
import type { Inquiry } from './inquiry';
import type { Outcome } from './model';
import type { ListRequest } from './request';
import type { ServerFacts } from './asked';
import { sourcesOf } from './sources';
import { revisionWords } from './words';

export function optionsOf({ asked, narrowed, predicate }: ListRequest): ListOptions {
  const { key, recursive } = narrowed;
  const { resourceVersion, resourceVersionMatch } = asked;
  return { key, recursive, predicate, resourceVersion, resourceVersionMatch };
}

/** Whether a token is accepted does not hang on the keys below which it is read. */
export function positionOf(request: ListRequest): ReadPosition | StoreError {
  try {
    return validateListOptions(prefixOf(request), optionsOf(request));
  } catch (error) {
    if (error instanceof StoreError) return error;
    throw error;
  }
}

export const prefixOf = ({ resource }: ListRequest): Uint8Array => utf8(`${resource.path}/`);

export function refusedBy(
  { message, status }: StoreError,
  { version }: ServerFacts,
  inquiry: Inquiry,
): Outcome {
  const text = 'Storage refuses the options before it decides between cache and etcd.';
  inquiry.step({ rule: 'O1', source: sourcesOf(version).validate, text });
  return {
    way: 'refused',
    text: 'nothing is read.',
    refusal: { status: status ?? 500, message },
  };
}

/** Said where etcd is read at one revision. */
export function pinStep(request: ListRequest, facts: ServerFacts, inquiry: Inquiry): void {
  const position = positionOf(request);
  if (position instanceof StoreError || position.revision <= 0n) return;
  const { asked } = request;
  const what = revisionWords(asked, position.revision);
  const text = `The read is pinned to ${what}; once etcd has compacted that, the answer is 410 Expired.`;
  const rule = asked.from.kind === 'beginning' ? 'O3' : 'O2';
  inquiry.step({ rule, source: sourcesOf(facts.version).validate, text });
}
