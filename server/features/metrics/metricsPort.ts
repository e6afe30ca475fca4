/** `GET /metrics` on the loopback, while a setting names a port and the workspace is trusted. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { StoreMetrics } from '../../metrics/storeMetrics';

const HOST = '127.0.0.1';
/** A page in a browser that was lured here names another host. */
const OWN_HOSTS = /^(?:127\.0\.0\.1|localhost)(?::\d+)?$/i;
const MOST_CONNECTIONS = 16;
/** Milliseconds for a request to come in whole. */
const REQUEST_TIMEOUT = 10_000;

export interface MetricsPortParts {
  readonly metrics: StoreMetrics;
  /** Told why a port is not served, as a sentence. */
  readonly warn: (text: string) => void;
  /** Told what is served. */
  readonly info: (text: string) => void;
}

export class MetricsPort {
  private trusted = false;
  /** What the settings say; 0 is off. */
  private wanted = 0;
  /** What was last served, or could not be. */
  private tried = 0;
  private serving: Server | undefined;

  constructor(private readonly parts: MetricsPortParts) {}

  trust(): void {
    this.trusted = true;
    this.apply(this.wanted);
  }

  /** Serves on that port alone from now on, 0 for none. What fails is told, and not tried again by itself. */
  apply(port: number): void {
    this.wanted = port;
    const now = this.trusted ? port : 0;
    if (now === this.tried) return;
    this.tried = now;
    this.stop();
    if (now !== 0) this.serve(now);
  }

  /** Connections are cut. */
  stop(): void {
    const { serving } = this;
    this.serving = undefined;
    serving?.close();
    serving?.closeAllConnections();
  }

  private serve(port: number): void {
    const server = createServer((request, response) => {
      this.answer(request, response).catch(() => {
        response.destroy();
      });
    });
    server.maxConnections = MOST_CONNECTIONS;
    server.requestTimeout = REQUEST_TIMEOUT;
    server.headersTimeout = REQUEST_TIMEOUT;
    this.serving = server;
    server.on('error', (error: NodeJS.ErrnoException) => {
      if (this.serving !== server) return;
      this.serving = undefined;
      this.parts.warn(sentence(port, error));
    });
    server.listen(port, HOST, () => {
      this.parts.info(`Metrics are served at http://${HOST}:${port}/metrics.`);
    });
    // The language server ends with its client, whoever is connected here.
    server.unref();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { registry } = this.parts.metrics;
    const refused = refusal(request);
    if (refused !== undefined) {
      response.writeHead(refused, { 'content-type': 'text/plain', allow: 'GET, HEAD' });
      response.end();
      return;
    }
    const text = await registry.metrics();
    response.writeHead(200, { 'content-type': registry.contentType });
    response.end(request.method === 'HEAD' ? undefined : text);
  }
}

/** The status of a request that is not served. */
function refusal({ method, url = '', headers }: IncomingMessage): number | undefined {
  if (!OWN_HOSTS.test(headers.host ?? '')) return 403;
  if (url.split('?', 1)[0] !== '/metrics') return 404;
  return method === 'GET' || method === 'HEAD' ? undefined : 405;
}

function sentence(port: number, { code = 'unknown' }: NodeJS.ErrnoException): string {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: 'something else serves there, perhaps another window',
    EACCES: 'you may not serve there; ports from 1024 on are free to all',
  };
  return `Metrics are not served on port ${port} (etcdList.metrics.port): ${reasons[code] ?? code}. Choose another port.`;
}
