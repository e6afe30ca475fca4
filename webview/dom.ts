/** Building elements without markup: text only ever becomes text nodes. */
export type Child = Node | string | null | false;

export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

const svgNamespace = 'http://www.w3.org/2000/svg';

function fill<E extends Element>(
  element: E,
  attributes: Attributes,
  children: readonly Child[],
): E {
  for (const [name, value] of Object.entries(attributes)) setAttribute(element, name, value);
  for (const child of children) if (child !== null && child !== false) element.append(child);
  return element;
}

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attributes, children);
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[K] {
  return fill(document.createElementNS(svgNamespace, tag), attributes, children);
}

/** `false` and undefined take the attribute away, `true` sets it empty. */
export function setAttribute(
  element: Element,
  name: string,
  value: string | number | boolean | undefined,
): void {
  if (value === undefined || value === false) {
    if (element.hasAttribute(name)) element.removeAttribute(name);
    return;
  }
  const text = value === true ? '' : String(value);
  if (element.getAttribute(name) !== text) element.setAttribute(name, text);
}

/** Sets text only where it changed, so that a selection in it survives. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

export function setHidden(element: HTMLElement | SVGElement, hidden: boolean): void {
  setAttribute(element, 'hidden', hidden);
}

export function replaceChildren(element: Element, ...children: readonly Child[]): void {
  element.replaceChildren(...children.filter((child) => child !== null && child !== false));
}
