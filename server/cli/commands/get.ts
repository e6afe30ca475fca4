/** `get`: one LIST, a followed LIST, or one object. */
import { silentLog } from '../../common/log';
import { createFeatureChecker, type FeatureChecker } from '../../etcd/features';
import type { EtcdReader } from '../../etcd/interfaces';
import { pathSegmentNameErrors, type LabelSelector } from '../../kube/selectors';
import { createStoreMetrics, type StoreMetrics } from '../../metrics/storeMetrics';
import type { FeatureGates, ListOptions, ListStore, Predicate } from '../../store/interfaces';
import { etcdKey, prepareKey, storePathPrefix } from '../../store/keys';
import type { StoreConfig } from '../../store/list';
import { narrowedOptions } from '../../store/narrow';
import { requestProblems } from '../../store/requestOptions';
import {
  prefixTarget,
  resolveResource,
  type ListTarget,
  type StoredValue,
} from '../../targets/target';
import type { ConnectionPlan, GetPlan } from '../args/plan';
import { connectTo } from '../connectTo';
import { closedByReader, note, warn, type Context } from '../context';
import {
  conclude,
  concludeFailure,
  failureOf,
  requireFound,
  resumeToken,
  singleName,
  unjudgedCounter,
  warnOfUnjudged,
  type Unjudged,
} from '../conclude';
import { usageError } from '../exit';
import { estimateBefore, sayAgainst } from '../explain/beforeGet';
import { runList, type Followed, type ListRun, type Progress } from '../follow';
import type { RowWriter } from '../output/rows';
import { cell } from '../output/text';
import { rowWriter } from '../output/writers';
import { withMetricsFile } from '../metricsFile';
import { readingNotes } from '../readingNotes';
import { Reporter } from '../reporter';
import { fieldSelector, labelSelector } from '../selectors';
import { withStore } from '../servedFrom';
import { makeStyle, wantsColour } from '../style';

export async function runGet(plan: GetPlan, context: Context): Promise<void> {
  refuseUnread(plan);
  await withSession(plan, context, (session) => getOn(session, plan, context));
}

/** What lists share: the connection, and what was learnt of the etcd behind it. */
export interface Session {
  readonly etcd: EtcdReader;
  readonly features: FeatureChecker;
  readonly metrics: StoreMetrics;
}

export interface SessionPlan {
  readonly connection: ConnectionPlan;
  readonly metricsFile: string | undefined;
}

/** When `work` has ended, well or not, the connection is closed and what was counted is written. */
export async function withSession<T>(
  { connection, metricsFile }: SessionPlan,
  context: Context,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const metrics = createStoreMetrics();
  return withMetricsFile(metricsFile, metrics, async () => {
    const etcd = await connectTo(connection, context);
    try {
      return await work({ etcd, features: createFeatureChecker(context.clock), metrics });
    } finally {
      etcd.close();
    }
  });
}

/** Resolves with the token that the list ended with, empty at its end. */
export async function getOn(session: Session, plan: GetPlan, context: Context): Promise<string> {
  const asked = await askedList(session, plan, context);
  return list({ plan, context, session, ...asked });
}

/** What a plan lists, once its selectors and options are found right and its resource is known. */
export async function askedList(
  session: Session,
  plan: GetPlan,
  context: Context,
): Promise<Pick<Listing, 'target' | 'options'>> {
  const label = refuseUnread(plan);
  const target = await targetOf(plan, session.etcd, context);
  const field = fieldSelector(plan.fieldSelector, target.fieldTransform);
  const predicate = { label, field, limit: limitOf(plan), continueToken: plan.continueToken };
  return { target, options: optionsOf(plan, target, predicate) };
}

/** A selector that no resource could take, and bad options, are refused before anything is read. */
export function refuseUnread(plan: GetPlan): LabelSelector | undefined {
  const label = labelSelector(plan.labelSelector);
  refuseOptions(plan);
  return label;
}

/** What the API layer would refuse before storage is asked (rule O5). */
function refuseOptions(plan: GetPlan): void {
  const problems = requestProblems({
    ...plan,
    watch: false,
    sendInitialEvents: undefined,
    watchListEnabled: true,
  });
  if (problems.length === 0) return;
  throw usageError(
    `the options are refused: ${problems.map(({ message }) => cell(message)).join('; ')}`,
  );
}

async function targetOf(plan: GetPlan, etcd: EtcdReader, context: Context): Promise<ListTarget> {
  if (plan.target.kind === 'prefix') {
    if (plan.namespace !== undefined)
      throw usageError('--namespace does not go with a prefix: append the namespace to the prefix');
    return prefixTarget(plan.target.prefix);
  }
  const target = await resolveResource(plan.target.resource, {
    etcd,
    root: plan.connection.root,
    signal: context.signal,
    notice: (text) => {
      note(context, text);
    },
  });
  if (!target.namespaced && plan.namespace !== undefined) {
    warn(context, `${target.name} are not namespaced: --namespace has no effect`);
  }
  return target;
}

function limitOf({ paging }: GetPlan): bigint {
  return paging.kind === 'chunks' ? paging.size : paging.limit;
}

function optionsOf(plan: GetPlan, target: ListTarget, predicate: Predicate): ListOptions {
  const { resourceVersion, resourceVersionMatch } = plan;
  const version = { resourceVersion, resourceVersionMatch };
  if (plan.target.kind === 'prefix') {
    return { key: target.path, recursive: true, predicate, ...version };
  }
  const { name } = plan.target;
  if (name !== undefined) {
    const all = { ...predicate, limit: 0n };
    return { key: objectPath(plan, target, name), recursive: false, predicate: all, ...version };
  }
  const request = {
    resourcePath: target.path,
    namespaced: target.namespaced,
    namespace: plan.namespace ?? '',
    predicate,
  };
  return narrowedOptions(request, version);
}

