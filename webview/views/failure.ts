/** A failed list in one sentence, with what can be done about it as buttons. */
import type { Failure, FailureCode } from '../../server/protocol/errors';
import type { ListQuery } from '../../server/protocol/model';
import { h } from '../dom';
import type { Controller } from '../controller';
import { canResume, isElsewhere, type Run } from '../run';
import { lessThan } from '../texts';
import { button } from '../toolkit';

interface Action {
  readonly text: string;
  readonly act: () => void;
}

const firstPage = { continueToken: '', resourceVersion: '', resourceVersionMatch: '' } as const;

export function actionsFor(controller: Controller, run: Run, failure: Failure): readonly Action[] {
  const again = (text: string, over: Partial<ListQuery> = {}): Action => ({
    text,
    act: () => {
      controller.startAgain(over);
    },
  });
  const log: Action = {
    text: 'Show log',
    act: () => {
      controller.showLog();
    },
  };
  const onward: Action = {
    text: 'Continue at the latest revision (inconsistent)',
    act: () => {
      controller.continueAtLatest();
    },
  };
  const isHere = !isElsewhere(run, controller.store.state.status);
  const here: readonly Action[] = isHere && canResume(run) ? [resumeAction(controller)] : [];
  const isGone = controller.store.state.server === 'gone';
  const less = lessThan(run.query);
  const actions: Readonly<Record<FailureCode, () => readonly Action[]>> = {
    expired: () => [again('Start again', firstPage)],
    expiredWithContinue: () => [again('Start again', firstPage), ...(isHere ? [onward] : [])],
    tooLargeResourceVersion: () => [again('Read the latest revision', firstPage)],
    unreadable: () => [again('Run again leaving it out', { skipUnreadable: true })],
    overBudget: () => [again(less.text, less.over)],
    streamUnsupported: () => [again('Read by pages', { readMode: 'pages' })],
    notConnected: () => [...connectActions(controller), ...here],
    badRequest: () => [],
    untrusted: () => [trustAction(controller)],
    timeout: () => [...here, again('Run again'), log],
    etcd: () => [...here, again('Run again'), log],
    // Nothing can be run before the server is back, and then the failure is told anew.
    internal: () => (isGone ? [log] : [...here, again('Run again'), log]),
    cancelled: () => [...here, again('Run again')],
  };
  return actions[failure.code]();
}

export const resumeAction = (controller: Controller): Action => ({
  text: 'Continue from here',
  act: () => {
    controller.resume();
  },
});

export const trustAction = (controller: Controller): Action => ({
  text: 'Manage workspace trust',
  act: () => {
    controller.manageTrust();
  },
});

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

/** `cost` is empty when nothing was read. A past run offers no action of its own: Run is one press away. */
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
    cost !== '' && h('p', { class: 'quiet' }, `Until then: ${cost}`),
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
