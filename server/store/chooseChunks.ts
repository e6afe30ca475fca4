/** Stream or pages (rules S1, S3). Upstream: `shouldStream` and the head of `GetList`. */
import { qualifiedName } from '../common/groupResource';
import type { Log } from '../common/log';
import type { ListChunk, ReadContext, ReadRange } from './chunks';
import { StoreError } from './errors';
import type { GroupResource, ListOptions, StreamMode, StreamSupport } from './interfaces';
import { pagedChunks } from './pagedChunks';
import type { NextSize } from './pageSizing';
import { isUnfiltered } from './predicate';
import { streamChunks } from './streamChunks';
import { mayStream, type StreamQuestion } from './streamRule';

export interface ChunkChoice {
  readonly read: ReadContext;
  readonly range: ReadRange;
  readonly options: ListOptions;
  readonly mode: StreamMode;
  /** Also a list with a limit and a selector streams, without its limit. */
  readonly openStream: boolean;
  readonly nextSize: NextSize;
  /** The gate `EtcdRangeStream`. */
  readonly gate: boolean;
  readonly support: StreamSupport;
  readonly log: Log;
  readonly onFallback: ((reason: string) => void) | undefined;
  /** Called before pages without a limit are read, which arrive as one reply. */
  readonly beforeUnlimitedRead: (() => Promise<void>) | undefined;
}

export interface ChosenChunks {
  readonly chunks: AsyncIterable<ListChunk>;
  readonly streamed: boolean;
}

export function shouldStream(
  question: StreamQuestion,
  mode: StreamMode,
  gate: boolean,
  support: Pick<StreamSupport, 'supports'>,
): boolean {
  if (mode === 'off' || !mayStream(question)) return false;
  if (mode === 'on' || mode === 'force') return true;
  return gate && support.supports('RangeStream');
}

async function pages(choice: ChunkChoice): Promise<ChosenChunks> {
  const { recursive, predicate } = choice.options;
  if (recursive && predicate.limit <= 0n) await choice.beforeUnlimitedRead?.();
  const hadToken = predicate.continueToken !== '';
  const { read, range, nextSize } = choice;
  const chunks = pagedChunks(read, range, { recursive, hadToken, nextSize });
  return { chunks, streamed: false };
}

export interface StreamMemory {
  readonly groupResource: GroupResource;
  readonly support: StreamSupport;
  readonly log: Log;
}

/** Remembers a refusal and tells it in upstream's words; the log line comes once per mark. */
export function rememberNoStream({ groupResource, support, log }: StreamMemory): string {
  const named = qualifiedName(groupResource);
  const reason = `etcd server does not support RangeStream for ${named}; falling back to paginated list`;
  const isNews = support.supports('RangeStream');
  support.markUnsupported('RangeStream');
  if (isNews) log.debug(reason);
  return reason;
}

/** Rejects with `StoreError` `streamUnsupported` when the stream is forced and refused. */
export async function chooseChunks(choice: ChunkChoice): Promise<ChosenChunks> {
  const { options, mode } = choice;
  const filtered = !isUnfiltered(options.predicate);
  // The consumer counts what is selected, and leaves the stream when the list is full.
  const limit = choice.openStream && filtered ? 0n : options.predicate.limit;
  const question = { recursive: options.recursive, limit, filtered };
  if (!shouldStream(question, mode, choice.gate, choice.support)) return pages(choice);
  const start = await streamChunks(choice.read, { ...choice.range, limit });
  if (start.supported) return { chunks: start.chunks, streamed: true };
  if (mode === 'force') {
    const message = 'this etcd does not support RangeStream';
    throw new StoreError({ code: 'streamUnsupported', message, cause: start.reason });
  }
  const { support, log, read } = choice;
  const reason = rememberNoStream({ support, log, groupResource: read.groupResource });
  choice.onFallback?.(reason);
  return pages(choice);
}
