/** Explain: which way an API server would serve the query, what that costs, and how the estimate held. */
import type { GivenCost, ListEstimate } from '../../server/protocol/explain';
import type { Controller } from '../controller';
import { h, replaceChildren, setHidden, setText } from '../dom';
import { heldRun } from '../explainHeld';
import type { ExplainState } from '../explainState';
import type { PanelState } from '../state';
import { button, checkbox, textField } from '../toolkit';
import { chainsView } from './chains';
import { costTable, heldTable } from './costTable';
import { PagesPicture } from './pagesPicture';
import type { View } from './view';

type Text = Exclude<keyof GivenCost, 'clustered'>;

export class ExplainTab implements View {
  readonly element: HTMLElement;
  private readonly served = h('p', { class: 'explain-served' });
  private readonly request = h('p', { class: 'quiet' });
  private readonly notes = h('div', {});
  private readonly fields;
  private readonly clustered;
  private readonly measure;
  private readonly stop;
  private readonly status = h('p', { class: 'quiet', role: 'status', 'aria-live': 'polite' });
  private readonly failure = h('p', { class: 'failure-sentence', role: 'alert', hidden: true });
  private readonly table = h('div', {});
  private readonly held = h('div', {});
  private readonly picture = new PagesPicture();
  private readonly assumptions = h('ul', { class: 'quiet assumptions' });
  private readonly chains = h('div', { class: 'chains' });

  constructor(controller: Controller) {
    const field = (name: Text, label: string, placeholder: string) => {
      const control = textField(label, placeholder, (text) => {
        controller.explainer.give({ [name]: text });
      });
      control.element.classList.add('field', 'explain-field');
      return control;
    };
    this.fields = {
      keys: field('keys', 'keys', '50000'),
      matchRate: field('matchRate', 'match rate', '1%'),
      objectSize: field('objectSize', 'object size', '2KiB'),
    };
    this.clustered = checkbox('side by side', (clustered) => {
      controller.explainer.give({ clustered });
    });
    this.measure = button('Measure', () => {
      controller.explainer.measure();
    });
    this.stop = button('Stop measuring', () => {
      controller.explainer.stop();
    });
    this.element = h(
      'div',
      { class: 'explain-tab' },
      this.served,
      this.request,
      this.notes,
      this.costPart(),
      this.chains,
    );
  }

  private costPart(): HTMLElement {
    return h(
      'section',
      { class: 'explain-cost', 'aria-label': 'What it would cost' },
      h('h2', {}, 'What it would cost'),
      h(
        'div',
        { class: 'explain-fields', role: 'group', 'aria-label': 'What it is reckoned from' },
        ...Object.values(this.fields).map(({ element }) => element),
        this.clustered.element,
        this.measure.element,
        this.stop.element,
      ),
      this.status,
      this.failure,
      this.table,
      this.held,
      this.picture.element,
      this.assumptions,
    );
  }

  update(state: PanelState, previous: PanelState | null): void {
    const { explain, run, status } = state;
    if (explain === previous?.explain && run === previous.run && status === previous.status) return;
    this.showGiven(explain, status.state === 'connected');
    setHidden(this.failure, explain.failure === null);
    setText(this.failure, explain.failure?.sentence ?? '');
    if (explain.answer !== previous?.explain.answer) this.showAnswer(explain);
    const held = heldRun(explain.answer?.estimate, explain.query, run);
    replaceChildren(this.held, held ? heldTable(held) : null);
  }

  private showGiven({ given, measuring, answer }: ExplainState, connected: boolean): void {
    this.fields.keys.set(given.keys);
    this.fields.matchRate.set(given.matchRate);
    this.fields.objectSize.set(given.objectSize);
    this.clustered.set(given.clustered);
    const held = document.activeElement;
    this.measure.setDisabled(!connected || measuring);
    setHidden(this.stop.element, !measuring);
    if (measuring && held === this.measure.element) this.stop.element.focus();
    // A button of the library takes it at the next frame after it is switched on.
    if (!measuring && held === this.stop.element)
      requestAnimationFrame(() => {
        this.measure.element.focus();
      });
    const hint = connected
      ? 'Write how many keys there are, or measure: at most 500 objects, 16 MiB and 24 keys more are read.'
      : 'Write how many keys there are; to measure, connect to an etcd.';
    const idle = answer?.estimate === undefined && answer?.way !== 'refused' ? hint : '';
    setText(this.status, measuring ? 'Measuring…' : idle);
  }

  private showAnswer({ answer }: ExplainState): void {
    setText(this.served, answer?.served ?? '');
    setText(this.request, answer?.request ?? '');
    const notes = answer?.notes ?? [];
    replaceChildren(this.notes, ...notes.map((note) => h('p', {}, `Note: ${note}`)));
    this.showEstimate(answer?.estimate);
    replaceChildren(this.chains, ...(answer ? chainsView(answer) : []));
  }

  private showEstimate(estimate: ListEstimate | undefined): void {
    replaceChildren(this.table, estimate ? costTable(estimate) : null);
    this.picture.show(estimate?.series ?? NO_SERIES);
    const sentences = estimate?.assumptions ?? [];
    replaceChildren(this.assumptions, ...sentences.map((text) => h('li', {}, text)));
    setHidden(this.assumptions, sentences.length === 0);
  }
}

const NO_SERIES = [] as const;
