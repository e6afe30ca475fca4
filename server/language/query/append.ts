/** Adds items one by one: as arguments of one call very many would not fit. */
export function append<T>(into: T[], items: Iterable<T>): void {
  for (const item of items) into.push(item);
}
