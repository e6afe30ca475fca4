/**
 * Asks after things have been still for a while, and hands on only the newest question's answer.
 */
export class Latest<Q, A> {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private asked = 0;

  constructor(
    private readonly delayMs: number,
    private readonly ask: (question: Q) => Promise<A>,
    private readonly take: (question: Q, answer: A) => void,
    private readonly fail: (error: unknown) => void,
  ) {}

  /** A newer question makes the answers of older ones void at once. */
  request(question: Q, now = false): void {
    this.cancel();
    const number = this.asked;
    const go = (): void => {
      this.ask(question).then(
        (answer) => {
          if (number === this.asked) this.take(question, answer);
        },
        (error: unknown) => {
          if (number === this.asked) this.fail(error);
        },
      );
    };
    if (now) go();
    else this.timer = setTimeout(go, this.delayMs);
  }

  cancel(): void {
    clearTimeout(this.timer);
    this.asked += 1;
  }
}
