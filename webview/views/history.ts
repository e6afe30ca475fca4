/** The last runs as a menu; choosing one shows its receipt and fills the query bar. */
import type { HistoryEntry } from '../../server/protocol/model';
import type { Controller } from '../controller';
import { counted, thousands } from '../format';
import { menuButton, type MenuButton } from './menu';

const most = 50;

function describe({ query }: HistoryEntry): string {
  const parts = [
    query.resource,
    query.namespace === '' ? '' : `in ${query.namespace}`,
    query.labelSelector === '' ? '' : `-l ${query.labelSelector}`,
    query.fieldSelector === '' ? '' : `-f ${query.fieldSelector}`,
    query.limit === '' || query.limit === '0' ? '' : `limit ${query.limit}`,
  ];
  return parts.filter((part) => part !== '').join(' ');
}

function outcome(entry: HistoryEntry): string {
  const { total, at, connection, failure } = entry;
  const when = new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  const what = failure
    ? 'failed'
    : `${thousands(total.returned)} of ${thousands(total.fetched)} keys, ${counted(total.requests, 'round trip')}`;
  return `${connection} · ${when} · ${what}`;
}

export function historyMenu(controller: Controller): MenuButton {
  return menuButton({
    text: 'History',
    className: 'history',
    atEnd: true,
    entries: () => {
      const { history } = controller.store.state;
      if (history.length === 0) return [{ text: 'No runs yet', act: () => undefined }];
      return history
        .toSorted((a, b) => b.at - a.at)
        .slice(0, most)
        .map((entry) => ({
          text: describe(entry),
          detail: outcome(entry),
          act: () => {
            controller.showPast(entry);
          },
        }));
    },
  });
}
