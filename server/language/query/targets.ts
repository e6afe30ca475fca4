/** Resources as kubectl names them, as far as they are known without reading anything. */
import { nearest } from '../../common/nearest';
import { qualifiedName } from '../../common/groupResource';
import { cellText } from '../../kube/print/cellText';
import { findResource, type FoundResource, type Resource } from '../../kube/resources/resources';
import { nearestText, suggestResources } from '../../kube/resources/suggest';
import { finding, type Finding, type Fix } from '../findings';
import type { SelectedFrom } from '../model';
import { placedEdits } from '../source/edits';
import { customFields, fieldsOf, type KnownFields } from '../selectors/knownFields';
import type { Stated } from './draft';
import { wholeOf } from '../source/parts';
import type { KnownCustomResource, QueryFileOptions } from './options';

export interface Target {
  /** As the engine takes it. */
  readonly resource: string;
  /** As messages name it. */
  readonly name: string;
  readonly isPrefix: boolean;
  /** Undefined where nobody can tell. */
  readonly namespaced: boolean | undefined;
  /** Undefined where any field may be one. */
  readonly fields: KnownFields | undefined;
  readonly from: SelectedFrom;
}

/** Undefined with a finding where none is named. */
export function wordTarget(
  { text, anchor }: Stated,
  options: QueryFileOptions,
  findings: Finding[],
): Target | undefined {
  const word = text.text.trim().toLowerCase();
  if (word === '') {
    findings.push(finding('query', 'Write a resource, such as pods.', anchor));
    return undefined;
  }
  const found = findResource(word);
  if (found !== undefined && !found.resource.custom) return builtInTarget(found);
  const custom = customNamed(word, found?.resource, options);
  if (custom !== undefined) return customTarget(custom, found?.version ?? '');
  if (found !== undefined) return unknownTarget(word, qualifiedName(found.resource));
  findings.push(unknownResource(text.text, { text, anchor }, options));
  return unknownTarget(word, word);
}

/** Custom resources are looked up when the list runs. */
export function unknownTarget(word: string, name: string): Target {
  return {
    resource: word,
    name,
    isPrefix: false,
    namespaced: undefined,
    fields: undefined,
    from: { resource: name, namespace: undefined },
  };
}

export function builtInTarget({ resource: found, version }: FoundResource): Target {
  const { group, resource, versions, namespaced } = found;
  const name = qualifiedName({ group, resource });
  const isPreferred = version === versions[0];
  return {
    resource: isPreferred ? name : versioned(resource, version, group),
    name,
    isPrefix: false,
    namespaced,
    fields: fieldsOf({ group, resource }, version),
    from: { resource: name, namespace: undefined },
  };
}

function versioned(resource: string, version: string, group: string): string {
  return group === '' ? `${resource}.${version}` : `${resource}.${version}.${group}`;
}

function customNamed(
  word: string,
  resource: Resource | undefined,
  { customResources = [] }: QueryFileOptions,
): KnownCustomResource | undefined {
  if (resource !== undefined) {
    return customResources.find(
      ({ group, plural }) => group === resource.group && plural === resource.resource,
    );
  }
  return customResources.find(
    ({ plural, otherNames }) => plural === word || otherNames.includes(word),
  );
}

/** `version` is empty where none is asked for. */
export function customTarget(known: KnownCustomResource, version: string): Target {
  const { group, plural, namespaced, selectablePaths } = known;
  const name = qualifiedName({ group, resource: plural });
  return {
    resource: version === '' ? name : versioned(plural, version, group),
    name,
    isPrefix: false,
    namespaced,
    fields: selectablePaths && customFields(namespaced ?? true, selectablePaths),
    from: { resource: name, namespace: undefined },
  };
}

/** Built-in names looked at, of which those that are far are left out again. */
const SUGGESTED = 8;

export function nearestResources(
  word: string,
  { customResources = [] }: QueryFileOptions,
): string[] {
  const names = new Map(suggestResources(word, SUGGESTED).map((name) => [name, name]));
  for (const { group, plural, otherNames } of customResources) {
    const name = qualifiedName({ group, resource: plural });
    for (const each of [name, plural, ...otherNames]) names.set(each, name);
  }
  const near = nearest(word.toLowerCase(), names.keys(), 3).map((each) => names.get(each) ?? each);
  return [...new Set(near)];
}

function unknownResource(word: string, { text }: Stated, options: QueryFileOptions): Finding {
  const names = options.suggests === false ? [] : nearestResources(word, options);
  const near = names.length === 0 ? 'none is called nearly so' : nearestText(names);
  const hint = options.suggests === false ? '' : `: ${near}`;
  const shown = cellText(word);
  const fixes = names.flatMap((name, i): Fix[] => {
    const whole = { start: 0, end: text.text.length };
    const edits = placedEdits(text, [{ span: whole, text: name }]);
    return edits === undefined ? [] : [{ title: `Change to ${name}`, edits, preferred: i === 0 }];
  });
  const message = `"${shown}" is no built-in resource${hint}. Custom resources are looked up when the list runs.`;
  return finding('unknown-resource', message, wholeOf(text), fixes);
}
