/** What `get --explain` says: the estimate before the list, and the estimate against the receipt after it. */
import { probeRangeStream } from '../../etcd/probe';
import type { EtcdReader } from '../../etcd/interfaces';
import { DEFAULT_GATES, UNKNOWN_SERVER, type ServerFacts } from '../../explain/asked';
import { estimateOf } from '../../explain/estimate';
import type { Estimate, EstimateRow, RowName } from '../../explain/estimateModel';
import { heldAgainst } from '../../explain/estimateReceipt';
import { estimateText, heldLines } from '../../explain/estimateText';
import { explain } from '../../explain/explain';
import { rootBytes } from '../../kube/resources/resources';
import type { TotalRecord } from '../../store/interfaces';
import { askedBy } from '../args/askedBy';
import type { GetPlan } from '../args/plan';
import { note, type Context } from '../context';
import { plural } from '../receiptText';
import { measured } from './measured';
import type { SpentCounter } from './spent';

/** The way in which the list is about to be read; undefined where there is nothing to estimate. */
export async function estimateBefore(
  plan: GetPlan,
  etcd: EtcdReader,
  context: Context,
): Promise<EstimateRow | undefined> {
  if (plan.target.kind === 'resource' && plan.target.name !== undefined) {
    note(context, 'one key is read: there is nothing to estimate');
    return undefined;
  }
  const asked = askedBy(plan);
  const { root } = plan.connection;
  const stored = await measured(asked, etcd, root, context);
  const facts = await factsOf(etcd, plan, context);
  const estimate = stored && estimateOf(asked, explain(asked, facts), stored);
  if (estimate === undefined) return undefined;
  say(estimate, plan, context);
  const named = (wanted: RowName) => estimate.rows.find(({ name }) => name === wanted);
  return named('toEnd') ?? named('asked');
}

/** A list that is read here asks no watch cache. */
async function factsOf(
  etcd: EtcdReader,
  { stream, gates, connection: { root } }: GetPlan,
  { signal }: Context,
): Promise<ServerFacts> {
  const supposed: ServerFacts = {
    ...UNKNOWN_SERVER,
    gates: { ...DEFAULT_GATES, EtcdRangeStream: gates.etcdRangeStream },
    watchCache: false,
    root,
  };
  if (stream === 'off') return supposed;
  const { answer } = await probeRangeStream(etcd, rootBytes(root), { signal });
  signal.throwIfAborted();
  const known = answer === 'unknown' ? undefined : answer === 'supported';
  return { ...supposed, rangeStream: { answer: known, because: 'as etcd answered' } };
}

function say(estimate: Estimate, { receipt }: GetPlan, { notes }: Context): void {
  if (receipt === 'json') {
    const { rows, ...rest } = estimate;
    const told = rows.map(({ name, title, way, cost, isPartial }) => ({
      name,
      title,
      way,
      cost,
      isPartial,
    }));
    notes.line(JSON.stringify({ type: 'estimate', ...rest, rows: told }));
    return;
  }
  for (const line of estimateText(estimate).split('\n')) notes.line(line);
}

/** Said behind the totals. */
export function sayAgainst(
  row: EstimateRow,
  counter: SpentCounter,
  total: TotalRecord,
  { receipt }: GetPlan,
  context: Context,
): void {
  const { spent, leftOut } = counter.told(total);
  const held = heldAgainst(row, spent);
  if (receipt === 'json') {
    context.notes.line(
      JSON.stringify({ type: 'estimateAgainstReceipt', row: row.name, held, leftOut }),
    );
    return;
  }
  for (const line of heldLines(row, held)) context.notes.line(line);
  if (leftOut > 0) {
    note(
      context,
      `${plural(leftOut, 'request')} that the API server would not make: left out here`,
    );
  }
}
