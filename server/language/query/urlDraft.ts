/** The request that an address states. */
import { cellText } from '../../kube/print/cellText';
import type { Span } from '../../kube/selectors';
import { nearest } from '../../common/nearest';
import { finding, type Finding, type Fix } from '../findings';
import type { MappedText } from '../source/mappedText';
import { readApiPath, type ApiPath } from './apiPath';
import { PARAMETER_CHOICES } from './choices';
import type { Draft, DraftTarget, OptionName, Stated } from './draft';
import { partOf, wholeOf } from '../source/parts';
import type { Mark, MarkType } from './model';
import { percentDecoded } from './percent';
import { MOST_PARAMETERS, queryParameters, type Parameter } from './queryString';
import { placeInUrl } from './urlPlaces';

/** An address in its parts. */
export interface Url {
  readonly url: MappedText;
  /** In the address. */
  readonly path: Span;
  readonly parameters: readonly Parameter[];
  readonly apiPath: ApiPath | undefined;
}

export function urlDraft(
  source: MappedText,
  { form, anchor, span }: Pick<Draft, 'form' | 'anchor' | 'span'>,
): Draft {
  const findings: Finding[] = [];
  const url = urlOf(source, anchor, findings);
  const options = new Map<OptionName, Stated>();
  const apiPath = url.apiPath;
  if (apiPath?.namespace !== undefined) {
    options.set('namespace', { text: apiPath.namespace, anchor: wholeOf(apiPath.namespace) });
  }
  const isObject = apiPath?.name !== undefined;
  for (const parameter of url.parameters) putOption(url, parameter, isObject, options, findings);
  if (isObject) dropForObject(options);
  if (apiPath?.watch === true && !isObject) {
    options.set('watch', { text: watchText(apiPath.resource), anchor: wholeOf(apiPath.resource) });
  }
  return {
    form,
    anchor,
    span,
    target: targetOf(url, findings),
    options,
    allNamespaces: false,
    withoutNamespace: 'all',
    limit: isObject ? 0n : undefined,
    paging: 'one',
    readMode: 'auto',
    skipUnreadable: false,
    findings,
    marks: urlMarks(url),
    placeAt: (offset) => placeInUrl(url, offset),
  };
}

function watchText(at: MappedText): MappedText {
  return { ...partOf(at, 0, 0, undefined), text: 'true' };
}

/** What stands before the path does not matter. */
function urlOf(url: MappedText, anchor: Span, findings: Finding[]): Url {
  const { text } = url;
  const host = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*/.exec(text.slice(0, 2000))?.[0].length ?? 0;
  const mark = text.indexOf('?', host);
  const path = { start: host, end: mark < 0 ? text.length : mark };
  const query = { start: Math.min(text.length, path.end + 1), end: text.length };
  const parameters = queryParameters(url, query);
  const decoded = percentDecoded(url, path, '+');
  if ('problem' in decoded) {
    findings.push(finding('request', decoded.problem, url.place(decoded.span)));
    return { url, path, parameters, apiPath: undefined };
  }
  const apiPath = readApiPath(decoded.text);
  if (apiPath === undefined) findings.push(noResource(url, path, anchor));
  return { url, path, parameters: withinMost(url, parameters, findings), apiPath };
}

/** What an API server answers by itself: its health, its metrics, what it serves. */
const OWN_PATHS =
  /^\/*(?:api(?:\/v1)?|apis(?:\/[^/]+){0,2}|version|(?:healthz|livez|readyz|metrics|openapi|logs|debug|\.well-known)(?:\/.*)?)?\/*$/s;

function noResource(url: MappedText, path: Span, anchor: Span): Finding {
  const text = url.text.slice(path.start, Math.min(path.end, path.start + 200));
  const what = `"${cellText(text)}" is no path of a resource, such as /api/v1/pods or /apis/apps/v1/namespaces/web/deployments.`;
  const place = url.text === '' ? anchor : visiblePlace(url, path);
  if (OWN_PATHS.test(text)) return finding('query', what, place);
  return finding('request', `The API server answers 404: ${what}`, place);
}

/** An empty part is shown on the character before it. */
function visiblePlace(url: MappedText, { start, end }: Span): Span {
  if (end > start || start === 0) return url.place({ start, end });
  return url.place({ start: start - 1, end });
}

function withinMost(
  url: MappedText,
  parameters: readonly Parameter[],
  findings: Finding[],
): readonly Parameter[] {
  const first = parameters[MOST_PARAMETERS];
  if (first === undefined) return parameters;
  const message = `The API server takes none of these parameters: there are more than ${MOST_PARAMETERS}.`;
  findings.push(finding('no-effect', message, url.place(first.span)));
  return [];
}

