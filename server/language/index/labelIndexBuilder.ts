/** Makes an index, object by object. */
import { isAscii } from '../../common/bytes';
import type { ObjectAttributes } from '../../store/interfaces';
import { LabelIndex, type Coverage, type IndexedResource } from './labelIndex';
import { PostingsBuilder, type Postings } from './postings';

export class LabelIndexBuilder {
  private readonly labels = new Map<string, PostingsBuilder>();
  private readonly fields = new Map<string, PostingsBuilder>();
  /** One copy of each text, whatever labels it is a value of. */
  private readonly texts = new Map<string, string>();
  private added = 0;

  get objects(): number {
    return this.added;
  }

  add({ labels, fields }: ObjectAttributes): void {
    const object = this.added++;
    for (const [key, value] of labels) this.put(this.labels, key, object, value);
    for (const [name, value] of fields) this.put(this.fields, name, object, value);
  }

  build(resource: IndexedResource, coverage: Omit<Coverage, 'objects'>): LabelIndex {
    const whole = { objects: this.added, ...coverage };
    return new LabelIndex(resource, whole, built(this.labels), built(this.fields));
  }

  private put(all: Map<string, PostingsBuilder>, key: string, object: number, value: string): void {
    let builder = all.get(key);
    if (builder === undefined) {
      builder = new PostingsBuilder();
      all.set(this.shared(key), builder);
    }
    builder.add(object, value, (text) => this.shared(text));
  }

  private shared(text: string): string {
    const known = this.texts.get(text);
    if (known !== undefined) return known;
    const own = ownCopy(text);
    this.texts.set(own, own);
    return own;
  }
}

/** A text cut out of a long one would keep all of it in memory. */
function ownCopy(text: string): string {
  const form = isAscii(text) ? 'latin1' : 'utf16le';
  return Buffer.from(text, form).toString(form);
}

function built(all: ReadonlyMap<string, PostingsBuilder>): Map<string, Postings> {
  return new Map([...all].map(([key, builder]) => [key, builder.build()]));
}
