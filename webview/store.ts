/** Holds the state and tells the views of it, at most once a frame. */
import { reduce, type Message, type PanelState } from './state';

export type Subscriber = (state: PanelState, previous: PanelState | null) => void;

export class Store {
  private readonly subscribers: Subscriber[] = [];
  private shown: PanelState | null = null;
  private frame = 0;

  constructor(public state: PanelState) {}

  dispatch(message: Message): void {
    const next = reduce(this.state, message);
    if (next === this.state) return;
    this.state = next;
    if (this.frame === 0) this.frame = requestAnimationFrame(this.show);
  }

  /** Called in order of subscription, first on the next frame. */
  subscribe(subscriber: Subscriber): void {
    this.subscribers.push(subscriber);
  }

  readonly show = (): void => {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    const { state, shown } = this;
    this.shown = state;
    for (const subscriber of this.subscribers) subscriber(state, shown);
  };
}
