/** Explain of the panel: the decision without a connection; what it costs by hand, or by a sample on request. */
import { prefixEnd } from '../common/bytes';
import type { AskedList, ServerFacts } from '../explain/asked';
import { chainOf } from '../explain/chain';
import { estimateOf, questionOf } from '../explain/estimate';
import { givenKeys } from '../explain/estimateGiven';
import type { Estimate, EstimateRow, StoredKeys } from '../explain/estimateModel';
import { pictureOf } from '../explain/estimatePicture';
import { measuredKeys } from '../explain/estimateSample';
import { storedText, WAY_NAMES } from '../explain/estimateText';
import { explain } from '../explain/explain';
import { isFork, likelyPath, type Explanation, type Trail } from '../explain/model';
import { endText, servedWords, stepsTitle } from '../explain/text';
import type { CostRow, ExplainedList, ExplainParams, ListEstimate } from '../protocol/explain';
import type { ListQuery } from '../protocol/model';
import { validateListOptions } from '../store/listOptions';
import { spreadSample } from '../store/spreadSample';
import type { ConnectionHolder } from './connectionHolder';
import { refuse } from './failures';
import { onConnection } from './onConnection';
import type { OpenConnection } from './openConnection';
import { keyPrefixOf, listOptionsOf, parseLimit, streamModes, targetOf } from './query';
import { readExplainParams } from './queryParams';
import type { Router } from './router';

export interface ExplainListParts {
  readonly holder: Pick<ConnectionHolder, 'required'>;
  /** What is known of the server now; nothing is asked for it. */
  readonly facts: () => Promise<ServerFacts>;
}

export function registerExplainList(router: Router, { holder, facts }: ExplainListParts): void {
  router.handle('etcdList/explainList', readExplainParams, async (params, call) => {
    const asked = askedBy(params);
    const known = await facts();
    const explanation = explain(asked, known);
    const stored = params.measure
      ? await onConnection(holder.required(), call.signal, (signal) =>
          measured(params.query, asked, holder.required(), signal),
        )
      : given(params);
    const estimate = stored && estimateOf(asked, explanation, stored);
    return told(explanation, estimate);
  });
}

function askedBy({ query, follow }: ExplainParams): AskedList {
  const { resource, namespace, labelSelector, fieldSelector, continueToken } = query;
  const word = resource.trim();
  if (word === '') throw refuse('No resource is chosen: write one, such as pods.');
  const limit = parseLimit(query.limit);
  if (limit === undefined) throw refuse('The limit is not a whole number.');
  return {
    resource: word,
    namespace,
    labelSelector,
    fieldSelector,
    limit,
    resourceVersion: query.resourceVersion,
    resourceVersionMatch: query.resourceVersionMatch,
    from: continueToken === '' ? { kind: 'beginning' } : { kind: 'token', token: continueToken },
    named: false,
    toEnd: follow,
    stream: streamModes[query.readMode],
    watch: false,
  };
}

function given({ given: texts }: ExplainParams): StoredKeys | undefined {
  const stored = givenKeys(texts);
  if (typeof stored === 'string') throw refuse(stored);
  return stored;
}

/** Undefined of a list that is refused; of one key nothing is read. */
async function measured(
  query: ListQuery,
  asked: AskedList,
  connection: OpenConnection,
  signal: AbortSignal,
): Promise<StoredKeys | undefined> {
  const question = questionOf(asked);
  if (question === undefined) return undefined;
  if (!question.recursive) return ONE_KEY;
  const target = await targetOf(query, connection, signal, () => undefined);
  const options = listOptionsOf(query, target);
  if (!options.recursive) return ONE_KEY;
  const prefix = keyPrefixOf(options, target);
  const { continueKey } = validateListOptions(prefix, options);
  const sample = await spreadSample({
    etcd: connection.reader,
    decoder: target.decoder({ readsFields: true, onUnjudged: () => undefined }),
    predicate: options.predicate,
    start: continueKey ?? prefix,
    end: prefixEnd(prefix),
    signal,
  });
  return measuredKeys(sample);
}

const ONE_KEY: StoredKeys = { keys: 1, matches: { kind: 'all' }, source: { kind: 'given' } };

function told(explanation: Explanation, estimate: Estimate | undefined): ExplainedList {
  const { request, notes, trail, atEtcd, following, alternatives } = explanation;
  const { end } = likelyPath(trail);
  const chain = (title: string, of: Trail | undefined) =>
    of === undefined ? [] : [{ title, ...chainOf(of) }];
  return {
    request,
    notes,
    way: end.way,
    served: `${isFork(trail.end) ? 'Most likely: ' : ''}${endText(end)}`,
    chains: [
      ...chain(stepsTitle(explanation), trail),
      ...chain('Where it goes to etcd', atEtcd),
      ...chain('The requests after it', following),
    ],
    alternatives: alternatives.map(({ title, meaning, trail: other }) => ({
      title,
      served: servedWords(other),
      meaning,
    })),
    ...(estimate && { estimate: estimateTold(estimate) }),
  };
}

function estimateTold(estimate: Estimate): ListEstimate {
  const { stored, assumptions, rows } = estimate;
  return {
    stored: storedText(stored),
    assumptions,
    rows: rows.map(rowTold),
    series: pictureOf(estimate),
  };
}

function rowTold({ name, title, way, cost, isPartial }: EstimateRow): CostRow {
  const { requests, keys, examined, returned, bytes, largestReply, held } = cost;
  return {
    name,
    title,
    way,
    served: WAY_NAMES[way],
    requests,
    keys,
    examined,
    returned,
    ...(bytes && { bytes }),
    ...(largestReply && { largestReply }),
    ...(held && { held }),
    isPartial,
  };
}
