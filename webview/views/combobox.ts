/** A text input with suggestions, after the ARIA combobox pattern with a listbox. Any text may stand. */
import { h, replaceChildren, setAttribute } from '../dom';
import type { FieldProblem } from './problems';

export interface Suggestion {
  readonly value: string;
  /** Shown instead of the value. */
  readonly text?: string;
  /** A quieter second part. */
  readonly detail?: string;
}

const mostShown = 60;

interface ComboboxOptions {
  readonly id: string;
  readonly label: string;
  readonly placeholder: string;
  readonly onInput: (text: string) => void;
  /** Enter with no suggestion chosen. */
  readonly onEnter: () => void;
  /** The box is entered, or used once more: suggestions are wanted. */
  readonly onUse: (entered: boolean) => void;
}

export class Combobox {
  readonly element: HTMLElement;
  readonly input: HTMLInputElement;
  private readonly list: HTMLElement;
  private all: readonly Suggestion[] = [];
  private shown: readonly Suggestion[] = [];
  private active = -1;
  private filter = '';
  /** Whether the person has asked for the list, which may have had nothing to show yet. */
  private wanted = false;
  /** Steps taken by arrow keys while there was nothing to step through yet; negative for upwards. */
  private ahead = 0;

  constructor(private readonly options: ComboboxOptions) {
    const { id, label, placeholder } = options;
    this.input = h('input', {
      id,
      class: 'text-input',
      type: 'text',
      role: 'combobox',
      autocomplete: 'off',
      spellcheck: 'false',
      placeholder,
      'aria-autocomplete': 'list',
      'aria-expanded': 'false',
      'aria-controls': `${id}-list`,
    });
    this.list = h('div', {
      id: `${id}-list`,
      class: 'combobox-list',
      role: 'listbox',
      'aria-label': label,
      hidden: true,
    });
    this.element = h(
      'div',
      { class: 'field combobox' },
      h('label', { for: id }, label),
      h('div', { class: 'combobox-box' }, this.input, this.list),
    );
    this.listen();
  }

  setSuggestions(all: readonly Suggestion[]): void {
    this.all = all;
    if (!this.wanted) return;
    const chosen = this.shown[this.active]?.value;
    const { ahead } = this;
    this.open(this.filter);
    const count = this.shown.length;
    // Suggestions that arrive late do not take the choice away, nor the keys pressed before them.
    if (ahead === 0) this.setActive(this.shown.findIndex(({ value }) => value === chosen));
    else if (count > 0) this.setActive((((ahead > 0 ? ahead - 1 : ahead) % count) + count) % count);
  }

  set(value: string): void {
    if (this.input.value !== value) this.input.value = value;
  }

  setProblem({ text, refused }: FieldProblem): void {
    setAttribute(this.input, 'aria-invalid', refused ? 'true' : undefined);
    setAttribute(this.input, 'aria-description', text === '' ? undefined : text);
  }

  private listen(): void {
    this.input.addEventListener('input', () => {
      this.options.onInput(this.input.value);
      this.open(this.input.value);
    });
    this.input.addEventListener('click', () => {
      if (this.list.hidden) this.open('');
    });
    this.input.addEventListener('focus', () => {
      this.options.onUse(true);
    });
    this.input.addEventListener('blur', () => {
      this.close();
    });
    this.input.addEventListener('keydown', (event) => {
      this.onKey(event);
    });
    // The input keeps the focus while an option is pressed.
    this.list.addEventListener('pointerdown', (event) => {
      event.preventDefault();
    });
  }

  private open(filter: string): void {
    this.options.onUse(false);
    this.wanted = true;
    this.ahead = 0;
    this.filter = filter;
    const text = filter.toLowerCase();
    const starts = this.all.filter(({ value }) => value.toLowerCase().startsWith(text));
    const holds = this.all.filter(
      ({ value }) => !value.toLowerCase().startsWith(text) && value.toLowerCase().includes(text),
    );
    this.shown = [...starts, ...holds].slice(0, mostShown);
    this.setActive(-1);
    replaceChildren(
      this.list,
      ...this.shown.map((suggestion, index) => this.row(suggestion, index)),
    );
    const isOpen = this.shown.length > 0;
    this.list.hidden = !isOpen;
    this.input.setAttribute('aria-expanded', String(isOpen));
  }

  private row(suggestion: Suggestion, index: number): HTMLElement {
    const row = h(
      'div',
      {
        id: `${this.options.id}-${index}`,
        class: 'combobox-option',
        role: 'option',
        'aria-selected': 'false',
      },
      h('span', {}, suggestion.text ?? suggestion.value),
      suggestion.detail !== undefined && h('span', { class: 'quiet' }, suggestion.detail),
    );
    row.addEventListener('click', () => {
      this.choose(suggestion);
    });
    return row;
  }

  private choose(suggestion: Suggestion): void {
    this.input.value = suggestion.value;
    this.close();
    this.options.onInput(suggestion.value);
  }

  private close(): void {
    this.wanted = false;
    this.ahead = 0;
    this.list.hidden = true;
    this.input.setAttribute('aria-expanded', 'false');
    this.setActive(-1);
  }

  private setActive(index: number): void {
    const rows = this.list.children;
    rows[this.active]?.setAttribute('aria-selected', 'false');
    this.active = index;
    const row = rows[index];
    row?.setAttribute('aria-selected', 'true');
    row?.scrollIntoView({ block: 'nearest' });
    setAttribute(this.input, 'aria-activedescendant', row?.id);
  }

  private onKey(event: KeyboardEvent): void {
    if (event.isComposing) return;
    const { key } = event;
    const isOpen = !this.list.hidden;
    if (key === 'ArrowDown' || key === 'ArrowUp') this.step(key === 'ArrowDown' ? 1 : -1);
    else if (key === 'Enter') this.enter(isOpen ? this.shown[this.active] : undefined);
    else if (key === 'Escape' && this.wanted) this.close();
    else return;
    event.preventDefault();
  }

  private step(by: 1 | -1): void {
    if (this.list.hidden && this.ahead === 0) this.open('');
    if (this.shown.length === 0) this.ahead += by;
    const from = this.active < 0 && by < 0 ? 0 : this.active;
    const count = this.shown.length;
    if (count > 0) this.setActive((from + by + count) % count);
  }

  private enter(chosen: Suggestion | undefined): void {
    if (chosen) {
      this.choose(chosen);
      return;
    }
    this.close();
    this.options.onEnter();
  }
}
