/** The methods that this program may call on an etcd, written down again and not taken from it. */
export const readOnlyMethods: readonly string[] = [
  '/etcdserverpb.Auth/Authenticate',
  '/etcdserverpb.Cluster/MemberList',
  '/etcdserverpb.KV/Range',
  '/etcdserverpb.KV/RangeStream',
  '/etcdserverpb.Maintenance/Status',
  '/etcdserverpb.Watch/Watch',
];

/** Those of the gRPC paths that are none of them. */
export function notReadOnly(paths: Iterable<string>): string[] {
  return [...new Set(paths)].filter((path) => !readOnlyMethods.includes(path));
}
