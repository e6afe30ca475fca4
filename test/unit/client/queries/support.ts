/** Query files as the language server tells of them, and what is around them. */
import { vi } from 'vitest';
import { Emitter } from '../../../../client/common/emitter';
import type { QueryFile } from '../../../../client/queries/place';
import type { ListDone, ListEvent, ListParams, ListQuery } from '../../../../server/protocol/model';
import type { FileQuery, FileRequest } from '../../../../server/protocol/queryFiles';
import type { FakeSource } from '../support';
import { FakeServer, query, total } from '../support';

export const uri = 'file:///a/q.etcdlist';

export function request(extra: Partial<FileRequest> = {}, over: Partial<ListQuery> = {}) {
  return { query: { ...query, ...over }, continueOf: null, follow: false, ...extra };
}

/** Three lines each: its separator, its request and a blank one. */
export function fileOf(...requests: readonly (FileRequest | null)[]): QueryFile {
  const queries = requests.map((each, index): FileQuery => ({
    name: index === 0 ? 'first' : '',
    range: {
      start: { line: index * 3, character: 0 },
      end: { line: index * 3 + 2, character: 0 },
    },
    anchor: {
      start: { line: index * 3 + 1, character: 0 },
      end: { line: index * 3 + 1, character: 4 },
    },
    request: each,
  }));
  return { uri, version: 1, queries };
}

export const row = (name: string, namespace = 'web') => ({
  key: '2f',
  namespace,
  name,
  labels: [['app', 'nginx']] as const,
  created: '2026-11-30T00:00:00Z',
  version: '84213',
  size: 2048,
});

export const done = (over: Partial<ListDone> = {}): ListDone => ({
  total,
  unreadable: [],
  commands: { kubectl: '', apiPath: '', etcdctl: '', etcdList: '' },
  ...over,
});

/** A language server whose lists send these bodies, then end. */
export class ListingServer extends FakeServer {
  readonly listEvents = new Emitter<readonly ListEvent[]>();
  readonly notify = vi.fn(() => Promise.resolve());

  constructor(
    answer: (params: ListParams, token: FakeSource['token']) => unknown,
    bodies: readonly ListEvent['body'][] = [],
    unlimited = false,
  ) {
    super({
      'etcdList/check': () => ({
        problems: [],
        labelRequirements: 0,
        fieldRequirements: 0,
        unlimited,
      }),
      'etcdList/list': (params: ListParams, token: FakeSource['token']) => {
        const { listId } = params;
        if (bodies.length > 0) {
          this.listEvents.fire(bodies.map((body, seq) => ({ listId, seq, body })));
        }
        return answer(params, token);
      },
    });
  }

  /** Parameters of the lists that were run. */
  get lists(): ListParams[] {
    return this.asked.flatMap(({ method, params }) =>
      method === 'etcdList/list' ? [params as ListParams] : [],
    );
  }
}
