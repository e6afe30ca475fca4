/** The one panel of a window. */
import { randomBytes } from 'node:crypto';
import { env, Uri, ViewColumn, window } from 'vscode';
import type { Disposable, WebviewPanel, WebviewPanelSerializer } from 'vscode';
import type { MetricsRead } from '../../server/protocol/metrics';
import { panelViewType } from '../../server/protocol/names';
import { Bridge, type BridgeSetup, type GivenQuery } from './bridge';
import { pageHtml } from './html';

interface Open {
  readonly panel: WebviewPanel;
  readonly bridge: Bridge;
}

export class ListPanel implements WebviewPanelSerializer {
  private open: Open | undefined;

  constructor(
    private readonly extension: Uri,
    private readonly setup: Omit<BridgeSetup, 'focus'>,
  ) {}

  register(): Disposable {
    return window.registerWebviewPanelSerializer(panelViewType, this);
  }

  /** Brings the panel to the front, making it when there is none. */
  show(): void {
    if (this.open) this.open.panel.reveal();
    else this.attach(this.create());
  }

  inspectToken(text: string): void {
    this.show();
    this.open?.bridge.inspectToken(text);
  }

  showMetrics(read: MetricsRead): void {
    this.show();
    this.open?.bridge.showMetrics(read);
  }

  /** To be called once the language server knows of another API server that is asked about. */
  explainAnew(): void {
    this.open?.bridge.explainAnew();
  }

  /**
   * Runs it in the panel, which opens beside the editor that keeps the focus. One that is a tab of the
   * editor's own group moves beside it: what the query cost is written in the file.
   */
  runQuery(given: GivenQuery): void {
    if (this.open) {
      const { panel } = this.open;
      const column = window.activeTextEditor?.viewColumn;
      const covers = column !== undefined && panel.viewColumn === column;
      panel.reveal(covers ? ViewColumn.Beside : undefined, true);
    } else this.attach(this.create({ viewColumn: ViewColumn.Beside, preserveFocus: true }));
    this.open?.bridge.runQuery(given);
  }

  /** VS Code brings back a panel of the session before; the page restores its own state. */
  deserializeWebviewPanel(panel: WebviewPanel): Promise<void> {
    if (this.open) panel.dispose();
    else this.attach(panel);
    return Promise.resolve();
  }

  dispose(): void {
    this.open?.panel.dispose();
  }

  private create(
    where: ViewColumn | { viewColumn: ViewColumn; preserveFocus: boolean } = ViewColumn.Active,
  ): WebviewPanel {
    return window.createWebviewPanel(panelViewType, 'etcd LIST', where, {
      retainContextWhenHidden: true,
    });
  }

  private attach(panel: WebviewPanel): void {
    const { webview } = panel;
    panel.iconPath = Uri.joinPath(this.extension, 'client', 'assets', 'icon.png');
    const focus = (): void => {
      if (panel.active) panel.reveal(undefined, false);
    };
    const bridge = new Bridge({ ...this.setup, focus }, (message) => {
      // A hidden page takes messages too; one that loads anew asks for everything.
      void webview.postMessage(message);
    });
    this.open = { panel, bridge };
    const subscriptions = [
      webview.onDidReceiveMessage((message: unknown) => {
        void bridge.receive(message);
      }),
      panel.onDidDispose(() => {
        this.open = undefined;
        bridge.dispose();
        for (const subscription of subscriptions) subscription.dispose();
      }),
    ];
    this.load(panel);
  }

  private load({ webview }: WebviewPanel): void {
    const folder = Uri.joinPath(this.extension, 'dist', 'webview');
    const file = (name: string): string =>
      webview.asWebviewUri(Uri.joinPath(folder, name)).toString();
    webview.options = {
      enableScripts: true,
      localResourceRoots: [folder],
      enableCommandUris: false,
    };
    webview.html = pageHtml({
      cspSource: webview.cspSource,
      nonce: newNonce(),
      styleNonce: newNonce(),
      script: file('main.js'),
      style: file('style.css'),
      language: env.language,
    });
  }
}

function newNonce(): string {
  return randomBytes(16).toString('base64');
}
