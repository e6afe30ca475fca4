export interface GroupResource {
  /** Empty for the core group. */
  readonly group: string;
  readonly resource: string;
}

/** `pods`, or `deployments.apps`. Upstream: `schema.GroupResource.String`. */
export function qualifiedName({ group, resource }: GroupResource): string {
  return group === '' ? resource : `${resource}.${group}`;
}
