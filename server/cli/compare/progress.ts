/** What a comparison shows while it runs: a passing line, or every request of every run. */
import type { CompareHooks } from '../../compare/compare';
import type { RunPlace } from '../../compare/model';
import { compactJson } from '../../kube/print/encode';
import type { ComparePlan, ReceiptForm } from '../args/plan';
import type { Context } from '../context';
import { thousands } from '../quantities';
import { plural } from '../receiptText';
import { Reporter } from '../reporter';

type Progress = Omit<CompareHooks, 'signal'>;

export function progressOf({ receipt, limit }: ComparePlan, context: Context): Progress {
  return receipt === undefined ? passing(context) : told(receipt, limit, context);
}

const nameOf = ({ way, nth, of }: RunPlace): string => `${way}, run ${nth} of ${of}`;

/** Milliseconds between two passing lines. */
const STATUS_MS = 100;

function passing({ notes, clock }: Context): Progress {
  let [requests, keys, next] = [0, 0, 0];
  return {
    onRunStarted: (place) => {
      [requests, keys] = [0, 0];
      notes.status(`${nameOf(place)} …`);
    },
    onRequest: (place, record, state) => {
      if (state === 'done') {
        requests++;
        keys += record.keys;
      }
      const now = clock.monotonic();
      if (now < next) return;
      next = now + STATUS_MS;
      const running = state === 'done' ? keys : keys + record.keys;
      notes.status(
        `${nameOf(place)}: ${plural(requests, 'request')}, ${thousands(running)} keys …`,
      );
    },
  };
}

/** A line that names the run, then its receipt as `get` prints it. */
function told(form: ReceiptForm, limit: bigint, context: Context): Progress {
  let reporter = new Reporter(context, form, limit);
  const { notes, style } = context;
  return {
    onRunStarted: (place) => {
      const { way, round } = place;
      notes.line(
        form === 'json' ? compactJson({ type: 'run', way, round }) : style.bold(nameOf(place)),
      );
      reporter = new Reporter(context, form, limit);
    },
    onRequest: (_place, record, state) => {
      reporter.request(record, state);
    },
    onList: (_place, total) => {
      reporter.listDone(total);
    },
    onRunEnded: (_place, error) => {
      if (error !== undefined) reporter.failed(error, '');
      reporter.finish();
    },
  };
}
