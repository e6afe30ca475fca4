/** A line for each watch cache of the connection, with what stops it. */
import { counted, mebibytes, thousands } from '../../server/protocol/format';
import type { WatchCacheInfo } from '../../server/protocol/watchCache';
import type { Controller } from '../controller';
import { h, replaceChildren, setAttribute, setHidden, setText } from '../dom';
import { button } from '../toolkit';
import type { View } from './view';

const states: Readonly<Record<WatchCacheInfo['state'], string>> = {
  filling: 'being filled',
  ready: 'ready',
  refilling: 'being filled anew',
  stopped: 'ended',
};

export function watchCacheText(info: WatchCacheInfo): string {
  const { state, resource, snapshots, revision, interrupted, failure } = info;
  const why = failure ?? interrupted;
  const parts = [
    `Watch cache of ${resource}`,
    states[state],
    ...(state === 'stopped'
      ? []
      : [
          counted(info.objects, 'object'),
          `${mebibytes(info.bytes)} of at most ${mebibytes(info.limitBytes)}`,
        ]),
    ...(revision === '0' || state !== 'ready'
      ? []
      : [`revision ${thousands(revision)}`, counted(snapshots, 'snapshot')]),
  ];
  const line = parts.join(' · ');
  return why === undefined ? line : `${line}. ${why}`;
}

interface Line {
  readonly element: HTMLElement;
  show(info: WatchCacheInfo): void;
}

function lineOf(resource: string, controller: Controller): Line {
  const text = h('p', {});
  const stop = button('Stop cache', () => {
    controller.stopWatchCache(resource);
  }).element;
  return {
    element: h('div', { class: 'watch-cache' }, text, stop),
    show(info) {
      setText(text, watchCacheText(info));
      const isOver = info.state === 'stopped';
      setText(stop, isOver ? 'Dismiss' : 'Stop cache');
      setAttribute(stop, 'aria-label', `${isOver ? 'Dismiss' : 'Stop'} cache of ${resource}`);
    },
  };
}

/** Lines stay where they are, so that the focus does, while their numbers change. */
export function watchCachesView(controller: Controller): View {
  const element = h('section', {
    class: 'watch-caches',
    'aria-label': 'Watch caches',
    hidden: true,
  });
  const lines = new Map<string, Line>();
  return {
    element,
    update({ watchCaches }, previous) {
      if (watchCaches === previous?.watchCaches) return;
      const names = watchCaches.map(({ resource }) => resource);
      const isSame = names.join('\n') === [...lines.keys()].join('\n');
      if (!isSame) {
        const before = new Map(lines);
        lines.clear();
        for (const name of names) lines.set(name, before.get(name) ?? lineOf(name, controller));
        replaceChildren(element, ...[...lines.values()].map((line) => line.element));
        setHidden(element, names.length === 0);
      }
      for (const info of watchCaches) lines.get(info.resource)?.show(info);
    },
  };
}
