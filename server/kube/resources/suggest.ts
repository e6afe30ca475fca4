import { editDistance } from '../../common/nearest';
import { BUILT_IN, type Resource } from './resources';

/**
 * The names nearest to one that is not known, best first, at most `count`: plural names, with the
 * group where the plural alone would mean another resource.
 */
/** No name is longer; the rest of a long text would only cost time. */
const LONGEST = 100;

export function suggestResources(text: string, count: number): readonly string[] {
  const wanted = text.trim().toLowerCase().slice(0, LONGEST);
  const scored = BUILT_IN.map((resource) => ({
    name: displayName(resource),
    distance: Math.min(...namesOf(resource).map((name) => editDistance(wanted, name))),
  }));
  scored.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1));
  return scored.slice(0, count).map(({ name }) => name);
}

/** The plural, with the group where the plural alone would mean another resource. */
export function displayName(resource: Resource): string {
  const first = BUILT_IN.find((other) => other.resource === resource.resource);
  return first === resource ? resource.resource : `${resource.resource}.${resource.group}`;
}

function namesOf({ resource, singular, group, shortNames }: Resource): readonly string[] {
  return [resource, singular, `${resource}.${group}`, ...shortNames];
}

/** `the nearest is pods`, `the nearest are pods, nodes`; there is at least one. */
export function nearestText(names: readonly string[]): string {
  return `the nearest ${names.length === 1 ? 'is' : 'are'} ${names.join(', ')}`;
}
