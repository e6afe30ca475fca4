/** What is said before a list is read otherwise than its flags may suggest. */
import { mayStream } from '../store/streamRule';
import type { ListOptions, StreamMode } from '../store/interfaces';
import type { ServeFrom } from './args/plan';
import { isUnfiltered } from '../store/predicate';

export function readingNotes(
  options: ListOptions,
  stream: StreamMode,
  serveFrom: ServeFrom['kind'] = 'etcd',
): string[] {
  const cache = serveFrom === 'etcd' ? cacheNote(options) : [];
  return [...cache, ...pagesNote(options, stream)];
}

/**
 * Lists that upstream's delegation leaves to the watch cache whatever etcd can do (`ShouldDelegateList`
 * of `pkg/storage/cacher/delegator`).
 */
function isForCache({ resourceVersion, resourceVersionMatch, predicate }: ListOptions): boolean {
  if (resourceVersion === '' || predicate.continueToken !== '') return false;
  if (resourceVersionMatch === 'NotOlderThan') return true;
  return resourceVersionMatch === '' && (resourceVersion === '0' || predicate.limit <= 0n);
}

function cacheNote(options: ListOptions): string[] {
  if (!isForCache(options)) return [];
  const asked = `--resource-version=${options.resourceVersion}`;
  return [
    `with ${asked} an API server answers from its watch cache, not from etcd: this is what etcd would have to read`,
  ];
}

/** Said where a stream was asked for; what is read in pages without being asked needs no word. */
function pagesNote({ recursive, predicate }: ListOptions, stream: StreamMode): string[] {
  if (stream !== 'on' && stream !== 'force') return [];
  if (!recursive) return [`a single key is read without a stream, also with --stream=${stream}`];
  const filtered = !isUnfiltered(predicate);
  if (mayStream({ recursive, limit: predicate.limit, filtered })) return [];
  return [
    'a page that has both a limit and a selector is never streamed, so pages are read: --chunk-size=0 makes one list without a limit',
  ];
}
