/** The thread that looks at documents, as Node runs it. */
import { Worker } from 'node:worker_threads';
import type { FromThread, ThreadData } from '../../analyst/messages';
import type { StartThread } from './analyst';

/** Mebibytes that documents and what is known of them may take. */
const MEMORY_MIB = 1024;

/** Starts the program at `path`. Its memory is bounded: it ends rather than the language server. */
export function analystStarter(path: string): StartThread {
  return ({ received, ended }) => {
    const workerData: ThreadData = { stopped: new Int32Array(new SharedArrayBuffer(4)) };
    const resourceLimits = { maxOldGenerationSizeMb: MEMORY_MIB };
    const worker = new Worker(path, { workerData, resourceLimits });
    // It must not keep the process, and what ends it is told by its end.
    worker.unref();
    worker.on('error', () => undefined);
    worker.on('message', (message: FromThread) => {
      received(message);
    });
    worker.once('exit', ended);
    return {
      send: (message) => {
        worker.postMessage(message);
      },
      stop: (id) => {
        Atomics.store(workerData.stopped, 0, id);
      },
      end: () => {
        worker.off('exit', ended);
        void worker.terminate();
      },
    };
  };
}
