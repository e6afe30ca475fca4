/** The thread that looks at documents. */
import { parentPort, workerData } from 'node:worker_threads';
import { openDocument } from '../language/open';
import { Desk } from './desk';
import type { ThreadData, ToThread } from './messages';

const port = parentPort;
const { stopped } = workerData as ThreadData;
const desk = new Desk(openDocument, (id) => id <= Atomics.load(stopped, 0));

port?.on('message', (message: ToThread) => {
  const reply = desk.handle(message);
  if (reply !== undefined) port.postMessage(reply);
});
