/** A button with a menu, after the ARIA menu button pattern. */
import { h, replaceChildren, setAttribute, setText } from '../dom';

export interface MenuItem {
  readonly text: string;
  /** A second, quieter part. */
  readonly detail?: string;
  /** Given for one choice out of several. */
  readonly checked?: boolean;
  readonly act: () => void;
}

/** Null is a line between groups. */
export type MenuEntry = MenuItem | null;

export interface MenuButton {
  readonly element: HTMLElement;
  readonly button: HTMLButtonElement;
  setText(text: string): void;
  /** Said after the text to those who hear it, and shown to those who point at it. */
  setRemark(remark: string): void;
  setDisabled(disabled: boolean): void;
}

interface MenuOptions {
  readonly text: string;
  /** Names the button when its text alone would not. */
  readonly label?: string;
  readonly className?: string;
  /** Opens towards the upper side. */
  readonly above?: boolean;
  /** Aligned with the button's right end. */
  readonly atEnd?: boolean;
  /** Asked each time the menu opens. */
  readonly entries: () => readonly MenuEntry[];
}

/** Least distance of a list from the edge of the page. */
const edgePx = 4;

class Menu implements MenuButton {
  readonly element: HTMLElement;
  readonly button: HTMLButtonElement;
  private readonly text = h('span', { class: 'menu-text' });
  private readonly list: HTMLElement;
  private items: HTMLElement[] = [];
  private remark = '';

  constructor(private readonly options: MenuOptions) {
    this.button = h(
      'button',
      { type: 'button', class: 'menu-button', 'aria-haspopup': 'menu', 'aria-expanded': 'false' },
      this.text,
      h('span', { class: 'chevron', 'aria-hidden': 'true' }),
    );
    this.list = h('div', { class: 'menu-list', role: 'menu', hidden: true, tabindex: -1 });
    this.list.classList.toggle('above', options.above ?? false);
    this.list.classList.toggle('at-end', options.atEnd ?? false);
    this.element = h('div', { class: `menu ${options.className ?? ''}` }, this.button, this.list);
    this.setText(options.text);
    this.listen();
  }

  setText(text: string): void {
    setText(this.text, text);
    const label = this.options.label ?? text;
    if (this.options.label !== undefined) {
      const said = [text, this.remark].filter((part) => part !== '').join(', ');
      setAttribute(this.button, 'aria-label', said === '' ? label : `${label}: ${said}`);
    }
    setAttribute(this.list, 'aria-label', label);
  }

  setRemark(remark: string): void {
    this.remark = remark;
    setAttribute(this.button, 'title', remark === '' ? undefined : remark);
    this.setText(this.text.textContent);
  }

  setDisabled(disabled: boolean): void {
    this.button.disabled = disabled;
  }

  private listen(): void {
    this.button.addEventListener('click', () => {
      if (this.list.hidden) this.open(0);
      else this.close(true);
    });
    this.button.addEventListener('keydown', (event) => {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
      event.preventDefault();
      this.open(event.key === 'ArrowDown' ? 0 : -1);
    });
    this.list.addEventListener('keydown', (event) => {
      this.onKey(event);
    });
    this.element.addEventListener('focusout', (event) => {
      if (!this.element.contains(event.relatedTarget as Node | null)) this.close(false);
    });
  }

  private open(at: number): void {
    const entries = this.options.entries();
    this.items = [];
    const children = entries.map((entry) => (entry ? this.item(entry) : h('hr', {})));
    replaceChildren(this.list, ...children);
    this.list.hidden = false;
    this.keepInView();
    this.button.setAttribute('aria-expanded', 'true');
    this.focusItem(at);
  }

  /** Beside a button near an edge a long list would be cut. */
  private keepInView(): void {
    const { style } = this.list;
    style.removeProperty('translate');
    const { left, right } = this.list.getBoundingClientRect();
    const over = right + edgePx - document.documentElement.clientWidth;
    const shift = Math.max(Math.min(0, -over), edgePx - left);
    if (over > 0 || left < edgePx) style.setProperty('translate', `${shift}px`);
  }

  private item(entry: MenuItem): HTMLElement {
    const isChoice = entry.checked !== undefined;
    const item = h(
      'div',
      {
        class: 'menu-item',
        role: isChoice ? 'menuitemradio' : 'menuitem',
        'aria-checked': isChoice ? String(entry.checked) : undefined,
        tabindex: -1,
      },
      h('span', { class: 'check', 'aria-hidden': 'true' }, entry.checked ? '✓' : ''),
      h('span', { class: 'menu-item-text' }, entry.text),
      entry.detail !== undefined && h('span', { class: 'quiet' }, entry.detail),
    );
    item.addEventListener('click', () => {
      this.close(true);
      entry.act();
    });
    item.addEventListener('pointermove', () => {
      if (document.activeElement !== item) item.focus({ preventScroll: true });
    });
    this.items.push(item);
    return item;
  }

  private close(focusButton: boolean): void {
    if (this.list.hidden) return;
    if (focusButton) this.button.focus();
    this.list.hidden = true;
    this.button.setAttribute('aria-expanded', 'false');
  }

  private focusItem(index: number): void {
    const item = this.items.at(index % Math.max(1, this.items.length));
    (item ?? this.list).focus();
  }

  private onKey(event: KeyboardEvent): void {
    const at = this.items.indexOf(document.activeElement as HTMLElement);
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      Home: 0,
      End: -1,
    };
    const move = Object.hasOwn(moves, event.key) ? moves[event.key] : undefined;
    if (move !== undefined) this.focusItem(move);
    else if (event.key === 'Escape') this.close(true);
    else if (event.key === 'Enter' || event.key === ' ') this.items[at]?.click();
    else if (event.key.length === 1) this.focusByLetter(event.key, at);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private focusByLetter(letter: string, at: number): void {
    const order = [...this.items.slice(at + 1), ...this.items.slice(0, at + 1)];
    const starts = (item: HTMLElement): boolean =>
      item
        .querySelector('.menu-item-text')
        ?.textContent.toLowerCase()
        .startsWith(letter.toLowerCase()) ?? false;
    order.find(starts)?.focus();
  }
}

export const menuButton = (options: MenuOptions): MenuButton => new Menu(options);
