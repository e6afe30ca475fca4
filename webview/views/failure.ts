/** A failed list in one sentence, with what can be done about it as buttons. */
import type { Failure } from '../../server/protocol/errors';
import { h } from '../dom';
import type { Controller } from '../controller';
import type { Run } from '../run';
import { button } from '../toolkit';

interface Action {
  readonly text: string;
  readonly act: () => void;
}

const firstPage = { continueToken: '', resourceVersion: '', resourceVersionMatch: '' } as const;

/** Half of the limit, and never none. */
export function smallerLimit(limit: string): string {
  const value = /^\d+$/.test(limit) ? Number(limit) : 0;
  return String(value === 0 ? 500 : Math.max(1, Math.floor(value / 2)));
}

export function actionsFor(controller: Controller, run: Run, failure: Failure): readonly Action[] {
  const again = (text: string, over = {}): Action => ({
    text,
    act: () => {
      controller.startAgain(over);
    },
  });
  switch (failure.code) {
    case 'expired':
      return [again('Start again', firstPage)];
    case 'expiredWithContinue':
      return [
        again('Start again', firstPage),
        {
          text: 'Continue at the latest revision (inconsistent)',
          act: () => {
            controller.continueAtLatest();
          },
        },
      ];
    case 'tooLargeResourceVersion':
      return [again('Read the latest revision', firstPage)];
    case 'unreadable':
      return [again('Run again leaving it out', { skipUnreadable: true })];
    case 'overBudget': {
      const limit = smallerLimit(run.query.limit);
      return [again(`Run again with limit ${limit}`, { limit })];
    }
    case 'streamUnsupported':
      return [again('Read by pages', { readMode: 'pages' })];
    case 'notConnected':
      return connectActions(controller);
    case 'badRequest':
    case 'untrusted':
      return [];
    case 'timeout':
    case 'etcd':
    case 'internal':
      return [
        again('Run again'),
        {
          text: 'Show log',
          act: () => {
            controller.showLog();
          },
        },
      ];
    case 'cancelled':
      return [again('Run again')];
  }
}

export function connectActions(controller: Controller): readonly Action[] {
  const named = controller.store.state.connections.slice(0, 5).map((name) => ({
    text: `Connect to ${name}`,
    act: () => void controller.connect({ name }),
  }));
  return [
    ...named,
    { text: 'Use the demo cluster', act: () => void controller.connect('demo') },
    { text: 'Add connection…', act: () => void controller.connect('add') },
  ];
}

/** A past run offers no action of its own: Run is one press away. */
export function failureView(
  controller: Controller,
  run: Run,
  failure: Failure,
  cost: string,
): HTMLElement {
  const actions = run.past ? [] : actionsFor(controller, run, failure);
  const showsKey = failure.key !== undefined && !failure.sentence.includes(failure.key);
  const showsUpstream = failure.upstream !== undefined && failure.upstream !== failure.sentence;
  return h(
    'div',
    {},
    h(
      'p',
      { class: 'failure-sentence' },
      failure.status !== undefined && h('span', { class: 'status-code' }, String(failure.status)),
      h('span', {}, failure.sentence),
    ),
    showsUpstream &&
      h('p', { class: 'quiet' }, 'kube-apiserver says: ', h('q', {}, failure.upstream ?? '')),
    showsKey && h('p', {}, 'Key ', h('code', {}, failure.key ?? '')),
    h('p', { class: 'quiet' }, `Until then: ${cost}`),
    actions.length > 0 &&
      h(
        'div',
        { class: 'actions' },
        ...actions.map(({ text, act }, index) => {
          return button(text, act, index === 0 ? 'primary' : 'secondary').element;
        }),
      ),
  );
}
