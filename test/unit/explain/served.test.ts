/** Explain's own steps beside what Kubernetes' watch cache of each release did, request by request. */
import { describe, expect, it } from 'vitest';
import { setGates } from '../../../server/cache/versions/gates';
import {
  KUBERNETES_VERSIONS,
  type KubernetesVersion,
} from '../../../server/cache/versions/version';
import { UNKNOWN_SERVER, type AskedList, type ServerFacts } from '../../../server/explain/asked';
import { decide } from '../../../server/explain/decide';
import type { Question } from '../../../server/explain/inquiry';
import { readRequest } from '../../../server/explain/request';
import {
  CACHED,
  requestsOf,
  versionAnswers,
  type AskedOfCache,
  type VersionAnswers,
} from '../../support/versionAnswers';

type Run = VersionAnswers['served']['runs'][number];
type Situation = Pick<Run, 'progress' | 'state'>;

/** What the question asks, as the grid's cache and its etcd would answer. */
function answer({ yes }: Question, { progress, state }: Situation): boolean {
  const revision = BigInt(/revision (\d+)/.exec(yes)?.[1] ?? '0');
  const newest = state === 'unready' ? 0n : CACHED;
  if (yes.startsWith('the watch cache of')) return state !== 'unready';
  if (yes.startsWith('the cache becomes ready')) return false;
  if (yes.includes('supports RequestWatchProgress') || yes.includes('support RequestWatchProgress'))
    return progress;
  if (yes.includes('still has its state')) return revision === CACHED;
  if (yes.includes("etcd's current revision")) return state === 'fresh';
  if (yes.includes('the cache has seen') || yes.includes('the cache sees'))
    return revision <= newest;
  if (yes.includes('RangeStream')) return true;
  throw new Error(`a question that the grid has no answer to: ${yes}`);
}

/** As the grid writes it: what reached etcd, in order, and then how it ended. */
function outcomeOf(asked: AskedList, facts: ServerFacts, situation: Situation): string {
  const events: string[] = [];
  const end = decide(asked, facts, {
    step: ({ text }) => {
      if (text.includes("reads etcd's current revision")) events.push('revision');
      if (text.startsWith('The list goes to etcd, whose store refuses')) events.push('etcd');
    },
    ask: (question) => answer(question, situation),
  });
  if (events.includes('etcd')) return events.join(' ');
  if (end.way === 'refused') {
    const status = end.refusal?.status ?? 0;
    return [...events, status === 429 ? `429/1s` : String(status)].join(' ');
  }
  return [...events, end.way === 'watchCache' ? 'cache' : 'etcd'].join(' ');
}

function askedBy(request: AskedOfCache): AskedList {
  const { resourceVersion, match, limit, token, recursive, filtered } = request;
  return {
    resource: 'pods',
    namespace: 'ns',
    labelSelector: filtered ? 'a=b' : '',
    fieldSelector: recursive ? '' : 'metadata.name=x',
    limit,
    resourceVersion,
    resourceVersionMatch: match,
    from: token === '' ? { kind: 'beginning' } : { kind: 'token', token },
    named: false,
    toEnd: false,
    stream: 'auto',
    watch: false,
  };
}

/** Those that reach storage as the grid has them: some are refused at the door, and a token makes a list. */
function reachesStorage(request: AskedOfCache): boolean {
  if (!request.recursive && request.token !== '') return false;
  const asked = askedBy(request);
  return readRequest(asked).kind === 'request';
}

function serverOf(
  version: KubernetesVersion,
  gates: Readonly<Record<string, boolean>>,
): ServerFacts {
  return { ...UNKNOWN_SERVER, version, gates: setGates(version, new Map(Object.entries(gates))) };
}

function answersOf(version: KubernetesVersion): VersionAnswers {
  const answers = versionAnswers(version);
  if (answers === undefined) throw new Error(`no answers of ${version}`);
  return answers;
}

describe.each(KUBERNETES_VERSIONS)('Kubernetes %s', (version) => {
  it('serves lists as Explain tells', () => {
    const { served } = answersOf(version);
    const requests = requestsOf(served.axes);
    const reaching = requests.map(reachesStorage);
    const met = new Set<string>();
    let compared = 0;
    for (const { gates, progress, state, answers } of served.runs) {
      expect(answers).toHaveLength(requests.length);
      const facts = serverOf(version, gates);
      requests.forEach((request, index) => {
        if (reaching[index] !== true) return;
        const ours = outcomeOf(askedBy(request), facts, { progress, state });
        const theirs = served.outcomes[parseInt(answers[index] ?? '', 36)] ?? '';
        if (ours !== theirs) {
          const asked = { ...request, limit: String(request.limit), gates, progress, state };
          expect.fail(`${JSON.stringify(asked)}: ${ours}, not ${theirs}`);
        }
        met.add(theirs);
        compared++;
      });
    }
    console.log(
      `Kubernetes ${version}: ${compared} lists are served alike: ${[...met].sort().join(', ')}`,
    );
    expect(compared).toBeGreaterThan(200);
    expect(met.size).toBeGreaterThan(3);
  });

  it('serves gets as Explain tells', () => {
    const { got } = answersOf(version);
    for (const { gates, state, outcomes } of got.runs) {
      got.resourceVersion.forEach((resourceVersion, index) => {
        const get = { ...askedBy(aGet), named: true, resourceVersion };
        const ours = outcomeOf(get, serverOf(version, gates), { progress: true, state });
        const theirs = outcomes[index];
        expect([resourceVersion, gates, state, ours]).toEqual([
          resourceVersion,
          gates,
          state,
          theirs,
        ]);
      });
    }
    expect(got.runs.length).toBeGreaterThan(2);
  });
});

const aGet: AskedOfCache = {
  resourceVersion: '',
  match: '',
  limit: 0n,
  token: '',
  recursive: false,
  filtered: false,
};
