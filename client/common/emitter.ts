/** Listeners of one event, without a tie to VS Code. */
export interface Subscription {
  dispose(): void;
}

export class Emitter<T> {
  private readonly listeners = new Set<(value: T) => void>();

  /** The same function may be given once only. */
  on(listener: (value: T) => void): Subscription {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  }

  fire(value: T): void {
    for (const listener of [...this.listeners]) listener(value);
  }

  get size(): number {
    return this.listeners.size;
  }
}

export function disposeAll(subscriptions: readonly Subscription[]): void {
  for (const subscription of subscriptions) subscription.dispose();
}
