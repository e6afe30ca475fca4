import { MarkdownString, StatusBarAlignment, window } from 'vscode';
import * as names from '../../server/protocol/names';
import { disposeAll } from '../common/emitter';
import type { StatusStore } from './statusStore';
import { statusView } from './statusText';

const secondMs = 1000;

/** The status bar item. Its timer runs only while it counts down in a window that has the focus. */
export class StatusItem {
  private readonly item = window.createStatusBarItem(
    names.commands.statusMenu,
    StatusBarAlignment.Left,
  );
  private readonly subscriptions;
  private timer: NodeJS.Timeout | undefined;
  private tooltip = '';

  constructor(private readonly store: StatusStore) {
    this.item.name = 'etcd LIST';
    this.item.command = names.commands.statusMenu;
    this.subscriptions = [
      this.item,
      store.changed.on(() => {
        this.show();
      }),
      window.onDidChangeWindowState(() => {
        this.show();
      }),
    ];
    this.show();
    this.item.show();
  }

  dispose(): void {
    clearTimeout(this.timer);
    disposeAll(this.subscriptions);
  }

  private show(): void {
    clearTimeout(this.timer);
    const view = statusView(this.store.current, Date.now());
    this.item.text = view.text;
    // Setting it anew would close a tooltip that is being read.
    if (view.tooltip !== this.tooltip) this.item.tooltip = new MarkdownString(view.tooltip);
    this.tooltip = view.tooltip;
    this.item.accessibilityInformation = { label: view.label, role: 'button' };
    if (!view.counting || !window.state.focused) return;
    this.timer = setTimeout(() => {
      this.show();
    }, secondMs);
  }
}
