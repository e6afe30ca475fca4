/** What is asked: connection, resource, namespace, selectors, limit, and how to read. */
import type { CheckResult, ListQuery, QueryField, ReadMode } from '../../server/protocol/model';
import { h, setAttribute, setHidden, setText } from '../dom';
import type { Controller } from '../controller';
import type { FocusStops } from '../focus';
import { counted } from '../../server/protocol/format';
import { isRunning } from '../run';
import type { PanelState } from '../state';
import { usedInMore } from '../query';
import { whyNoRun } from '../texts';
import { button, checkbox, dropdown, textField, type TextControl } from '../toolkit';
import { Combobox } from './combobox';
import { connectionView } from './connection';
import { historyMenu } from './history';
import { Problems, problemOf } from './problems';
import type { View } from './view';

type Choices<V> = readonly [readonly [V, string], ...(readonly [V, string])[]];

const readModes: Choices<ReadMode> = [
  ['auto', 'auto'],
  ['pages', 'pages'],
  ['stream', 'stream'],
];

const matchRules: Choices<ListQuery['resourceVersionMatch']> = [
  ['', 'not given'],
  ['Exact', 'Exact'],
  ['NotOlderThan', 'NotOlderThan'],
];

type TextFieldName =
  'labelSelector' | 'fieldSelector' | 'limit' | 'resourceVersion' | 'continueToken';

const sources: Choices<'etcd' | 'watchCache'> = [
  ['etcd', 'etcd'],
  ['watchCache', 'watch cache'],
];

const problemsByRow = () => ({
  top: new Problems(['resource', 'namespace', 'limit']),
  labels: new Problems(['labelSelector']),
  fields: new Problems(['fieldSelector']),
  rest: new Problems(['resourceVersion', 'resourceVersionMatch', 'continueToken']),
});

export class QueryBar implements View {
  readonly element: HTMLElement;
  private readonly connection: View;
  private readonly resource: Combobox;
  private readonly namespace: Combobox;
  private readonly texts: Readonly<Record<TextFieldName, TextControl>>;
  private readonly readMode;
  private readonly match;
  private readonly skip;
  private readonly source;
  private readonly runButton;
  private readonly stopButton;
  private readonly more = h('div', { class: 'query-row more', id: 'more', hidden: true });
  private readonly moreButton;
  private readonly moreUsed = h('span', { class: 'more-used' });
  private readonly problems: readonly Problems[];

  constructor(private readonly controller: Controller) {
    const run = (): void => void controller.run();
    this.connection = connectionView(controller);
    this.resource = new Combobox({
      id: 'resource',
      label: 'resource',
      placeholder: 'pods',
      onInput: (resource) => {
        controller.edit({ resource });
      },
      onEnter: run,
      onUse: (entered) => void controller.names.offer('resources', entered),
    });
    this.namespace = new Combobox({
      id: 'namespace',
      label: 'namespace',
      placeholder: 'all namespaces',
      onInput: (namespace) => {
        controller.edit({ namespace });
      },
      onEnter: run,
      onUse: (entered) => void controller.names.offer('namespaces', entered),
    });
    this.texts = {
      labelSelector: this.text('labelSelector', 'labels', 'app=nginx,tier in (web,api)'),
      fieldSelector: this.text('fieldSelector', 'fields', 'spec.nodeName=node-1'),
      limit: this.text('limit', 'limit', 'none'),
      resourceVersion: this.text('resourceVersion', 'resourceVersion', 'latest'),
      continueToken: this.text('continueToken', 'continue token', 'from an earlier list'),
    };
    this.readMode = dropdown('read from etcd by', readModes, (readMode) => {
      controller.edit({ readMode });
    });
    this.match = dropdown('resourceVersionMatch', matchRules, (resourceVersionMatch) => {
      controller.edit({ resourceVersionMatch });
    });
    this.source = dropdown('serve from', sources, (source) => {
      controller.edit({ serveFrom: source === 'etcd' ? undefined : source });
    });
    this.skip = checkbox('skip unreadable objects', (skipUnreadable) => {
      controller.edit({ skipUnreadable });
    });
    this.runButton = button('Run', run, 'primary');
    this.stopButton = button('Stop', () => {
      controller.stop();
    });
    this.moreButton = this.createMoreButton();
    const { top, labels, fields, rest } = problemsByRow();
    this.problems = [top, labels, fields, rest];
    this.fillMore();
    this.element = h('section', { class: 'query-bar', 'aria-label': 'Query' });
    this.element.append(
      ...[this.topRow(), top.element],
      ...[this.texts.labelSelector.element, labels.element],
      ...[this.texts.fieldSelector.element, fields.element],
      ...[this.more, rest.element],
    );
  }

  /** Where the focus goes from what is taken away under it. */
  get focusStops(): FocusStops {
    const first = this.connection.element.querySelector('button');
    return {
      stop: this.stopButton.element,
      rest: [this.runButton.element, ...(first ? [first] : [])],
    };
  }

  /** Puts the focus on the first field with an error. */
  focusProblem(check: CheckResult): void {
    const field = check.problems.find(({ severity }) => severity === 'error')?.field;
    if (field === 'resource') this.resource.input.focus();
    else if (field === 'namespace') this.namespace.input.focus();
    else if (field === 'resourceVersionMatch') this.match.element.focus();
    else if (field) this.texts[field].element.focus();
  }

