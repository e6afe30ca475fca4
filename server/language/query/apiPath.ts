/**
 * What the path of a request to an API server names.
 *
 * Upstream: `RequestInfoFactory.NewRequestInfo` of `apiserver/pkg/endpoints/request`.
 */
import type { MappedText } from '../source/mappedText';
import { partOf } from '../source/parts';

export interface ApiPath {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly resource: MappedText;
  readonly namespace: MappedText | undefined;
  readonly name: MappedText | undefined;
  readonly subresource: MappedText | undefined;
  /** The path of the old form of watches. */
  readonly watch: boolean;
}

/** Undefined for a path that names no resource. `path` is decoded. */
export function readApiPath(path: MappedText): ApiPath | undefined {
  const [first, ...rest] = segmentsOf(path);
  if (first?.text === 'api') return versioned('', rest);
  const [group, ...below] = rest;
  return first?.text === 'apis' && group !== undefined ? versioned(group.text, below) : undefined;
}

/** Slashes at the ends do not count; inner segments may be empty. */
export function segmentsOf(path: MappedText): MappedText[] {
  const { text, writing } = path;
  let start = 0;
  let end = text.length;
  while (start < end && text.charAt(start) === '/') start++;
  while (end > start && text.charAt(end - 1) === '/') end--;
  const segments: MappedText[] = [];
  while (start < end) {
    const slash = text.indexOf('/', start);
    const segmentEnd = slash < 0 || slash > end ? end : slash;
    segments.push(partOf(path, start, segmentEnd, writing));
    start = segmentEnd + 1;
  }
  return segments;
}

/** What of a namespace may stand behind its name without being a resource in it. */
const NAMESPACE_SUBRESOURCES: readonly string[] = ['status', 'finalize'];

function versioned(group: string, rest: readonly MappedText[]): ApiPath | undefined {
  const [version, ...below] = rest;
  if (version === undefined) return undefined;
  const special = below[0]?.text;
  if (special === 'proxy' || (special === 'watch' && below.length < 2)) return undefined;
  const watch = special === 'watch';
  const parts = watch ? below.slice(1) : below;
  const isWithin = isWithinNamespace(parts);
  const [resource, name, subresource] = isWithin ? parts.slice(2) : parts;
  if (resource === undefined || resource.text === '') return undefined;
  return {
    group,
    version: version.text,
    resource,
    namespace: isWithin ? parts[1] : undefined,
    name,
    subresource,
    watch,
  };
}

/** `namespaces/NAME/RESOURCE`, and no part of the namespace itself. */
function isWithinNamespace([first, , third]: readonly MappedText[]): boolean {
  if (first?.text !== 'namespaces' || third === undefined) return false;
  return !NAMESPACE_SUBRESOURCES.includes(third.text);
}
