/** The language server's process. */
import './common/quiet';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { demoStarter } from './features/demoProcess';
import { analystStarter } from './features/language/analystThread';
import { startServer } from './server';

/** So that the client starts the server anew. */
const CRASHED = 70;

const connection = createConnection(ProposedFeatures.all);

/** A fault that nothing caught leaves an unknown state behind: it is said, and the process ends. */
function lastResort(error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const leave = (): void => process.exit(CRASHED);
  // The client may be what is gone, and must not keep the process.
  setTimeout(leave, 1000);
  const [sentence = ''] = text.split('\n');
  process.stderr.write(`error: the language server ends after a fault of its own: ${sentence}\n`);
  const message = `The language server ends after a fault of its own: ${text}`;
  try {
    connection.sendNotification('window/logMessage', { type: 1, message }).then(leave, leave);
  } catch {
    leave();
  }
}

// Nobody is there any more to be served, or to be told.
process.stdout.on('error', () => process.exit(0));
process.on('uncaughtException', lastResort);
process.on('unhandledRejection', lastResort);

function productVersion(): string {
  try {
    const text = readFileSync(join(__dirname, '..', '..', 'package.json'), 'utf8');
    const { version } = JSON.parse(text) as { readonly version: string };
    return version;
  } catch {
    return '';
  }
}

startServer({
  connection,
  startDemo: demoStarter(join(__dirname, '..', 'demo', 'main.js')),
  startAnalyst: analystStarter(join(__dirname, 'analyst.js')),
  version: productVersion(),
});
