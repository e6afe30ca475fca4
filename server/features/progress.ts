/** Work-done progress that never makes the work wait for the client. */
import type { WorkDoneProgressServerReporter } from 'vscode-languageserver/node';

export interface Progress {
  /** Aborts when the person cancels in the client's progress. */
  readonly signal: AbortSignal;
  report(text: string): void;
  end(): void;
}

export type StartProgress = (title: string) => Progress;

/** `create` asks the client for a reporter; a client without progress gives one that does nothing. */
export function progressStarter(
  create: () => Promise<WorkDoneProgressServerReporter>,
): StartProgress {
  return (title) => {
    const stop = new AbortController();
    let reporter: WorkDoneProgressServerReporter | undefined;
    let latest: string | undefined;
    let ended = false;
    const begin = async (): Promise<void> => {
      const created = await create();
      created.begin(title, undefined, latest, true);
      created.token.onCancellationRequested(() => {
        stop.abort();
      });
      if (ended) created.done();
      else reporter = created;
    };
    // A client that refuses has no progress to show; the work goes on.
    begin().catch(() => undefined);
    return {
      signal: stop.signal,
      report: (text) => {
        latest = text;
        reporter?.report(text);
      },
      end: () => {
        ended = true;
        reporter?.done();
        reporter = undefined;
      },
    };
  };
}
