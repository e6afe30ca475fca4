/** Set while an etcd is connected; `when` clauses of the manifest name it. */
export const isConnectedContext = 'etcdList.connected';
