/** The decision: its steps in order, each with its rule and upstream's file, and what else could be asked. */
import type { Chain, ChainStep, ExplainedList } from '../../server/protocol/explain';
import { h } from '../dom';

export function chainsView({ chains, alternatives }: ExplainedList): HTMLElement[] {
  return [
    ...chains.map(chainView),
    ...(alternatives.length === 0 ? [] : [alternativesView(alternatives)]),
  ];
}

function chainView({ title, steps, end }: Chain): HTMLElement {
  return h(
    'section',
    { class: 'chain', 'aria-label': title },
    h('h2', {}, title),
    h('ol', { class: 'chain-steps' }, ...steps.map(stepView)),
    h('p', { class: 'chain-end' }, h('span', { 'aria-hidden': 'true' }, '⇒ '), end),
  );
}

function stepView({ rule, source, text, otherwise }: ChainStep): HTMLElement {
  return h(
    'li',
    {},
    h('span', { class: 'rule' }, rule),
    h(
      'div',
      {},
      h('p', {}, text),
      otherwise !== undefined && h('p', { class: 'quiet' }, otherwise),
      h('p', { class: 'quiet' }, h('code', {}, source)),
    ),
  );
}

function alternativesView(alternatives: ExplainedList['alternatives']): HTMLElement {
  return h(
    'section',
    { class: 'chain', 'aria-label': 'Alternatives' },
    h('h2', {}, 'Alternatives'),
    h(
      'dl',
      { class: 'alternatives' },
      ...alternatives.flatMap(({ title, served, meaning }) => [
        h('dt', {}, `${title}: served ${served}`),
        h('dd', { class: 'quiet' }, meaning),
      ]),
    ),
  );
}