const OPTIONS: ReadonlySet<string> = new Set<OptionName>([
  'labelSelector',
  'fieldSelector',
  'limit',
  'resourceVersion',
  'resourceVersionMatch',
  'continue',
  'watch',
  'sendInitialEvents',
  'timeoutSeconds',
]);

/** Known, and without any bearing on what is read. */
const SILENT: ReadonlySet<string> = new Set([
  'allowWatchBookmarks',
  'pretty',
  'timeout',
  'includeObject',
]);

function isOption(name: string): name is OptionName {
  return OPTIONS.has(name);
}

function putOption(
  url: Url,
  parameter: Parameter,
  isObject: boolean,
  options: Map<OptionName, Stated>,
  findings: Finding[],
): void {
  const { name, problem, nameSpan } = parameter;
  const anchor = visiblePlace(url.url, nameSpan);
  if (problem !== undefined) {
    const message = `The API server passes over this parameter: ${problem.text}`;
    findings.push(finding('no-effect', message, url.url.place(problem.span)));
  } else if (isOption(name)) {
    putOnce(name, { text: parameter.value, anchor }, isObject, options, findings);
  } else if (name === 'shardSelector') {
    findings.push(finding('query', 'Sharded lists are not run here.', anchor));
  } else if (!SILENT.has(name)) findings.push(unknownParameter(url.url, parameter, anchor));
}

function putOnce(
  name: OptionName,
  stated: Stated,
  isObject: boolean,
  options: Map<OptionName, Stated>,
  findings: Finding[],
): void {
  if (options.has(name)) {
    const message = `The API server takes the first ${name} alone.`;
    findings.push(finding('no-effect', message, stated.anchor));
    return;
  }
  options.set(name, stated);
  if (!isObject || name === 'resourceVersion') return;
  const message = `${name} has no effect: the path names one object.`;
  findings.push(finding('no-effect', message, stated.anchor));
}

/** A read of one object takes its version alone. */
function dropForObject(options: Map<OptionName, Stated>): void {
  for (const name of [...options.keys()]) {
    if (name !== 'resourceVersion' && name !== 'namespace') options.delete(name);
  }
}

function unknownParameter(url: MappedText, { name, nameSpan }: Parameter, anchor: Span): Finding {
  const names = nearest(
    name,
    PARAMETER_CHOICES.map(({ text }) => text),
  );
  const fixes = names.map((text, i): Fix => ({
    title: `Change to ${text}`,
    edits: [{ span: url.place(nameSpan), text }],
    preferred: i === 0,
  }));
  const hint = names[0] === undefined ? '' : ` Did you mean ${names[0]}?`;
  const message = `A LIST knows no parameter "${cellText(name)}": it has no effect.${hint}`;
  return finding('no-effect', message, anchor, nameSpan.end > nameSpan.start ? fixes : []);
}

function targetOf({ apiPath }: Url, findings: Finding[]): DraftTarget | undefined {
  if (apiPath === undefined) return undefined;
  const { group, version, resource, name, subresource } = apiPath;
  if (subresource !== undefined) {
    const message =
      'A subresource is not stored by itself: end the path with the name to read the object.';
    findings.push(finding('query', message, wholeOf(subresource)));
    return undefined;
  }
  const stated = (text: MappedText): Stated => ({ text, anchor: wholeOf(text) });
  return {
    kind: 'path',
    group,
    version,
    resource: stated(resource),
    name: name === undefined ? undefined : stated(name),
  };
}

const VALUE_MARKS: Readonly<Partial<Record<string, MarkType>>> = {
  limit: 'number',
  resourceVersion: 'number',
  timeoutSeconds: 'number',
  resourceVersionMatch: 'keyword',
  watch: 'keyword',
  sendInitialEvents: 'keyword',
};

/** Selectors and tokens are marked where they are understood. */
function urlMarks({ url, parameters, apiPath }: Url): Mark[] {
  const parts: Mark[] = [];
  const put = (span: Span, type: MarkType): void => {
    parts.push({ span, type });
  };
  if (apiPath !== undefined) {
    put(wholeOf(apiPath.resource), 'type');
    if (apiPath.namespace !== undefined) put(wholeOf(apiPath.namespace), 'string');
    if (apiPath.name !== undefined) put(wholeOf(apiPath.name), 'string');
  }
  for (const { name, nameSpan, span, value } of parameters) {
    put(url.place({ start: span.start - 1, end: span.start }), 'operator');
    put(url.place(nameSpan), 'parameter');
    put(url.place({ start: nameSpan.end, end: Math.min(span.end, nameSpan.end + 1) }), 'operator');
    const type = VALUE_MARKS[name];
    if (type !== undefined) put(wholeOf(value), type);
  }
  return parts;
}
