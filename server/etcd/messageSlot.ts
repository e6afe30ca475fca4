/**
 * Hands messages from a pushing producer to one pulling consumer, holding one. The producer's
 * `release` is called when the consumer takes the message; until then it must not read on.
 */
export class MessageSlot<T> {
  #held: { readonly message: T; readonly release: () => void } | undefined;
  #waiter: { resolve(message: T | undefined): void; reject(error: Error): void } | undefined;
  #ended = false;
  #error: Error | undefined;

  get ended(): boolean {
    return this.#ended;
  }

  offer(message: T, release: () => void): void {
    if (this.#ended) {
      release();
      return;
    }
    this.#held = { message, release };
    this.#serve();
  }

  /** The end, or the error, comes after a message that is still held. */
  end(error?: Error): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#error = error;
    this.#serve();
  }

  /** Ends at once: a held message is dropped. */
  abort(error: Error): void {
    this.#held?.release();
    this.#held = undefined;
    this.#ended = true;
    this.#error = error;
    this.#serve();
  }

  /**
   * The next message; undefined at the end. Rejects with `late()` after `timeoutMs` without one,
   * Infinity waits for ever. One call at a time.
   */
  take(timeoutMs: number, late: () => Error): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      const timer = Number.isFinite(timeoutMs)
        ? setTimeout(() => {
            this.abort(late());
          }, timeoutMs)
        : undefined;
      this.#waiter = {
        resolve: (message) => {
          clearTimeout(timer);
          resolve(message);
        },
        reject: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      };
      this.#serve();
    });
  }

  #serve(): void {
    const waiter = this.#waiter;
    if (waiter === undefined) return;
    const held = this.#held;
    if (held !== undefined) {
      this.#held = undefined;
      this.#waiter = undefined;
      waiter.resolve(held.message);
      held.release();
    } else if (this.#ended) {
      this.#waiter = undefined;
      if (this.#error === undefined) waiter.resolve(undefined);
      else waiter.reject(this.#error);
    }
  }
}
