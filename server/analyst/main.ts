/** The thread that looks at documents. */
import { parentPort } from 'node:worker_threads';
import { openDocument } from '../language/open';
import { Desk } from './desk';
import type { ToThread } from './messages';

const port = parentPort;
const desk = new Desk(openDocument);

port?.on('message', (message: ToThread) => {
  const reply = desk.handle(message);
  if (reply !== undefined) port.postMessage(reply);
});
