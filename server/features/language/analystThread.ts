/** The thread that looks at documents, as Node runs it. */
import { Worker } from 'node:worker_threads';
import type { FromThread, ThreadData } from '../../analyst/messages';
import type { StartThread, ThreadEnd } from './analyst';

/** Mebibytes that documents and what is known of them may take. */
const MEMORY_MIB = 1024;

/** Node's code of the error of a thread whose memory is used up. */
const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY';

/** Starts the program at `path`. Its memory is bounded: it ends rather than the language server. */
export function analystStarter(path: string, memoryMib = MEMORY_MIB): StartThread {
  return ({ received, ended }) => {
    const workerData: ThreadData = { stopped: new Int32Array(new SharedArrayBuffer(4)) };
    const resourceLimits = { maxOldGenerationSizeMb: memoryMib };
    const worker = new Worker(path, { workerData, resourceLimits });
    // It must not keep the process.
    worker.unref();
    let failed: unknown;
    worker.on('error', (error) => {
      failed = error;
    });
    worker.on('message', (message: FromThread) => {
      received(message);
    });
    // Told last, behind its error.
    const exited = (code: number): void => {
      ended(endOf(failed, code));
    };
    worker.once('exit', exited);
    return {
      send: (message) => {
        worker.postMessage(message);
      },
      stop: (id) => {
        Atomics.store(workerData.stopped, 0, id);
      },
      end: () => {
        worker.off('exit', exited);
        void worker.terminate();
      },
    };
  };
}

function endOf(failed: unknown, code: number): ThreadEnd {
  if (failed instanceof Error && 'code' in failed && failed.code === OUT_OF_MEMORY) return {};
  const why = failed instanceof Error ? (failed.stack ?? failed.message) : `exit code ${code}`;
  return { fault: `The thread that looks at documents ended: ${why}` };
}
