/** Who the embedded etcd says it is: a cluster of one member. */
import type { MemberListResponse, ResponseHeader, StatusResponse } from '../etcd/rpc/messages';
import type { MvccStore } from './mvcc';

const clusterId = 0x0de3_0e7c_d000_0001n;
const memberId = 0x0de3_0e7c_d000_0002n;
const raftTerm = 2n;

export function clusterHeader(revision: bigint): ResponseHeader {
  return { clusterId, memberId, revision, raftTerm };
}

/** Fills in the cluster's part of a header; its revision stays, unless it is 0. */
export function filledHeader(header: ResponseHeader | undefined, store: MvccStore): ResponseHeader {
  const revision = header?.revision ?? 0n;
  return clusterHeader(revision === 0n ? store.revision : revision);
}

export function clusterStatus(store: MvccStore, version: string): StatusResponse {
  return {
    header: clusterHeader(store.revision),
    version,
    dbSize: BigInt(store.size),
    leader: memberId,
    raftIndex: store.revision,
    raftTerm,
    raftAppliedIndex: store.revision,
    errors: [],
    dbSizeInUse: BigInt(store.size),
    isLearner: false,
  };
}

export function memberList(endpoint: string): MemberListResponse {
  const member = {
    id: memberId,
    name: 'demo',
    peerUrls: ['http://localhost:2380'],
    clientUrls: [`http://${endpoint}`],
    isLearner: false,
  };
  // etcd leaves the revision out of this header.
  return { header: clusterHeader(0n), members: [member] };
}