  private topRow(): HTMLElement {
    const runButtons = h('div', { class: 'run-buttons' });
    runButtons.append(
      this.runButton.element,
      this.stopButton.element,
      historyMenu(this.controller).element,
    );
    return h(
      'div',
      { class: 'query-row' },
      this.connection.element,
      this.resource.element,
      this.namespace.element,
      this.texts.limit.element,
      labelled('read by', this.readMode.element),
      this.moreButton,
      runButtons,
    );
  }

  private text(field: TextFieldName, label: string, placeholder: string): TextControl {
    const control = textField(label, placeholder, (text) => {
      this.controller.edit({ [field]: text });
    });
    control.element.classList.add('field', field);
    control.element.addEventListener('keydown', (event) => {
      // The Enter that ends an input method's composition is not for us.
      if (event.key === 'Enter' && !event.isComposing) void this.controller.run();
    });
    return control;
  }

  private createMoreButton(): HTMLButtonElement {
    const more = h(
      'button',
      { type: 'button', class: 'menu-button', 'aria-expanded': 'false', 'aria-controls': 'more' },
      'More',
      this.moreUsed,
      h('span', { class: 'chevron', 'aria-hidden': 'true' }),
    );
    more.addEventListener('click', () => {
      const open = !this.controller.store.state.moreOpen;
      this.controller.store.dispatch({ type: 'more', open });
    });
    return more;
  }

  private fillMore(): void {
    const compare = button('Compare ways…', () => {
      this.controller.compare();
    });
    this.source.element.classList.add('source');
    this.more.append(
      labelled('serve from', this.source.element),
      this.texts.resourceVersion.element,
      labelled('match', this.match.element),
      this.texts.continueToken.element,
      this.skip.element,
      compare.element,
    );
  }

  update(state: PanelState, previous: PanelState | null): void {
    this.connection.update(state, previous);
    if (state.query !== previous?.query) this.updateValues(state.query);
    if (state.resources !== previous?.resources) this.suggestResources(state);
    if (state.namespaces !== previous?.namespaces) {
      const names = state.namespaces.map((value) => ({ value }));
      this.namespace.setSuggestions([{ value: '', text: 'all namespaces' }, ...names]);
    }
    if (state.check !== previous?.check) this.updateCheck(state);
    if (state.moreOpen !== previous?.moreOpen) {
      setHidden(this.more, !state.moreOpen);
      setAttribute(this.moreButton, 'aria-expanded', String(state.moreOpen));
    }
    this.updateMoreMark(state);
    this.updateButtons(state);
  }

  /** Fields that are folded away act all the same: the button says how many, and which. */
  private updateMoreMark({ query, moreOpen }: PanelState): void {
    const used = moreOpen ? [] : usedInMore(query);
    setText(this.moreUsed, used.length === 0 ? '' : `(${used.length} set)`);
    const names = used.length === 0 ? undefined : `set: ${used.join(', ')}`;
    setAttribute(this.moreButton, 'title', names);
    setAttribute(this.moreButton, 'aria-description', names);
  }

  private updateValues(query: ListQuery): void {
    this.resource.set(query.resource);
    this.namespace.set(query.namespace);
    for (const [field, control] of Object.entries(this.texts)) {
      control.set(query[field as TextFieldName]);
    }
    this.readMode.set(query.readMode);
    this.match.set(query.resourceVersionMatch);
    this.skip.set(query.skipUnreadable);
    this.source.set(query.serveFrom ?? 'etcd');
  }

  private suggestResources({ resources }: PanelState): void {
    const stored = resources.filter((resource) => resource.stored);
    const others = resources.filter((resource) => !resource.stored);
    this.resource.setSuggestions(
      [...stored, ...others].map(({ name, kind, stored }) => ({
        value: name,
        detail: stored ? `${kind} · stored` : kind,
      })),
    );
  }

  private updateCheck(state: PanelState): void {
    for (const problems of this.problems) problems.update(state);
    const fields: readonly QueryField[] = ['resource', 'namespace'];
    for (const field of fields) {
      const control = field === 'resource' ? this.resource : this.namespace;
      control.setProblem(problemOf(state, field));
    }
    for (const [field, control] of Object.entries(this.texts)) {
      control.setProblem(problemOf(state, field as TextFieldName));
    }
    const { check } = state;
    this.texts.labelSelector.setRemark(
      requirements(state, 'labelSelector', check?.labelRequirements),
    );
    this.texts.fieldSelector.setRemark(
      requirements(state, 'fieldSelector', check?.fieldRequirements),
    );
  }

  private updateButtons(state: PanelState): void {
    const running = isRunning(state.run);
    this.runButton.setDisabled(whyNoRun(state) !== '');
    this.stopButton.setDisabled(!running && !state.counting);
  }
}

/** A selector that is refused has no requirements to count. */
function requirements(
  state: PanelState,
  field: 'labelSelector' | 'fieldSelector',
  count: number | undefined,
): string {
  const { refused } = problemOf(state, field);
  if (refused || count === undefined || state.query[field].trim() === '') return '';
  return counted(count, 'requirement');
}

/** Its control carries the same name for those who hear it. */
function labelled(text: string, control: HTMLElement): HTMLElement {
  return h(
    'div',
    { class: 'field', title: text },
    h('span', { 'aria-hidden': 'true' }, text),
    control,
  );
}
