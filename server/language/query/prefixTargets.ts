/** A prefix of keys, and whose keys they are where that can be told. */
import { goQuote } from '../../common/goText';
import { qualifiedName } from '../../common/groupResource';
import {
  DEFAULT_ROOT,
  KNOWN_ROOTS,
  normalizeRoot,
  resourceOfPrefix,
} from '../../kube/resources/resources';
import { finding, type Finding } from '../findings';
import type { SelectedFrom } from '../model';
import type { Stated } from './draft';
import { fieldsOf } from '../selectors/knownFields';
import { wholeOf } from '../source/parts';
import type { QueryFileOptions } from './options';
import type { Target } from './targets';

/** Of what stands below a prefix only the metadata can be selected by. */
const NO_RESOURCE = { group: '', resource: '' };

export function prefixTarget(
  { text }: Stated,
  options: QueryFileOptions,
  findings: Finding[],
): Target | undefined {
  const prefix = text.text;
  const wrong = problemOf(prefix);
  if (wrong !== undefined) {
    findings.push(finding('query', wrong, wholeOf(text)));
    return undefined;
  }
  return {
    resource: prefix,
    name: prefix,
    isPrefix: true,
    namespaced: false,
    fields: fieldsOf(NO_RESOURCE, ''),
    from: ownerOf(prefix, options),
  };
}

function problemOf(prefix: string): string | undefined {
  if (!prefix.startsWith('/'))
    return 'A prefix of keys begins with a slash, such as /registry/pods/.';
  if (/^[/\s]*$/.test(prefix)) {
    return 'An empty prefix would read every key: write one, such as /registry/pods/.';
  }
  const isWalking = prefix.split('/').some((part) => part === '.' || part === '..');
  return isWalking ? `invalid key: ${goQuote(prefix)}` : undefined;
}

const UNKNOWN: SelectedFrom = { resource: undefined, namespace: undefined };

/** The resource and the namespace whose keys a prefix holds: `/registry/services/specs/web/`. */
function ownerOf(prefix: string, { root = DEFAULT_ROOT }: QueryFileOptions): SelectedFrom {
  if (prefix.length > 1000) return UNKNOWN;
  const roots = [normalizeRoot(root), ...KNOWN_ROOTS];
  const below = roots.find((each) => prefix.startsWith(each));
  if (below === undefined) return UNKNOWN;
  const parts = prefix.slice(below.length).split('/');
  for (const depth of [2, 1]) {
    const owner = resourceOfPrefix(parts.slice(0, depth).join('/'));
    if (owner.type !== 'resource') continue;
    const { group, resource, namespaced } = owner.resource;
    const name = qualifiedName({ group, resource });
    // A list's key ends in a slash, written or not: what follows is one whole segment.
    const namespace = namespaced === true ? parts[depth] : undefined;
    return { resource: name, namespace: namespace === '' ? undefined : namespace };
  }
  return UNKNOWN;
}
