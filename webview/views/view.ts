import type { PanelState } from '../state';

/** A part of the page. It is built once and from then on changed where the state changed. */
export interface View {
  readonly element: HTMLElement;
  update(state: PanelState, previous: PanelState | null): void;
}
