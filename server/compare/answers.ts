/** Holds answers against each other in memory that does not grow with them. */
import { createHash } from 'node:crypto';

/** What is compared of an object. */
export interface AnsweredObject {
  readonly key: Uint8Array;
  readonly modRevision: bigint;
  /** As stored. */
  readonly value: Uint8Array;
}

/** A hash of all objects so far, each with its key, revision and value, in their order. */
export class AnswerHash {
  private chain: Uint8Array = new Uint8Array(32);
  private readonly head = Buffer.alloc(12);
  count = 0;

  add({ key, modRevision, value }: AnsweredObject): void {
    this.head.writeBigInt64BE(modRevision, 0);
    this.head.writeUInt32BE(key.length, 8);
    const hash = createHash('sha256').update(this.chain).update(this.head);
    this.chain = hash.update(key).update(value).digest();
    this.count++;
  }

  /** The first 64 bits. */
  get mark(): bigint {
    const { buffer, byteOffset } = this.chain;
    return new DataView(buffer, byteOffset).getBigUint64(0);
  }
}

const MARKS = 4096;

/**
 * The answer that the others are held against: its hash, and marks of it on the way, at most 4,096 at
 * equal distances that double when they are used up.
 */
export class FirstAnswer {
  private readonly marks = new BigUint64Array(MARKS);
  private readonly hash = new AnswerHash();
  private used = 0;
  /** Objects between two marks. */
  private distance = 1;

  add(object: AnsweredObject): void {
    this.hash.add(object);
    if (this.hash.count % this.distance !== 0) return;
    this.marks[this.used++] = this.hash.mark;
    if (this.used === MARKS) this.thin();
  }

  get count(): number {
    return this.hash.count;
  }

  /** The hash after so many objects, where it is kept. */
  markAt(count: number): bigint | undefined {
    if (count === this.hash.count) return this.hash.mark;
    return count % this.distance === 0 ? this.marks[count / this.distance - 1] : undefined;
  }

  private thin(): void {
    this.used = MARKS / 2;
    for (let i = 0; i < this.used; i++) this.marks[i] = this.marks[2 * i + 1] ?? 0n;
    this.distance *= 2;
  }
}

/** Where the first difference lies: behind `agreed` objects that are the same, and up to `until`. */
export interface Stretch {
  readonly agreed: number;
  readonly until: number;
}

/** Holds another answer against the first, object by object as it comes. */
export class AnswerCheck {
  private readonly hash = new AnswerHash();
  private agreed = 0;

  constructor(private readonly first: FirstAnswer) {}

  /** Undefined while nothing is known to differ. */
  add(object: AnsweredObject): Stretch | undefined {
    this.hash.add(object);
    const { count, mark } = this.hash;
    if (count > this.first.count) return { agreed: this.agreed, until: count };
    const expected = this.first.markAt(count);
    if (expected === undefined) return undefined;
    if (expected !== mark) return { agreed: this.agreed, until: count };
    this.agreed = count;
    return undefined;
  }

  /** Once no more objects come. */
  end(): Stretch | undefined {
    const { count } = this.hash;
    return count < this.first.count ? { agreed: this.agreed, until: count + 1 } : undefined;
  }
}
