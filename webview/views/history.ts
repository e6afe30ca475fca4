/** The last runs as a menu; choosing one shows its receipt and fills the query bar. */
import type { HistoryEntry } from '../../server/protocol/model';
import type { Controller } from '../controller';
import { counted, thousands, timeOfDay } from '../../server/protocol/format';
import { queryText } from '../../server/protocol/queryText';
import { menuButton, type MenuButton } from './menu';

const most = 50;

/** The time of day, with the date when that is not today's. */
function whenOf(at: number, now: number): string {
  const date = new Date(at);
  if (date.toDateString() === new Date(now).toDateString()) return timeOfDay(at);
  return `${date.toLocaleDateString([], { month: 'short', day: 'numeric' })}, ${timeOfDay(at)}`;
}

export function outcome(entry: HistoryEntry, now: number): string {
  const { total, at, connection, failure } = entry;
  const when = whenOf(at, now);
  const ended = failure?.code === 'cancelled' ? 'stopped, ' : '';
  const what =
    failure && ended === ''
      ? 'failed'
      : `${ended}${thousands(total.returned)} of ${thousands(total.fetched)} keys, ${counted(total.requests, 'round trip')}`;
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
          text: queryText(entry.query),
          detail: outcome(entry, Date.now()),
          act: () => {
            controller.showPast(entry);
          },
        }));
    },
  });
}