function objectPath(plan: GetPlan, target: ListTarget, name: string): string {
  const wrong = pathSegmentNameErrors(name)[0];
  if (wrong !== undefined) throw usageError(`"${cell(name)}" cannot be a name: ${wrong}`);
  if (!target.namespaced) return `${target.path}/${name}`;
  if (plan.namespace !== undefined) return `${target.path}/${plan.namespace}/${name}`;
  throw usageError(
    `${target.name} are namespaced: say with -n in which namespace "${cell(name)}" is, since etcd has no current one`,
  );
}

interface Listing {
  readonly plan: GetPlan;
  readonly context: Context;
  readonly target: ListTarget;
  readonly options: ListOptions;
  readonly session: Session;
}

async function list(listing: Listing): Promise<string> {
  const { plan, context, options, session, target } = listing;
  for (const text of readingNotes(options, plan.stream, plan.serveFrom.kind)) note(context, text);
  const estimate = plan.explain ? await estimateBefore(plan, session.etcd, context) : undefined;
  const unjudged: Unjudged = { values: 0, encrypted: 0 };
  const config = storeConfig(listing, plan.gates, unjudged);
  const asked = { plan, context, name: target.name, features: session.features };
  try {
    return await withStore(asked, config, (store) => listFrom(store, listing, unjudged, estimate));
  } catch (error) {
    throw failureOf(plan, error);
  }
}

async function listFrom(
  store: ListStore<StoredValue>,
  listing: Listing,
  unjudged: Unjudged,
  estimate: Awaited<ReturnType<typeof estimateBefore>> | undefined,
): Promise<string> {
  const { plan, context, target, options } = listing;
  const reporter = new Reporter(context, plan.receipt, options.predicate.limit);
  const run = runOf(store, listing, reporter);
  const concluding = { plan, context, target, keyPrefix: run.keyPrefix };
  const progress: Progress = { token: '', written: 0 };
  let followed: Followed;
  try {
    followed = await runList(run, progress);
    if (mayBeKey(plan, followed)) followed = await readExactKey(run);
    requireFound(concluding, followed);
    await run.writer.end(followed);
  } catch (error) {
    if (!closedByReader(context.signal)) {
      const token = resumeToken(error, progress);
      reporter.failed(error, token);
      reporter.finish();
      concludeFailure(concluding, token, progress.written);
    }
    throw error;
  }
  if (!closedByReader(context.signal)) reporter.finish();
  if (estimate !== undefined && reporter.total !== undefined) {
    sayAgainst(estimate, reporter.spent, reporter.total, plan, context);
  }
  warnOfUnjudged(unjudged, context);
  conclude(concluding, followed);
  return followed.continueToken;
}

function runOf(store: ListStore<StoredValue>, listing: Listing, reporter: Reporter): ListRun {
  const { plan, context, target, options } = listing;
  const skips = plan.skipUnreadable && singleName(plan) === undefined;
  return {
    context,
    store,
    options,
    keyPrefix: etcdKey(storePathPrefix(target.root), prepareKey(target.path, options.key, true)),
    follow: plan.paging.kind === 'chunks' || plan.paging.follow,
    hooks: {
      stream: plan.stream,
      ...(skips ? { unreadable: 'skip' } : {}),
      ...(plan.stream === 'on' ? { onFallback: noticeOf(context) } : {}),
    },
    writer: writerOf(listing),
    reporter,
  };
}

/** Nothing lies below a prefix that was given without a slash at its end: it may be a key. */
function mayBeKey({ target, continueToken }: GetPlan, { fetched }: Followed): boolean {
  if (target.kind !== 'prefix' || target.prefix.endsWith('/')) return false;
  return fetched === 0 && continueToken === '';
}

/** One read of the key that the prefix itself is; its row is what the person asked for. */
async function readExactKey(run: ListRun): Promise<Followed> {
  const predicate = { ...run.options.predicate, limit: 0n };
  const options = { ...run.options, recursive: false, predicate };
  const followed = await runList({ ...run, options });
  if (followed.fetched > 0) {
    note(run.context, 'nothing lies below this prefix; it is a key itself');
  }
  return followed;
}

/** A followed list falls back page by page; saying it once is enough. */
function noticeOf(context: Context): (reason: string) => void {
  let said = false;
  return (reason) => {
    if (!said) warn(context, cell(reason));
    said = true;
  };
}

function writerOf({ plan, context, target }: Listing): RowWriter {
  const single = singleName(plan) !== undefined;
  return rowWriter(
    {
      output: plan.output,
      kind: target.kind,
      single,
      namespaces: target.namespaced && (plan.namespace === undefined || single),
      showSecrets: plan.showSecrets,
      skipUnreadable: plan.skipUnreadable && !single,
      terminal: context.rows.isTTY,
      style: makeStyle(wantsColour(context.rows.isTTY, context.env)),
      clock: context.clock,
      notice: (text) => {
        warn(context, text);
      },
    },
    (text) => context.rows.write(text),
  );
}

export function storeConfig(
  { target, session, context, options }: Omit<Listing, 'plan'>,
  gates: FeatureGates,
  unjudged: Unjudged,
): StoreConfig<StoredValue> {
  const { clock } = context;
  const readsFields = !(options.predicate.field?.empty() ?? true);
  const onUnjudged = unjudgedCounter(unjudged);
  return {
    etcd: session.etcd,
    streamSupport: session.features,
    metrics: session.metrics,
    root: target.root,
    resourcePrefix: target.path,
    groupResource: target.groupResource,
    decoder: target.decoder({ readsFields, onUnjudged }),
    clock,
    log: silentLog,
    gates,
    guardUnlimitedReads: true,
  };
}
