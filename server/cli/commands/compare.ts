/** `compare`: one list in several ways at one revision, side by side. */
import { prefixEnd } from '../../common/bytes';
import { compareWays } from '../../compare/compare';
import { forecastOf, type Forecast } from '../../compare/forecast';
import { ComparisonFailedError, type Comparison } from '../../compare/model';
import type { ComparedList } from '../../compare/runWay';
import { sampleList, type Sample } from '../../compare/sample';
import { comparisonTable, forecastTable } from '../../compare/table';
import { comparisonFailure, hasFigures, samenessText } from '../../compare/words';
import type { ListOptions } from '../../store/interfaces';
import { createStore } from '../../store/list';
import { etcdKey, prepareKey, storePathPrefix } from '../../store/keys';
import type { ListTarget, StoredValue } from '../../targets/target';
import type { ComparePlan } from '../args/plan';
import { comparisonJson } from '../compare/json';
import { progressOf } from '../compare/progress';
import { closedByReader, note, type Context } from '../context';
import { CliError, ExitCode, failure, usageError } from '../exit';
import { cell } from '../output/text';
import { printSize, thousands } from '../quantities';
import { plural } from '../receiptText';
import { isUnreadable, unreadableText } from '../unreadableObjects';
import { askedList, refuseUnread, storeConfig, withSession, type Session } from './get';

/** What is compared, once the resource is known. */
interface Compared {
  readonly plan: ComparePlan;
  readonly context: Context;
  readonly session: Session;
  readonly target: ListTarget;
  readonly options: ListOptions;
  readonly keyPrefix: Uint8Array;
}

export async function runCompare(plan: ComparePlan, context: Context): Promise<ExitCode> {
  if (!plan.agreed && context.confirm === undefined) {
    throw usageError(
      'compare reads a list several times and asks before that, and there is no terminal to ask on: give --yes to agree',
    );
  }
  refuseUnread(plan.list);
  return withSession(plan.list, context, async (session) => {
    const compared = await comparedOf(plan, context, session);
    if (await agrees(compared)) await compare(compared);
    else context.notes.line('nothing is compared');
    return ExitCode.done;
  });
}

async function comparedOf(plan: ComparePlan, context: Context, session: Session) {
  const { target, options } = await askedList(session, plan.list, context);
  if (!options.recursive) {
    throw usageError(
      'this field selector names one object, which is read in one way: compare lists of more',
    );
  }
  const keyPrefix = etcdKey(
    storePathPrefix(target.root),
    prepareKey(target.path, options.key, true),
  );
  return { plan, context, session, target, options, keyPrefix };
}

/** Counts, tells what each way would read, and asks. */
async function agrees(compared: Compared): Promise<boolean> {
  const { plan, context } = compared;
  context.notes.status('counting the keys and looking at some …');
  const sample = await sampleOf(compared);
  const { limit, toTheEnd, ways, rounds } = plan;
  const forecasts = forecastOf(sample, { ways, limit: Number(limit), toTheEnd });
  for (const line of question(compared, sample, forecasts)) context.notes.line(line);
  if (sample.keys === 0 && mayBeKey(plan)) note(context, MAYBE_KEY);
  if (plan.agreed || context.confirm === undefined) return true;
  const times = rounds === 1 ? '' : `, each ${rounds} times`;
  return context.confirm(`Read it in ${plural(ways.length, 'way')}${times}? [y/N] `);
}

/** `get` reads the key of that very name then. */
function mayBeKey({ list: { target } }: ComparePlan): boolean {
  return target.kind === 'prefix' && !target.prefix.endsWith('/');
}

const MAYBE_KEY =
  'nothing lies below this prefix; a key of that very name is read in one way, by "etcd-list get"';

function sampleOf({ context, session, target, options, keyPrefix }: Compared): Promise<Sample> {
  const { predicate } = options;
  const readsFields = !(predicate.field?.empty() ?? true);
  return sampleList({
    etcd: session.etcd,
    decoder: target.decoder({ readsFields, onUnjudged: () => undefined }),
    predicate,
    start: keyPrefix,
    end: prefixEnd(keyPrefix),
    signal: context.signal,
  });
}

function question(
  { plan, target }: Compared,
  { keys, bytesPerKey, looked, matched, filtered }: Sample,
  forecasts: readonly Forecast[],
): string[] {
  const where = plan.list.namespace === undefined ? '' : ` in namespace ${plan.list.namespace}`;
  const size = keys === 0 ? '' : `, about ${printSize(Math.round(bytesPerKey))} each`;
  const share = filtered ? `; ${thousands(matched)} of ${thousands(looked)} looked at match` : '';
  const sum = forecasts.reduce((bytes, one) => bytes + one.bytes, 0) * plan.rounds;
  return [
    cell(`${target.name}${where}: ${plural(keys, 'key')}${size}${share}`),
    'what each way would read, if matches stand evenly:',
    ...forecastTable(forecasts).map((line) => `  ${line}`),
    `about ${printSize(sum)} altogether`,
  ];
}

async function compare(compared: Compared): Promise<void> {
  const { plan, context } = compared;
  const { ways, rounds } = plan;
  const progress = progressOf(plan, context);
  try {
    const list = listOf(compared);
    const valueOf = ({ value }: StoredValue): Uint8Array => value;
    const hooks = { signal: context.signal, ...progress };
    const comparison = await compareWays({ list, ways, rounds, valueOf }, hooks);
    await tell(compared, comparison);
  } catch (error) {
    if (!(error instanceof ComparisonFailedError)) throw error;
    tellSoFar(compared, error.comparison);
    throw failureOf(error);
  }
}

function listOf(compared: Compared): ComparedList<StoredValue> {
  const { plan, options, keyPrefix } = compared;
  const store = createStore(storeConfig(compared, plan.list.gates, { values: 0, encrypted: 0 }));
  return { store, options, keyPrefix, toTheEnd: plan.toTheEnd };
}

async function tell({ plan, context, target }: Compared, comparison: Comparison): Promise<void> {
  context.notes.clearStatus();
  if (plan.output === 'json') {
    await context.rows.write(comparisonJson(comparison, plan, target.name));
    return;
  }
  const table = comparisonTable(comparison, plan.toTheEnd);
  await context.rows.write(table.map((line) => `${line}\n`).join(''));
  context.notes.line(samenessText(comparison, plan.toTheEnd));
}

/** Of a comparison that came to no end; not where rows go, which may be closed by now. */
function tellSoFar({ plan, context }: Compared, comparison: Comparison): void {
  if (closedByReader(context.signal)) return;
  context.notes.clearStatus();
  if (!hasFigures(comparison)) return;
  for (const line of comparisonTable(comparison, plan.toTheEnd)) context.notes.line(line);
}

function failureOf(failed: ComparisonFailedError): unknown {
  const found = comparisonFailure(failed);
  if (found === undefined) return failureOfList(failed.cause);
  const exitCode = found.kind === 'expired' ? ExitCode.expired : ExitCode.failed;
  const code = found.kind === 'differ' ? 'answersDiffer' : found.kind;
  return new CliError(found.sentence, exitCode, { cause: failed.cause, code });
}

/** A comparison is of whole answers, and has no flag to leave anything out. */
function failureOfList(cause: unknown): unknown {
  if (!isUnreadable(cause)) return cause;
  return failure(unreadableText(cause, 'compare a namespace or prefix without them'), { cause });
}
