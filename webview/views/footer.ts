/** How many rows there are, whether more follow, and what to do with them. */
import type { ExportFormat, PanelTab } from '../../server/protocol/panel';
import type { QueryCommands, Row } from '../../server/protocol/model';
import { h, setHidden, setText } from '../dom';
import type { Controller } from '../controller';
import { counted, thousands } from '../../server/protocol/format';
import { canResume, isElsewhere, isRunning, type Run } from '../run';
import { nameOf } from '../state';
import { button } from '../toolkit';
import { resumeAction } from './failure';
import { menuButton, type MenuButton, type MenuEntry } from './menu';
import type { View } from './view';

const copies: readonly (readonly [keyof QueryCommands, string, string])[] = [
  ['kubectl', 'As kubectl', 'kubectl command'],
  ['apiPath', 'As API path', 'API path'],
  ['etcdctl', 'As etcdctl', 'etcdctl command'],
  ['etcdList', 'As etcd-list', 'etcd-list command'],
];

const exports: readonly (readonly [ExportFormat, string, string])[] = [
  ['csv', 'Rows as CSV…', 'shown rows, in this order'],
  ['json', 'Rows as JSON…', 'shown rows, in this order'],
  ['ndjson', 'Rows as NDJSON…', 'shown rows, in this order'],
  ['receipt', 'Receipt as JSON lines…', 'round trips and totals'],
];

export function rowsText(run: Run): string {
  const count = run.past ? (run.total?.returned ?? 0) : run.rowCount;
  const rows = counted(count, 'row');
  if (isRunning(run)) return run.follow ? `${rows} · following to the end` : `${rows} so far`;
  if (run.past) return `${rows} · from the history of ${run.connection}`;
  if (run.failure || run.phase === 'stopped') return `${rows} · not complete`;
  if (!run.total || run.total.continue === '') return `${rows} · all`;
  const remaining = run.total.remainingItemCount;
  return remaining === null
    ? `${rows} · more follow`
    : `${rows} · ${thousands(remaining)} more follow`;
}

function originOf({ past, connection }: Run, connected: string): string {
  if (past) return '';
  return connection === connected ? ' · of an earlier connection' : ` · of ${connection}`;
}

function copyMenu(controller: Controller): MenuButton {
  return menuButton({
    text: 'Copy',
    above: true,
    atEnd: true,
    entries: () =>
      copies.map(([which, title, what]) => ({
        text: title,
        act: () => void controller.outputs.copyCommand(which, what),
      })),
  });
}

function exportMenu(controller: Controller, shownRows: () => Iterable<Row>): MenuButton {
  return menuButton({
    text: 'Export',
    above: true,
    atEnd: true,
    entries: (): readonly MenuEntry[] => {
      const past = controller.store.state.run?.past ?? false;
      return exports
        .filter(([format]) => format === 'receipt' || !past)
        .map(([format, title, detail]) => ({
          text: title,
          detail,
          act: () => {
            controller.outputs.export(format, shownRows());
          },
        }));
    },
  });
}

/** The tabs that show a list. */
const ofLists: ReadonlySet<PanelTab> = new Set<PanelTab>(['rows', 'roundTrips']);

export function footerView(controller: Controller, shownRows: () => Iterable<Row>): View {
  const text = h('span', { class: 'rows-text' });
  const next = button('Next page', () => {
    controller.nextPage(false);
  });
  const toEnd = button('Run to the end', () => {
    controller.nextPage(true);
  });
  const { text: hereText, act: resume } = resumeAction(controller);
  const here = button(hereText, resume);
  const copy = copyMenu(controller);
  const save = exportMenu(controller, shownRows);
  const element = h(
    'section',
    { class: 'footer', 'aria-label': 'Rows and what to do with them' },
    text,
    h(
      'div',
      { class: 'footer-actions' },
      here.element,
      next.element,
      toEnd.element,
      copy.element,
      save.element,
    ),
  );
  return {
    element,
    update({ run, tab, status }) {
      setHidden(element, run === null || !ofLists.has(tab));
      if (!run) return;
      const elsewhere = isElsewhere(run, status);
      setText(text, `${rowsText(run)}${elsewhere ? originOf(run, nameOf(status)) : ''}`);
      const canContinue =
        !elsewhere && run.phase === 'done' && !run.past && (run.total?.continue ?? '') !== '';
      // A failure has it among its own actions.
      setHidden(here.element, elsewhere || run.phase !== 'stopped' || !canResume(run));
      next.setDisabled(!canContinue);
      toEnd.setDisabled(!canContinue);
    },
  };
}
