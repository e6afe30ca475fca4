/** The commands about metrics: what this server counted, and what API servers did. */
import type { CancellationToken } from 'vscode';
import type { MetricsRead, ScrapeSource } from '../../server/protocol/metrics';
import { showProgress } from '../common/notices';
import type { LspCaller } from '../lsp/lspClient';
import type { ListPanel } from '../panel/listPanel';
import { ResultDocuments, type PageKind } from '../queries/resultDocuments';
import { MetricHovers } from './metricHover';
import { chooseTexts, type ChosenTexts } from './choice';
import { handOver, type ChosenText } from './sources';

const ownPages: PageKind = {
  scheme: 'etcd-list-metrics',
  title: 'metrics.txt',
  gone: '# These metrics are of an earlier session. Show them again.\n',
  takesFocus: true,
};

/** Tables that were read, as text. */
export const readPages: PageKind = {
  scheme: 'etcd-list-read-metrics',
  title: 'lists.txt',
  gone: 'This was read in an earlier session. Read the metrics again.\n',
  takesFocus: true,
};

export class Metrics {
  private readonly own = new ResultDocuments(ownPages);

  private readonly hovers: MetricHovers;

  /** `log` is told of hovers that had no answer. */
  constructor(
    private readonly lsp: LspCaller,
    private readonly panel: Pick<ListPanel, 'showMetrics'>,
    log: (text: string) => void,
  ) {
    this.hovers = new MetricHovers(lsp, log);
  }

  /** Languages whose documents have hovers on metrics. */
  setLanguages(ids: readonly string[]): void {
    this.hovers.setLanguages(ids);
  }

  async show(): Promise<void> {
    const { text } = await this.lsp.request('etcdList/metrics', null);
    const none = '# No list has been run since the language server started.\n';
    await this.own.open('etcd-list:/etcd%20LIST', /^[^#\s]/m.test(text) ? text : none);
  }

  async readTexts(argument: unknown): Promise<void> {
    const chosen = await chooseTexts(argument);
    if (chosen === undefined) return;
    await showProgress('etcd LIST: Reading metrics', async ({ token }) => {
      this.panel.showMetrics(await this.ask(chosen, token));
    });
  }

  dispose(): void {
    this.hovers.dispose();
    this.own.dispose();
  }

  private async ask({ newer, older }: ChosenTexts, token: CancellationToken): Promise<MetricsRead> {
    const params = {
      older: await this.handOverAll(older, token),
      newer: await this.handOverAll(newer, token),
      sort: 'fetched',
      byServer: false,
    } as const;
    return this.lsp.request('etcdList/readMetrics', params, token);
  }

  private async handOverAll(
    texts: readonly ChosenText[],
    token: CancellationToken,
  ): Promise<ScrapeSource[]> {
    const sources: ScrapeSource[] = [];
    for (const text of texts) sources.push(await handOver(text, this.lsp, token));
    return sources;
  }
}
