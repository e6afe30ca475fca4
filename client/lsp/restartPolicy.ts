/** How often, and how soon, a language server that ended is started again. */
const windowMs = 3 * 60_000;
const firstDelayMs = 200;

export const maxRestarts = 5;

export class RestartPolicy {
  private ends: readonly number[] = [];

  /** `now` answers milliseconds of any steady clock. */
  constructor(private readonly now: () => number) {}

  /**
   * Records an end. Answers how many milliseconds to wait before the next start, each wait twice the
   * one before it, or undefined when the server ended too often to be started again.
   */
  ended(): number | undefined {
    this.ends = [...this.recent(), this.now()];
    const count = this.ends.length;
    return count > maxRestarts ? undefined : firstDelayMs * 2 ** (count - 1);
  }

  /** Whether the server may be started for a person who asks for it. */
  mayStart(): boolean {
    return this.recent().length <= maxRestarts;
  }

  private recent(): readonly number[] {
    const oldest = this.now() - windowMs;
    return this.ends.filter((time) => time > oldest);
  }
}
