const STEP = /\.([^.[\]'"\s]+)|\['([^']*)'\]|\["([^"]*)"\]/y;

/**
 * Member names of a simple JSON path such as `.spec.color` or `.spec['a.b']`, the only kind a
 * definition's `selectableFields` may hold. Throws `RangeError` on any other.
 */
export function parseJsonPath(path: string): readonly string[] {
  const step = new RegExp(STEP);
  const names: string[] = [];
  while (step.lastIndex < path.length) {
    const match = step.exec(path);
    const name = match?.[1] ?? match?.[2] ?? match?.[3];
    if (name === undefined) break;
    names.push(name);
    if (step.lastIndex === path.length) return names;
  }
  throw new RangeError(`${JSON.stringify(path)} is not a simple JSON path`);
}
