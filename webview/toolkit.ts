/** The one place that knows the component library; its successor costs this file. */
import {
  provideVSCodeDesignSystem,
  vsCodeButton,
  vsCodeCheckbox,
  vsCodeDropdown,
  vsCodeOption,
  vsCodeProgressRing,
  vsCodeTextArea,
  vsCodeTextField,
} from '@vscode/webview-ui-toolkit';
import { setAttribute } from './dom';

export function registerToolkit(): void {
  provideVSCodeDesignSystem().register(
    vsCodeButton(),
    vsCodeCheckbox(),
    vsCodeDropdown(),
    vsCodeOption(),
    vsCodeProgressRing(),
    vsCodeTextArea(),
    vsCodeTextField(),
  );
}

export interface Control {
  readonly element: HTMLElement;
}

export interface ButtonControl extends Control {
  setDisabled(disabled: boolean): void;
}

export interface ValueControl<V> extends Control {
  get(): V;
  /** Leaves the control alone where it already holds the value. */
  set(value: V): void;
}

export interface TextControl extends ValueControl<string> {
  /** What is wrong with the value, empty when nothing is; and whether it is refused for it. */
  setProblem(problem: { readonly text: string; readonly refused: boolean }): void;
  /** A short remark inside the field, at its end. */
  setRemark(text: string): void;
}

function create(
  tag: string,
  attributes: Readonly<Record<string, string | undefined>>,
): HTMLElement {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) setAttribute(element, name, value);
  return element;
}

export function button(
  text: string,
  onClick: () => void,
  appearance: 'primary' | 'secondary' = 'secondary',
): ButtonControl {
  const element = create('vscode-button', { appearance });
  element.textContent = text;
  element.addEventListener('click', onClick);
  return {
    element,
    setDisabled: (disabled) => {
      setAttribute(element, 'disabled', disabled);
    },
  };
}

interface Valued extends HTMLElement {
  value: string;
}

/** The library's elements hold their input inside a shadow tree, where no outer id can reach it. */
function describe(element: HTMLElement, inner: string, text: string, refused: boolean): void {
  const input = element.shadowRoot?.querySelector(inner);
  if (!input) return;
  setAttribute(input, 'aria-invalid', refused ? 'true' : undefined);
  setAttribute(input, 'aria-description', text === '' ? undefined : text);
}

function textControl(
  tag: string,
  inner: string,
  label: string,
  placeholder: string,
  onInput: (text: string) => void,
): TextControl {
  const element = create(tag, { placeholder, spellcheck: 'false' }) as Valued;
  element.textContent = label;
  element.addEventListener('input', () => {
    onInput(element.value);
  });
  const remark = create('span', { slot: 'end', class: 'remark' });
  return {
    element,
    setRemark: (text) => {
      remark.textContent = text;
      if (!remark.isConnected) element.append(remark);
    },
    get: () => element.value,
    set: (value) => {
      if (element.value !== value) element.value = value;
    },
    setProblem: ({ text, refused }) => {
      element.classList.toggle('invalid', refused);
      describe(element, inner, text, refused);
    },
  };
}

export const textField = (
  label: string,
  placeholder: string,
  onInput: (text: string) => void,
): TextControl => textControl('vscode-text-field', 'input', label, placeholder, onInput);

export function textArea(
  label: string,
  placeholder: string,
  rows: number,
  onInput: (text: string) => void,
): TextControl {
  const control = textControl('vscode-text-area', 'textarea', label, placeholder, onInput);
  control.element.setAttribute('rows', String(rows));
  control.element.setAttribute('resize', 'vertical');
  return control;
}

export function checkbox(label: string, onChange: (on: boolean) => void): ValueControl<boolean> {
  const element = create('vscode-checkbox', {}) as HTMLElement & { checked: boolean };
  element.textContent = label;
  element.addEventListener('change', () => {
    onChange(element.checked);
  });
  return {
    element,
    get: () => element.checked,
    set: (on) => {
      if (element.checked !== on) element.checked = on;
    },
  };
}

export function dropdown<V extends string>(
  label: string,
  options: readonly [readonly [V, string], ...(readonly [V, string])[]],
  onChange: (value: V) => void,
): ValueControl<V> {
  const element = create('vscode-dropdown', { 'aria-label': label, position: 'below' }) as Valued;
  const [[first]] = options;
  for (const [value, text] of options) {
    const option = create('vscode-option', { value });
    option.textContent = text;
    element.append(option);
  }
  const get = (): V => options.find(([value]) => value === element.value)?.[0] ?? first;
  element.addEventListener('change', () => {
    onChange(get());
  });
  return {
    element,
    get,
    set: (value) => {
      if (element.value !== value) element.value = value;
    },
  };
}

/** A ring that turns while something runs; decoration only, the words stand beside it. */
export function progressRing(): HTMLElement {
  return create('vscode-progress-ring', { 'aria-hidden': 'true' });
}
