/** Pages of one resource for a sample: ordinary lists with a limit, whatever cannot be read passed over. */
import type { Clock } from '../../common/clock';
import type { Log } from '../../common/log';
import { DecodeError, TransformError } from '../../kube/decode/errors';
import type { StoreMetrics } from '../../metrics/storeMetrics';
import type { ListQuery } from '../../protocol/model';
import { encodeContinue } from '../../store/continueToken';
import { tokenLead } from '../../store/follow';
import {
  ListFailedError,
  type ItemDecoder,
  type ListStore,
  type ObjectAttributes,
} from '../../store/interfaces';
import { createStore } from '../../store/list';
import type { ListTarget, StoredValue } from '../../targets/target';
import type { OpenConnection } from '../openConnection';
import { keyPrefixOf, listOptionsOf } from '../query';

export interface PageParts {
  readonly connection: OpenConnection;
  readonly target: ListTarget;
  /** Empty for all. */
  readonly namespace: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: StoreMetrics;
  readonly signal: AbortSignal;
  /** Told of keys that were read, also when the read failed afterwards. */
  readonly onExamined: (keys: number) => void;
}

export type Problem = DecodeError | TransformError;

export interface SampledItem {
  readonly key: Uint8Array;
  /** The object's labels and fields, or why it cannot be read. */
  readonly object: ObjectAttributes | Problem;
}

export interface Page {
  readonly items: readonly SampledItem[];
  /** Keys that follow. */
  readonly remaining: number;
  readonly bytes: number;
  readonly lastKey: Uint8Array | undefined;
  /** Where the next page begins; empty at the end, and where no token leads on. */
  readonly next: string;
  readonly resourceVersion: bigint;
}

const PLAIN: Omit<ListQuery, 'resource' | 'namespace' | 'limit' | 'continueToken'> = {
  labelSelector: '',
  fieldSelector: '',
  resourceVersion: '',
  resourceVersionMatch: '',
  readMode: 'pages',
  skipUnreadable: false,
};

export class SamplePages {
  /** Of all keys in the range. */
  readonly keyPrefix: Uint8Array;
  private readonly store: ListStore<SampledItem['object']>;

  /** Throws `FailureError` and `StoreError` for what the API server would refuse. */
  constructor(private readonly parts: PageParts) {
    this.keyPrefix = keyPrefixOf(this.options(1, ''), parts.target);
    this.store = storeOf(parts);
  }

  /** One list of at most `limit` keys: from the beginning, or from where a token says. */
  async page(limit: number, token: string): Promise<Page> {
    const { signal, onExamined } = this.parts;
    try {
      const result = await this.store.getList(this.options(limit, token), {
        signal,
        stream: 'off',
      });
      const { receipt, continueToken, lastKey, remainingItemCount, resourceVersion } = result;
      onExamined(receipt.total.examined);
      const leads = tokenLead(continueToken, this.keyPrefix, lastKey) === 'exact';
      return {
        items: result.items,
        remaining: Number(remainingItemCount ?? 0n),
        bytes: receipt.requests.reduce((sum, { bytes }) => sum + bytes, 0),
        lastKey,
        next: leads ? continueToken : '',
        resourceVersion,
      };
    } catch (error) {
      if (error instanceof ListFailedError) onExamined(error.receipt.total.examined);
      throw error;
    }
  }

  /** A token for a list at this revision that begins at a key of the range. */
  tokenAt(key: Uint8Array, resourceVersion: bigint): string {
    return encodeContinue(key, this.keyPrefix, resourceVersion);
  }

  private options(limit: number, continueToken: string) {
    const { target, namespace } = this.parts;
    const query = { ...PLAIN, resource: '', namespace, limit: String(limit), continueToken };
    return listOptionsOf(query, target);
  }
}

function storeOf({
  connection,
  target,
  clock,
  log,
  metrics,
}: PageParts): ListStore<SampledItem['object']> {
  return createStore({
    etcd: connection.reader,
    root: target.root,
    resourcePrefix: target.path,
    groupResource: target.groupResource,
    decoder: tolerant(target.decoder({ readsFields: true, onUnjudged: () => undefined })),
    streamSupport: connection.features,
    metrics,
    clock,
    log,
    // Of no account: these lists are pages in any case, and no value is unreadable to their decoder.
    gates: { etcdRangeStream: false, allowUnsafeMalformedObjectDeletion: false },
    guardUnlimitedReads: false,
  });
}

/**
 * Takes what cannot be read for one more object: left out, each would have the list read on until its
 * limit is full, which with encrypted values is to the end. Labels and fields are copied, so that the
 * reply can be freed.
 */
function tolerant(decoder: ItemDecoder<StoredValue>): ItemDecoder<SampledItem['object']> {
  return {
    transform: (value) => value,
    decode: (value, item) => {
      try {
        const stored = decoder.decode(decoder.transform(value, item), item);
        const { labels, fields } = decoder.attributes(stored);
        return { labels: new Map(labels), fields: new Map(fields) };
      } catch (error) {
        if (error instanceof DecodeError || error instanceof TransformError) return error;
        throw error;
      }
    },
    attributes: (sampled) =>
      sampled instanceof Error ? { labels: new Map(), fields: new Map() } : sampled,
  };
}
