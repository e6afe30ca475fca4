/** The estimate of a list held against the receipt of its run. */
import type { CostFigure, CostRow, ListEstimate } from '../server/protocol/explain';
import type { ListQuery, TotalEntry } from '../server/protocol/model';
import { sameQuery } from '../server/protocol/sameQuery';
import type { Run, RunRequest } from './run';

export interface HeldFigure {
  readonly title: string;
  readonly estimate: CostFigure;
  readonly receipt: number;
  readonly isSize: boolean;
  readonly verdict: string;
}

export interface HeldRun {
  readonly row: CostRow;
  readonly figures: readonly HeldFigure[];
}

/** Undefined while there is no such run, or no such way. */
export function heldRun(
  estimate: ListEstimate | undefined,
  query: ListQuery | null,
  run: Run | null,
): HeldRun | undefined {
  if (!estimate || !query || !run?.total || !isOneList(run) || !sameQuery(query, run.query)) {
    return undefined;
  }
  const row = rowOf(estimate, run);
  return row && { row, figures: figuresOf(row, run, run.total) };
}

/** Of a list that was gone on with by Next page the totals are those of several. */
function isOneList({ phase, before, failure }: Run): boolean {
  return phase === 'done' && before === null && failure === null;
}

function figuresOf(row: CostRow, run: Run, total: TotalEntry): HeldFigure[] {
  const { requests, query } = run;
  const own = requests.filter((request) => isOfServer(request, query));
  // The history keeps the first and last requests alone.
  const isWhole = requests.length === total.requests;
  const returned = figure('objects', row.returned, total.returned);
  // What it goes over in memory is neither read from etcd nor estimated.
  if (row.way === 'watchCache') return [figure('requests', row.requests, total.requests), returned];
  const bytes = own.reduce((sum, request) => sum + request.bytes, 0);
  return [
    figure('requests', row.requests, isWhole ? own.length : total.requests),
    figure('keys', row.keys, total.fetched),
    figure('examined', row.examined, total.examined),
    returned,
    ...(row.bytes && isWhole ? [figure('bytes', row.bytes, bytes, true)] : []),
    ...(row.largestReply
      ? [figure('largest reply', row.largestReply, total.largestReplyBytes, true)]
      : []),
  ];
}

/** Without the count before a read without a limit, and streams that were refused. */
function isOfServer({ operation, limit, refused }: RunRequest, query: ListQuery): boolean {
  const isGuard = operation === 'listWithCount' || (operation === 'list' && limit > 0);
  return refused !== true && !(isGuard && Number(query.limit) <= 0);
}

function rowOf({ rows }: ListEstimate, { follow, total }: Run): CostRow | undefined {
  const named = (name: string) => rows.find((row) => row.name === name);
  // A part of it was passed on to etcd, which no row tells of.
  if (total?.servedBy === 'mixed') return undefined;
  if (total?.servedBy === 'watchcache') return follow ? undefined : ofCache(named('asked'));
  if (follow) return named('toEnd');
  const way = total?.streamed === true ? ['etcdStream'] : ['etcdPages', 'etcdKey'];
  return ['asked', 'atEtcd', 'otherGate'].map(named).find((row) => row && way.includes(row.way));
}

const ofCache = (row: CostRow | undefined): CostRow | undefined =>
  row?.way === 'watchCache' ? row : undefined;

/** Sizes are a mean: so much to either side is no surprise. */
const SIZE_TOLERANCE = 0.1;

function figure(title: string, estimate: CostFigure, receipt: number, isSize = false): HeldFigure {
  const { low, high } = estimate;
  const slack = isSize ? SIZE_TOLERANCE : 0;
  let verdict = low === high && receipt === low ? 'exact' : 'as estimated';
  if (receipt < low * (1 - slack)) verdict = 'less than estimated';
  if (receipt > high * (1 + slack)) verdict = 'more than estimated';
  return { title, estimate, receipt, isSize, verdict };
}
