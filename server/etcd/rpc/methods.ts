/** gRPC paths of etcd's methods that this project calls or, in the demo, serves. */
export const methods = {
  range: '/etcdserverpb.KV/Range',
  rangeStream: '/etcdserverpb.KV/RangeStream',
  put: '/etcdserverpb.KV/Put',
  deleteRange: '/etcdserverpb.KV/DeleteRange',
  txn: '/etcdserverpb.KV/Txn',
  compact: '/etcdserverpb.KV/Compact',
  watch: '/etcdserverpb.Watch/Watch',
  status: '/etcdserverpb.Maintenance/Status',
  memberList: '/etcdserverpb.Cluster/MemberList',
  authenticate: '/etcdserverpb.Auth/Authenticate',
} as const;

export type MethodName = keyof typeof methods;
