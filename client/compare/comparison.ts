/** Compares the ways to read one list: counts, asks, reads, and shows what each way took. */
import type { CancellationToken } from 'vscode';
import { comparesAll } from '../../server/protocol/compare';
import type { ListQuery } from '../../server/protocol/model';
import { RpcError } from '../../server/protocol/rpc';
import type { LspCaller } from '../lsp/lspClient';
import { canRun, type Access } from '../queries/access';
import type { ResultDocuments } from '../queries/resultDocuments';

export interface ComparisonParts {
  readonly lsp: LspCaller;
  readonly access: Access;
  /** Keeps everything else waiting until it is answered. */
  readonly confirm: (text: string) => Promise<boolean>;
  /** Shows it, to be stopped by the person or with `outer`. */
  readonly whileStoppable: <T>(
    title: string,
    work: (token: CancellationToken) => Promise<T>,
    outer?: CancellationToken,
  ) => Promise<T>;
  readonly documents: Pick<ResultDocuments, 'open' | 'dispose'>;
}

export class WaysComparison {
  constructor(private readonly parts: ComparisonParts) {}

  /**
   * `name` is the file's or the list's, for the document. Nothing is read but a count and few keys
   * before the person agrees, which can be stopped too; what was read when it is stopped is shown as well.
   */
  async run(
    name: string,
    query: ListQuery,
    toTheEnd: boolean,
    token?: CancellationToken,
  ): Promise<void> {
    const { lsp, access, confirm, documents, whileStoppable } = this.parts;
    if (!(await canRun(access))) return;
    const params = { query, toTheEnd };
    // An etcd that does not answer holds the count up as well.
    const forecast = await whileStoppable(
      'etcd LIST: Counting what a comparison would read',
      (stop) => lsp.request('etcdList/forecastWays', params, stop),
      token,
    );
    if (!(await confirm(comparesAll(query, forecast)))) return;
    const { text, failure } = await whileStoppable(
      'etcd LIST: Comparing ways to read a list',
      (stop) => lsp.request('etcdList/compareWays', params, stop),
      token,
    );
    if (text !== '') await documents.open(name, text);
    if (failure !== undefined) throw new RpcError(failure);
  }

  dispose(): void {
    this.parts.documents.dispose();
  }
}
