/** Values that leave in the order in which they came, at a constant cost each, and are not held on to. */

/** The emptied front is cut off once it is longer than this and than what is left. */
const longestFront = 1024;

export class Queue<T> {
  private values: (T | undefined)[] = [];
  private front = 0;

  get length(): number {
    return this.values.length - this.front;
  }

  get first(): T | undefined {
    return this.at(0);
  }

  get last(): T | undefined {
    return this.at(this.length - 1);
  }

  /** Counted from the first one, which is 0. */
  at(index: number): T | undefined {
    return index < 0 ? undefined : this.values[this.front + index];
  }

  push(value: T): void {
    this.values.push(value);
  }

  /** Takes the first one out. */
  shift(): T | undefined {
    if (this.length === 0) return undefined;
    const { first } = this;
    this.values[this.front++] = undefined;
    if (this.front > longestFront && this.front > this.length) {
      this.values = this.values.slice(this.front);
      this.front = 0;
    }
    return first;
  }

  /** Takes the last one out. */
  pop(): T | undefined {
    return this.length === 0 ? undefined : this.values.pop();
  }

  clear(): void {
    this.values = [];
    this.front = 0;
  }
}
