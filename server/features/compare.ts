/** One list in several ways, asked for from the panel or from a query: first what it would read, then the run. */
import { prefixEnd } from '../common/bytes';
import type { Clock } from '../common/clock';
import type { Log } from '../common/log';
import { compareWays, type CompareHooks } from '../compare/compare';
import { forecastOf } from '../compare/forecast';
import { ComparisonFailedError, wayNames, type Comparison } from '../compare/model';
import { sampleList } from '../compare/sample';
import { comparisonTable } from '../compare/table';
import { comparisonFailure, hasFigures, samenessText, wayTexts } from '../compare/words';
import { createStoreMetrics } from '../metrics/storeMetrics';
import type { CompareParams, WaysCompared, WaysForecast } from '../protocol/compare';
import type { Failure } from '../protocol/errors';
import { queryText } from '../protocol/queryText';
import type { ListOptions } from '../store/interfaces';
import { createStore } from '../store/list';
import type { ListTarget } from '../targets/target';
import type { ConnectionHolder } from './connectionHolder';
import { engineGates } from './engineGates';
import { failureOf, refuse } from './failures';
import { onConnection, reading } from './onConnection';
import type { OpenConnection } from './openConnection';
import type { Progress, StartProgress } from './progress';
import { keyPrefixOf, listOptionsOf, targetOf } from './query';
import { readCompareParams } from './queryParams';
import type { Router } from './router';
import type { ServerSettings } from './settings';

export interface CompareDeps {
  readonly holder: ConnectionHolder;
  readonly settings: Pick<ServerSettings, 'current'>;
  readonly startProgress: StartProgress;
  readonly clock: Clock;
  readonly log: Log;
}

export function registerCompare(router: Router, deps: CompareDeps): void {
  router.handle('etcdList/forecastWays', readCompareParams, (params, call) => {
    const connection = deps.holder.required();
    return reading(connection, call.signal, (signal) => forecast(params, connection, signal));
  });
  router.handle('etcdList/compareWays', readCompareParams, async (params, call) => {
    const connection = deps.holder.required();
    const progress = deps.startProgress('Comparing ways to read a list');
    try {
      const asked = AbortSignal.any([call.signal, progress.signal]);
      return await onConnection(connection, asked, (signal) =>
        compare(params, connection, deps, { signal, progress }),
      );
    } finally {
      progress.end();
    }
  });
}

interface Asked {
  readonly target: ListTarget;
  readonly options: ListOptions;
  readonly keyPrefix: Uint8Array;
}

/** Throws `FailureError` for what has no pages to compare. */
async function askedOf(
  { query }: CompareParams,
  connection: OpenConnection,
  signal: AbortSignal,
): Promise<Asked> {
  const target = await targetOf(query, connection, signal, () => undefined);
  const options = listOptionsOf(query, target);
  const { limit, continueToken } = options.predicate;
  if (limit <= 0n) {
    throw refuse('A list without a limit is one read: give it a limit to compare sizes of pages.');
  }
  if (continueToken !== '') {
    throw refuse('A comparison begins at the start of a list: leave out the continue token.');
  }
  if (!options.recursive) {
    throw refuse('One object is read in one way: compare lists of more.');
  }
  return { target, options, keyPrefix: keyPrefixOf(options, target) };
}

function decoderOf({ target, options }: Asked) {
  const readsFields = !(options.predicate.field?.empty() ?? true);
  return target.decoder({ readsFields, onUnjudged: () => undefined });
}

async function forecast(
  params: CompareParams,
  connection: OpenConnection,
  signal: AbortSignal,
): Promise<WaysForecast> {
  const asked = await askedOf(params, connection, signal);
  const { options, keyPrefix } = asked;
  const sample = await sampleList({
    etcd: connection.reader,
    decoder: decoderOf(asked),
    predicate: options.predicate,
    start: keyPrefix,
    end: prefixEnd(keyPrefix),
    signal,
  });
  const limit = Number(options.predicate.limit);
  const ways = forecastOf(sample, { ways: wayNames, limit, toTheEnd: params.toTheEnd });
  return {
    keys: String(sample.keys),
    ways: ways.map(({ way, requests, keys, bytes }) => ({ way, requests, keys, bytes })),
  };
}

interface Running {
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

async function compare(
  params: CompareParams,
  connection: OpenConnection,
  deps: CompareDeps,
  { signal, progress }: Running,
): Promise<WaysCompared> {
  const asked = await askedOf(params, connection, signal);
  const { options, keyPrefix } = asked;
  const { toTheEnd } = params;
  const store = storeOf(asked, connection, deps);
  const list = { store, options, keyPrefix, toTheEnd };
  const hooks: CompareHooks = {
    signal,
    onRunStarted: ({ way, nth, of }) => {
      progress.report(`${way}, ${nth} of ${of}`);
    },
  };
  try {
    const comparison = await compareWays(
      { list, ways: wayNames, rounds: 1, valueOf: ({ value }) => value },
      hooks,
    );
    return { text: textOf(params, comparison, `${samenessText(comparison, toTheEnd)}.`) };
  } catch (error) {
    if (!(error instanceof ComparisonFailedError)) throw error;
    const failure = failureOfComparison(error);
    const { comparison } = error;
    const text = hasFigures(comparison) ? textOf(params, comparison, failure.sentence) : '';
    return { text, failure };
  }
}

function storeOf(asked: Asked, connection: OpenConnection, deps: CompareDeps) {
  const { holder, settings, clock, log } = deps;
  const { target } = asked;
  return createStore({
    etcd: connection.reader,
    root: target.root,
    resourcePrefix: target.path,
    groupResource: target.groupResource,
    decoder: decoderOf(asked),
    streamSupport: connection.features,
    metrics: createStoreMetrics(),
    clock,
    log,
    gates: engineGates(holder, settings),
    guardUnlimitedReads: true,
  });
}

function failureOfComparison(failed: ComparisonFailedError): Failure {
  const found = comparisonFailure(failed);
  if (found === undefined) return failureOf(failed.cause);
  const { kind, sentence } = found;
  const begun = `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
  return { code: kind === 'expired' ? 'expired' : 'etcd', sentence: begun };
}

const OVER_FETCHED = 'keys that came and were not looked at, since the list was full before';

function textOf({ query, toTheEnd }: CompareParams, comparison: Comparison, end: string): string {
  const what = toTheEnd ? 'all lists to the end' : 'one list';
  const legend = wayNames.map((way) => `${way.padEnd(8)}  ${wayTexts[way]}`);
  return [
    `${queryText({ ...query, serveFrom: undefined })}: ${what}, read in ${wayNames.length} ways`,
    '',
    ...comparisonTable(comparison, toTheEnd),
    '',
    end,
    '',
    ...legend,
    `OVER-FETCHED: ${OVER_FETCHED}.`,
    'Times are of one run each: "etcd-list compare --repeat" tells medians.',
    '',
  ].join('\n');
}
