import { setAttribute } from '../dom';

/** A cell that does not show its whole text says it in a tip, from when the pointer is on it. */
export function tellWhole(cells: HTMLElement): void {
  cells.addEventListener('mouseover', ({ target }) => {
    if (!(target instanceof HTMLElement) || !target.classList.contains('cell')) return;
    const isCut = target.scrollWidth > target.clientWidth;
    setAttribute(target, 'title', isCut ? target.textContent : undefined);
  });
}
