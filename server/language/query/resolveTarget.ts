/** What a request lists, as far as it is known without reading anything. */
import type { Finding } from '../findings';
import type { DraftTarget } from './draft';
import type { QueryFileOptions } from './options';
import { pathTarget } from './pathTargets';
import { prefixTarget } from './prefixTargets';
import { wordTarget, type Target } from './targets';

/** Undefined with a finding where there is no such thing. */
export function resolveTarget(
  target: DraftTarget,
  options: QueryFileOptions,
  findings: Finding[],
): Target | undefined {
  switch (target.kind) {
    case 'prefix':
      return prefixTarget(target.prefix, options, findings);
    case 'path':
      return pathTarget(target, options, findings);
    case 'word':
      return wordTarget(target.resource, options, findings);
  }
}
