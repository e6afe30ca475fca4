/** What may be completed in an address. */
import { BUILT_IN } from '../../kube/resources/resources';
import type { Span } from '../../kube/selectors';
import type { SpotChoice } from '../model';
import type { MappedText } from '../source/mappedText';
import { written, type Writing } from '../source/writing';
import type { ApiPath } from './apiPath';
import { MATCH_CHOICES, PARAMETER_CHOICES, TRUTH_CHOICES } from './choices';
import type { Place } from './draft';
import { partOf, textOffset, wholeOf } from '../source/parts';
import type { Parameter } from './queryString';
import type { Url } from './urlDraft';

export function placeInUrl(url: Url, offset: number): Place | undefined {
  const whole = wholeOf(url.url);
  if (offset < whole.start || offset > whole.end || url.url.writing === undefined) return undefined;
  const at = textOffset(url.url, offset);
  if (at <= url.path.end) return at < url.path.start ? undefined : placeInPath(url, offset);
  const parameter = url.parameters.find(({ span }) => span.start <= at && at <= span.end);
  if (parameter === undefined) return namePlace(url, { start: at, end: at });
  if (at <= parameter.nameSpan.end) return namePlace(url, parameter.nameSpan);
  return valuePlace(parameter);
}

function namePlace({ url, parameters }: Url, span: Span): Place {
  return {
    kind: 'flag',
    text: partOf(url, span.start, span.end, 'plain'),
    writingIn: always('plain'),
    choices: PARAMETER_CHOICES,
    given: parameters.filter(({ nameSpan }) => nameSpan !== span).map(({ name }) => name),
  };
}

function valuePlace({ name, value }: Parameter): Place | undefined {
  const place = { text: value, writingIn: always('percent'), choices: [], given: [] };
  switch (name) {
    case 'labelSelector':
      return { ...place, kind: 'labels' };
    case 'fieldSelector':
      return { ...place, kind: 'fields' };
    case 'continue':
      return { ...place, kind: 'token', writingIn: always('plain') };
    case 'resourceVersionMatch':
      return { ...place, kind: 'choice', choices: MATCH_CHOICES };
    case 'watch':
    case 'allowWatchBookmarks':
    case 'sendInitialEvents':
      return { ...place, kind: 'choice', choices: TRUTH_CHOICES };
    default:
      return undefined;
  }
}

/** A namespace where one stands, else whole paths. */
function placeInPath({ url, path, apiPath }: Url, offset: number): Place {
  const namespace = namespaceAt(url, path, offset);
  if (namespace !== undefined) {
    const writingIn = always('percent');
    return { kind: 'namespace', text: namespace, writingIn, choices: [], given: [] };
  }
  const text = partOf(url, path.start, path.end, 'plain');
  const choices = pathChoices(namespaceIn(url, path, apiPath));
  return { kind: 'choice', text, writingIn: always('plain'), choices, given: [] };
}

/** The segment behind `namespaces` in a path as it is written. */
function namespaceAt(url: MappedText, path: Span, offset: number): MappedText | undefined {
  const raw = url.text.slice(path.start, path.end);
  const before = /^\/(?:api|apis\/[^/]+)\/[^/]+\/(?:watch\/)?namespaces\//.exec(raw)?.[0];
  if (before === undefined) return undefined;
  const slash = raw.indexOf('/', before.length);
  const end = slash < 0 ? raw.length : slash;
  const segment = partOf(url, path.start + before.length, path.start + end, 'percent');
  const span = wholeOf(segment);
  return span.start <= offset && offset <= span.end ? segment : undefined;
}

/** Behind the slash that follows a namespace its resources may be written. */
function namespaceIn(
  { text }: MappedText,
  path: Span,
  apiPath: ApiPath | undefined,
): string | undefined {
  const isOpen = text.charAt(path.end - 1) === '/' && apiPath?.resource.text === 'namespaces';
  return (isOpen ? apiPath.name : apiPath?.namespace)?.text;
}

function pathChoices(namespace: string | undefined): SpotChoice[] {
  return BUILT_IN.flatMap(({ group, resource, versions, kind, namespaced }) => {
    const [version = ''] = versions;
    const base = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
    const all = { text: `${base}/${resource}`, detail: kind };
    if (namespaced !== true || namespace === undefined || namespace === '') return [all];
    const scope = `namespaces/${written(namespace, 'percent') ?? ''}`;
    return [{ text: `${base}/${scope}/${resource}`, detail: `${kind} in ${namespace}` }, all];
  });
}

/** No part of an address is quoted. */
function always(writing: Writing): Place['writingIn'] {
  return () => writing;
}
