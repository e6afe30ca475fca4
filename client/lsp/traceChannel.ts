/** The log as the language client's trace of messages sees it. */
import { EventEmitter, LogLevel } from 'vscode';
import type { LogOutputChannel, ViewColumn } from 'vscode';
import type { Settings } from '../../server/protocol/names';
import { redact } from './redact';

/**
 * The language client traces at log level "trace" only; here the setting alone decides. What is
 * written holds no secrets.
 */
export class TraceChannel implements LogOutputChannel {
  private readonly levelChanged = new EventEmitter<LogLevel>();
  readonly onDidChangeLogLevel = this.levelChanged.event;
  readonly name: string;

  constructor(
    private readonly log: LogOutputChannel,
    private readonly setting: () => Settings['trace.server'],
  ) {
    this.name = log.name;
  }

  get logLevel(): LogLevel {
    return this.setting() === 'off' ? LogLevel.Info : LogLevel.Trace;
  }

  /** To be called when the setting changed. */
  refresh(): void {
    this.levelChanged.fire(this.logLevel);
  }

  trace(message: string, ...args: unknown[]): void {
    this.write(
      (text) => {
        this.log.info(text);
      },
      ['trace:', message, ...args],
    );
  }

  debug(message: string): void {
    this.trace(message);
  }

  info(message: string): void {
    this.trace(message);
  }

  warn(message: string): void {
    this.trace(message);
  }

  error(error: string | Error): void {
    this.trace(String(error));
  }

  append(text: string): void {
    this.write(
      (clean) => {
        this.log.append(clean);
      },
      [text],
    );
  }

  appendLine(text: string): void {
    this.write(
      (clean) => {
        this.log.appendLine(clean);
      },
      [text],
    );
  }

  replace(text: string): void {
    this.write(
      (clean) => {
        this.log.replace(clean);
      },
      [text],
    );
  }

  clear(): void {
    this.log.clear();
  }

  show(_column?: ViewColumn | boolean, preserveFocus?: boolean): void {
    this.log.show(preserveFocus);
  }

  hide(): void {
    this.log.hide();
  }

  dispose(): void {
    this.levelChanged.dispose();
  }

  /** Never throws, since the language client's messages would be lost with the trace of them. */
  private write(into: (clean: string) => void, parts: readonly unknown[]): void {
    let clean = 'trace: (a message that cannot be traced)';
    try {
      clean = redact(parts.map(String).join(' '));
    } catch {
      // Such as a text beyond what a string holds, or a value without a text.
    }
    into(clean);
  }
}
