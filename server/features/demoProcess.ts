/** The demo cluster in a process of its own, so that its work does not stall the language server. */
import { fork, type ChildProcess } from 'node:child_process';
import { cancelled, FailureError, plainText } from './failures';

/** What the demo's process sends. */
export type DemoMessage =
  | { readonly kind: 'listening' }
  | { readonly kind: 'ready'; readonly endpoint: string; readonly objects: number }
  | { readonly kind: 'failed'; readonly sentence: string };

export interface DemoProcess {
  /** `127.0.0.1:port`. */
  readonly endpoint: string;
  stop(): void;
  /** Called once when the process ends without having been stopped. */
  onEnded(listener: () => void): void;
}

export type StartDemo = (pods: number, signal: AbortSignal) => Promise<DemoProcess>;

/** Starts the program at `path`. It ends when its channel to this process does, whatever happens. */
export function demoStarter(path: string): StartDemo {
  return async (pods, signal) => {
    const child = fork(path, [String(pods)], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execArgv: [],
      // Inside VS Code the executable is Electron's.
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    });
    child.unref();
    child.channel?.unref();
    try {
      return running(child, await ready(child, signal));
    } catch (error) {
      child.kill();
      throw error;
    }
  };
}

function running(child: ChildProcess, endpoint: string): DemoProcess {
  let stopped = false;
  return {
    endpoint,
    stop: () => {
      stopped = true;
      child.kill();
    },
    onEnded: (listener) => {
      child.once('exit', () => {
        if (!stopped) listener();
      });
    },
  };
}

function ready(child: ChildProcess, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (sentence: string): void => {
      reject(new FailureError({ code: 'internal', sentence }));
    };
    child.on('message', (message: DemoMessage) => {
      if (message.kind === 'ready') resolve(message.endpoint);
      if (message.kind === 'failed') fail(message.sentence);
    });
    child.once('error', (error) => {
      fail(`The demo cluster could not be started (${plainText(error.message)}): try again.`);
    });
    child.once('exit', (code) => {
      fail(
        `The demo cluster ended before it was ready (exit code ${String(code)}): try again, perhaps with fewer pods.`,
      );
    });
    const stop = (): void => {
      reject(cancelled());
    };
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
  });
}
