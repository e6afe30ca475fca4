import { BUILT_IN, type Resource } from './resources';

/**
 * The names nearest to one that is not known, best first, at most `count`: plural names, with the
 * group where the plural alone would mean another resource.
 */
export function suggestResources(text: string, count: number): readonly string[] {
  const wanted = text.trim().toLowerCase();
  const scored = BUILT_IN.map((resource) => ({
    name: displayName(resource),
    distance: Math.min(...namesOf(resource).map((name) => editDistance(wanted, name))),
  }));
  scored.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1));
  return scored.slice(0, count).map(({ name }) => name);
}

function displayName(resource: Resource): string {
  const first = BUILT_IN.find((other) => other.resource === resource.resource);
  return first === resource ? resource.resource : `${resource.resource}.${resource.group}`;
}

function namesOf({ resource, singular, group, shortNames }: Resource): readonly string[] {
  return [resource, singular, `${resource}.${group}`, ...shortNames];
}

/** Levenshtein distance in UTF-16 units. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replace = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(replace, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    previous = row;
  }
  return previous[b.length] ?? 0;
}
