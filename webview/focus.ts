/** Keeps the focus in the page when what holds it is switched off or taken away. */

export interface FocusStops {
  /** Takes the focus while something runs. */
  readonly stop: HTMLElement;
  /** Where it goes else, the first that takes it. */
  readonly rest: readonly HTMLElement[];
}

const canTake = (element: HTMLElement): boolean =>
  element.isConnected && !element.hasAttribute('disabled') && element.closest('[hidden]') === null;

export class FocusKeeper {
  /** From where the focus went to Stop. */
  private origin: HTMLElement | null = null;
  /** What had the focus last. */
  private last: HTMLElement | null = null;

  constructor(private readonly stops: FocusStops) {
    document.addEventListener('focusin', ({ target }) => {
      if (target instanceof HTMLElement) this.last = target;
    });
    // A question of VS Code gives the focus back to the page and to nothing in it.
    window.addEventListener('focus', () => {
      const { last } = this;
      const isLost = document.activeElement === document.body;
      if (isLost && last && canTake(last)) last.focus({ preventScroll: true });
    });
  }

  /** @param held What had the focus before the page changed. */
  afterChange(held: Element | null, running: boolean): void {
    if (!(held instanceof HTMLElement) || held === document.body) return;
    if (canTake(held)) {
      if (held !== this.stops.stop) this.origin = null;
      // What was taken out and put back elsewhere has lost it.
      if (document.activeElement === document.body) held.focus({ preventScroll: true });
      return;
    }
    if (running && held !== this.stops.stop) this.origin = held;
    // The library's buttons take the focus again at the next frame after they are switched on.
    requestAnimationFrame(() => {
      this.moveFrom(held);
    });
  }

  private moveFrom(held: HTMLElement): void {
    const { activeElement } = document;
    const isElsewhere =
      activeElement !== null && activeElement !== document.body && activeElement !== held;
    if (isElsewhere) return;
    const { origin, stops } = this;
    const next = held === stops.stop ? origin : stops.stop;
    [held, next, ...stops.rest].find((element) => element !== null && canTake(element))?.focus();
  }
}
