/** What network and etcd cost by themselves: requests sent as bytes, replies read and dropped. */
import { Client, credentials, Metadata } from '@grpc/grpc-js';
import type { Outcome, Sent } from './work';

const same = (bytes: Buffer): Buffer => bytes;

export class Floor {
  private readonly client: Client;

  constructor(endpoint: string) {
    this.client = new Client(endpoint, credentials.createInsecure(), {
      'grpc.max_receive_message_length': -1,
      'grpc-node.flow_control_window': 8 * 1024 * 1024,
      'grpc.enable_http_proxy': 0,
      'grpc.use_local_subchannel_pool': 1,
    });
  }

  async run(requests: readonly Sent[]): Promise<Outcome> {
    const started = performance.now();
    let replyBytes = 0;
    for (const { method, message } of requests) {
      const path = `/etcdserverpb.KV/${method}`;
      const bytes = Buffer.from(message, 'base64');
      replyBytes += await (method === 'Range' ? this.unary(path, bytes) : this.stream(path, bytes));
    }
    const ms = performance.now() - started;
    return { ms, requestCount: requests.length, replyBytes };
  }

  close(): void {
    this.client.close();
  }

  private unary(path: string, message: Buffer): Promise<number> {
    return new Promise((resolve, reject) => {
      this.client.makeUnaryRequest(path, same, same, message, new Metadata(), (error, reply) => {
        if (reply === undefined) reject(error ?? new Error('neither a reply nor an error'));
        else resolve(reply.length);
      });
    });
  }

  private stream(path: string, message: Buffer): Promise<number> {
    return new Promise((resolve, reject) => {
      let size = 0;
      this.client
        .makeServerStreamRequest(path, same, same, message, new Metadata())
        .on('data', (chunk: Buffer) => {
          size += chunk.length;
        })
        .on('error', reject)
        .on('end', () => {
          resolve(size);
        });
    });
  }
}
