/** What leaves the page: copies, files, and texts that open as documents. */
import type { QueryCommands, Row } from '../server/protocol/model';
import type { ExportFormat } from '../server/protocol/panel';
import { attempt, saysElsewhere } from './attempt';
import { fileName, toCsv, toJson, toNdjson, toReceipt } from './exporters';
import type { PanelRpc } from './host';
import type { Store } from './store';
import { noCommand } from './texts';

export class Outputs {
  constructor(
    private readonly store: Store,
    private readonly rpc: PanelRpc,
  ) {}

  openMetricsText(): void {
    const { metrics } = this.store.state;
    if (metrics === null) return;
    const { name, text } = metrics;
    void attempt(this.store, () => this.rpc.call('openMetricsText', { name, text }));
  }

  copy(text: string, what: string): void {
    void attempt(this.store, () => this.rpc.call('copy', { text, what }));
  }

  async copyCommand(which: keyof QueryCommands, what: string): Promise<void> {
    const { run, query } = this.store.state;
    // They name the endpoints that are connected.
    if (run && !run.commands && saysElsewhere(this.store)) return;
    const commands =
      run?.commands ??
      (await attempt(this.store, () => this.rpc.call('commands', run ? run.query : query)));
    if (!commands) return;
    if (commands[which] !== '') this.copy(commands[which], what);
    else this.store.dispatch({ type: 'trouble', failure: noCommand(what) });
  }

  export(format: ExportFormat, rows: Iterable<Row>): void {
    const { run } = this.store.state;
    if (!run) return;
    const write = {
      csv: () => toCsv(rows),
      json: () => toJson(rows),
      ndjson: () => toNdjson(rows),
      receipt: () => toReceipt(run.requests, run.total),
    };
    const ending = format === 'receipt' ? 'receipt.jsonl' : format;
    const { resource, namespace } = run.query;
    const suggestedName = fileName(resource, namespace, run.total?.resourceVersion ?? null, ending);
    void attempt(this.store, () =>
      this.rpc.call('export', { format, text: write[format](), suggestedName }),
    );
  }
}
