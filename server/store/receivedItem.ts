/** Items of an unfiltered list, which keeps all that it receives: each is its place in a reply. */
import type { KeyValue } from '../etcd/interfaces';
import type { AppendContext } from './appendChunk';
import type { InPlaceDecoder, ListItem } from './interfaces';

/** Length of the value in bytes, without the value's being made. */
export function sizeOf(kv: KeyValue): number {
  const { valueStart, valueEnd } = kv;
  if (valueStart === undefined || valueEnd === undefined) return kv.value.length;
  return valueEnd - valueStart;
}

/** The item of a value that surely can be read; undefined where that cannot be told. */
export function receivedItem<T>(
  { decoder, signal }: Pick<AppendContext<T>, 'decoder' | 'signal'>,
  kv: KeyValue,
): ListItem<T> | undefined {
  const { within, valueStart, valueEnd } = kv;
  if (decoder.inPlace === undefined || signal?.aborted === true) return undefined;
  if (within === undefined || valueStart === undefined || valueEnd === undefined) return undefined;
  if (!decoder.inPlace.isSound(within, valueStart, valueEnd)) return undefined;
  return new ReceivedItem(kv, decoder.inPlace);
}

/** Of which nothing is made before somebody asks. */
class ReceivedItem<T> implements ListItem<T> {
  private made: T | undefined;

  constructor(
    private readonly kv: KeyValue,
    private readonly decoder: InPlaceDecoder<T>,
  ) {}

  get object(): T {
    return (this.made ??= this.make());
  }

  get key(): Uint8Array {
    return this.kv.key;
  }

  get modRevision(): bigint {
    return this.kv.modRevision;
  }

  get size(): number {
    return sizeOf(this.kv);
  }

  private make(): T {
    const { within, valueStart, valueEnd } = this.kv;
    if (within === undefined || valueStart === undefined || valueEnd === undefined) {
      throw new TypeError('a value that stood in a reply stands there no longer');
    }
    return this.decoder.make(within, valueStart, valueEnd);
  }
}
