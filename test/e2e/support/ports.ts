/** Ports of 127.0.0.1 with nothing on them, or with something that is no etcd. */
import { once } from 'node:events';
import { createServer as createHttp } from 'node:http';
import { createServer as createHttp2 } from 'node:http2';
import { createServer } from 'node:net';
import type { Server } from 'node:net';

export interface Port {
  /** `127.0.0.1:port`. */
  readonly endpoint: string;
  close(): Promise<void>;
}

async function listen(server: Server): Promise<Port> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    endpoint: `127.0.0.1:${address.port}`,
    close: async () => {
      await once(server.close(), 'close');
    },
  };
}

/** An endpoint where nothing listens any more. */
export async function deadEndpoint(): Promise<string> {
  const port = await listen(createServer());
  await port.close();
  return port.endpoint;
}

/** A web server. */
export async function startWebServer(): Promise<Port> {
  const server = createHttp((_, response) => response.end('<h1>It works!</h1>'));
  const port = await listen(server);
  return {
    ...port,
    close: () => {
      server.closeAllConnections();
      return port.close();
    },
  };
}

/** A gRPC server that knows no method of etcd, as servers do that are older than it. */
export async function startOtherGrpcServer(): Promise<Port> {
  const server = createHttp2();
  const sessions = new Set<{ destroy(): void }>();
  server.on('session', (session) => sessions.add(session));
  server.on('stream', (stream) => {
    stream.respond(
      {
        ':status': 200,
        'content-type': 'application/grpc',
        'grpc-status': '12',
        'grpc-message': 'unknown service etcdserverpb.Maintenance',
      },
      { endStream: true },
    );
  });
  const port = await listen(server);
  return {
    ...port,
    close: () => {
      for (const session of sessions) session.destroy();
      return port.close();
    },
  };
}
