/** What is explained, and what is known of the server that would serve it. */
import type { QueryRequest } from '../language/query/model';
import type { StreamMode } from '../store/interfaces';
import { defaultGates, type Gates } from '../cache/versions/gates';
import { NEWEST_VERSION, type KubernetesVersion } from '../cache/versions/version';

/** One request with its texts as a client sends them. */
export interface AskedList {
  /** As kubectl names it; a prefix of keys begins with a slash. */
  readonly resource: string;
  /** Empty for all namespaces. */
  readonly namespace: string;
  readonly labelSelector: string;
  readonly fieldSelector: string;
  /** Zero or less is no limit. */
  readonly limit: bigint;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  readonly from: ListStart;
  /** The client names one object and gets it; the field selector holds its name. */
  readonly named: boolean;
  /** The client follows all continue tokens. */
  readonly toEnd: boolean;
  readonly stream: StreamMode;
  readonly watch: boolean;
}

export type ListStart =
  | { readonly kind: 'beginning' }
  | { readonly kind: 'token'; readonly token: string }
  /** The token that a list ended with, which is not known yet. */
  | { readonly kind: 'tokenOf'; readonly list: string };

/** As the newest version has them where no flag says otherwise. */
export const DEFAULT_GATES: Gates = defaultGates(NEWEST_VERSION);

/** What is known of an etcd, and from where; without an answer, why there is none. */
export interface Fact {
  readonly answer: boolean | undefined;
  readonly because: string;
}

export interface ServerFacts {
  readonly version: KubernetesVersion;
  /** By upstream's names. */
  readonly gates: Gates;
  /** Whether the resource has a watch cache; undefined leaves it to what the server does by default. */
  readonly watchCache: boolean | undefined;
  /** Every member supports RequestWatchProgress. */
  readonly progress: Fact;
  readonly rangeStream: Fact;
  /** Storage root, such as `/registry`. */
  readonly root: string;
  /** What is to be said of how the server was described. */
  readonly notes?: readonly string[];
}

/** A server of which nothing is known but its defaults. */
export const UNKNOWN_SERVER: ServerFacts = {
  version: NEWEST_VERSION,
  gates: DEFAULT_GATES,
  watchCache: undefined,
  progress: {
    answer: undefined,
    because: 'etcd is not known here; 3.4.31 and newer of 3.4, and 3.5.13 and newer do',
  },
  rangeStream: {
    answer: undefined,
    because:
      'etcd is not known here; the API server tries it, and remembers a refusal for ten minutes',
  },
  root: '/registry',
};

const STREAMS: Readonly<Record<QueryRequest['readMode'], StreamMode>> = {
  auto: 'auto',
  pages: 'off',
  stream: 'on',
};

/** A query of a file, as the API server would see it. */
export function askedBy(request: QueryRequest): AskedList {
  const { continue: source, limit, paging, readMode, ...same } = request;
  return {
    ...same,
    limit: BigInt(limit),
    from: startOf(source),
    toEnd: paging === 'toEnd',
    stream: STREAMS[readMode],
  };
}

function startOf(source: QueryRequest['continue']): ListStart {
  switch (source.kind) {
    case 'none':
      return { kind: 'beginning' };
    case 'token':
      return { kind: 'token', token: source.token };
    case 'query':
      return { kind: 'tokenOf', list: source.name };
  }
}
