/**
 * What the cache takes in memory, counted: values, keys, and for each object and each kept state a
 * share for what stands around them. The shares are what Pods were measured to take: an object whose
 * labels and fields lists have read, and the copied part of the tree. They are no promise.
 */
import { Queue } from '../common/queue';

export const objectOverhead = 2_700;
export const stateOverhead = 2_000;

interface Weighed {
  readonly order: string;
  readonly size: number;
}

export const weightOf = ({ order, size }: Weighed): number => order.length + size + objectOverhead;

interface Superseded {
  readonly revision: bigint;
  readonly weight: number;
}

export class Footprint {
  private current = 0;
  private earlier = 0;
  private readonly superseded = new Queue<Superseded>();

  get bytes(): number {
    return this.current + this.earlier;
  }

  added(item: Weighed): void {
    this.current += weightOf(item);
  }

  /** An object that is no longer the latest; `kept` says that an earlier state still holds it. */
  replaced(item: Weighed, revision: bigint, kept: boolean): void {
    const weight = weightOf(item);
    this.current -= weight;
    if (!kept) return;
    this.earlier += weight;
    this.superseded.push({ revision, weight });
  }

  stateKept(): void {
    this.earlier += stateOverhead;
  }

  /** `count` states left, and `oldest` is the first of those that stay. */
  statesLeft(count: number, oldest: bigint): void {
    this.earlier -= count * stateOverhead;
    for (;;) {
      const { first } = this.superseded;
      if (first === undefined || first.revision > oldest) break;
      this.earlier -= first.weight;
      this.superseded.shift();
    }
  }

  clear(): void {
    this.current = 0;
    this.earlier = 0;
    this.superseded.clear();
  }
}
