/** Which way an API server of one version would serve a request, and why. Nothing is read. */
import { CHECKED_RELEASES } from '../cache/versions/version';
import type { AskedList, ServerFacts } from './asked';
import { alternativesOf } from './alternatives';
import { decide } from './decide';
import { decideFromEtcd } from './fromEtcd';
import { getFromEtcd } from './get';
import { explore } from './inquiry';
import { likelyPath, waysOf, type Explanation, type Trail } from './model';
import { readRequest, resourceOf } from './request';
import { requestLine, shown } from './words';

export function explain(asked: AskedList, facts: ServerFacts): Explanation {
  const trail = explore((inquiry) => decide(asked, facts, inquiry));
  const following = followingOf(asked, facts, trail);
  return {
    request: requestLine(asked),
    ...serverOf(asked, facts),
    notes: [...(facts.notes ?? []), ...notesOf(asked)],
    trail,
    ...atEtcdOf(asked, facts, trail),
    ...(following && { following }),
    alternatives: alternativesOf(asked, facts, trail),
  };
}

function serverOf(asked: AskedList, { version }: ServerFacts): Pick<Explanation, 'server'> {
  if (asked.resource.startsWith('/')) return {};
  return { server: { version, release: CHECKED_RELEASES[version] } };
}

/** Told once, since many conditions lead there. */
function atEtcdOf(asked: AskedList, facts: ServerFacts, trail: Trail): { atEtcd?: Trail } {
  const goesThere = waysOf(trail).some((way) => way.startsWith('etcd'));
  if (likelyPath(trail).end.way !== 'watchCache' || !goesThere) return {};
  const read = readRequest(asked);
  if (read.kind === 'refused') return {};
  const { request } = read;
  const isGet = asked.named && !request.narrowed.recursive;
  const decideAt = isGet ? getFromEtcd : decideFromEtcd;
  return { atEtcd: explore((inquiry) => decideAt(request, facts, inquiry)) };
}

/** A client that follows tokens leaves out version and match (client-go's pager). */
function followingOf(asked: AskedList, facts: ServerFacts, trail: Trail): Trail | undefined {
  const { steps, end } = likelyPath(trail);
  if (!asked.toEnd || asked.limit <= 0n || end.way === 'refused') return undefined;
  // One key and a limit that is ignored leave no token.
  if (steps.some(({ rule }) => rule === 'N2' || rule === 'C2')) return undefined;
  const next: AskedList = {
    ...asked,
    resourceVersion: '',
    resourceVersionMatch: '',
    from: { kind: 'tokenOf', list: 'the first request' },
  };
  return explore((inquiry) => decide(next, facts, inquiry));
}

function notesOf(asked: AskedList): string[] {
  if (asked.resource.startsWith('/')) return [];
  const { name, isCustom, namespaced } = resourceOf(asked.resource);
  const notes: string[] = [];
  if (asked.watch) notes.push('It is written as a watch: a list of the same options is explained.');
  if (isCustom && namespaced === undefined && !asked.named) {
    const what = asked.fieldSelector === '' ? 'is' : 'and which fields select them are';
    notes.push(
      `Whether ${shown(name)} are namespaced ${what} told by their definition, which is not read here: they are taken as namespaced.`,
    );
  }
  return notes;
}
