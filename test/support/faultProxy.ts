import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { Transform } from 'node:stream';
import type { TransformCallback } from 'node:stream';

export type Direction = 'toServer' | 'toClient';

/** A TCP proxy on 127.0.0.1 that breaks what passes through it, when told. */
export interface FaultProxy {
  /** `127.0.0.1:port`; stays the same for the proxy's whole life. */
  readonly endpoint: string;
  /** Connections open now. */
  readonly open: number;
  /** Connections accepted so far. */
  readonly accepted: number;
  /** Bytes passed on so far. */
  passed(direction: Direction): number;
  /** Ends every open connection at once. New ones are accepted. */
  cut(): void;
  /** Cuts as soon as this many more bytes have gone to the client. */
  cutAfter(bytesToClient: number): void;
  /** Holds all bytes of one direction back, or of both, until `heal()`. */
  stall(direction?: Direction): void;
  /** Lets at most this many bytes per second through in each direction of a connection. */
  slow(bytesPerSecond: number): void;
  /** Refuses new connections (nothing listens); open ones go on. */
  refuse(): Promise<void>;
  /** Takes back stall, slow, refuse and an unspent `cutAfter`. */
  heal(): Promise<void>;
  close(): Promise<void>;
}

/** What all connections of one proxy obey now. */
class Faults {
  readonly stalled = new Set<Direction>();
  readonly passed: Record<Direction, number> = { toServer: 0, toClient: 0 };
  bytesPerSecond = Infinity;
  cutAt = Infinity;
  private waiting: (() => void)[] = [];

  whenFlowing(direction: Direction, then: () => void): void {
    if (!this.stalled.has(direction)) then();
    else
      this.waiting.push(() => {
        this.whenFlowing(direction, then);
      });
  }

  heal(): void {
    this.stalled.clear();
    this.bytesPerSecond = Infinity;
    this.cutAt = Infinity;
    const released = this.waiting;
    this.waiting = [];
    for (const release of released) release();
  }
}

/** Passes bytes of one direction on as the faults allow. */
class Gate extends Transform {
  constructor(
    private readonly direction: Direction,
    private readonly faults: Faults,
    private readonly cut: () => void,
  ) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.faults.whenFlowing(this.direction, () => {
      this.pass(chunk, done);
    });
  }

  private pass(chunk: Buffer, done: TransformCallback): void {
    const { faults, direction } = this;
    if (this.destroyed) return;
    // Twenty pieces a second keep the rate even.
    const size = Math.max(1, Math.min(chunk.length, Math.floor(faults.bytesPerSecond / 20)));
    const left = direction === 'toClient' ? faults.cutAt - faults.passed.toClient : Infinity;
    const piece = chunk.subarray(0, Math.min(size, left));
    faults.passed[direction] += piece.length;
    this.push(piece);
    if (piece.length >= left) {
      faults.cutAt = Infinity;
      // The piece is on its way to the socket until the next turn of the event loop.
      setImmediate(this.cut);
      return;
    }
    const rest = chunk.subarray(piece.length);
    const next = (): void => {
      if (rest.length === 0) done();
      else
        faults.whenFlowing(direction, () => {
          this.pass(rest, done);
        });
    };
    const pauseMs = (piece.length / faults.bytesPerSecond) * 1000;
    if (pauseMs > 0) setTimeout(next, pauseMs);
    else next();
  }
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** Starts a proxy in front of `target`, which is `host:port`. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const { hostname, port: targetPort } = new URL(`tcp://${target}`);
  const faults = new Faults();
  const pairs = new Set<readonly [Socket, Socket]>();
  let accepted = 0;

  const cut = (): void => {
    for (const socket of [...pairs].flat()) socket.destroy();
  };
  const server = createServer({ noDelay: true }, (front) => {
    accepted++;
    const back = connect({ host: hostname, port: Number(targetPort), noDelay: true });
    const pair = [front, back] as const;
    pairs.add(pair);
    const toServer = new Gate('toServer', faults, cut);
    const toClient = new Gate('toClient', faults, cut);
    front.pipe(toServer).pipe(back);
    back.pipe(toClient).pipe(front);
    for (const [socket, other] of [pair, [back, front]] as const) {
      // An error is always followed by `close`, which ends the other side too.
      socket.on('error', () => undefined);
      socket.on('close', (failed) => {
        pairs.delete(pair);
        if (failed) other.destroy();
      });
    }
  });
  const port = await listen(server, 0);

  return {
    endpoint: `127.0.0.1:${port}`,
    get open() {
      return pairs.size;
    },
    get accepted() {
      return accepted;
    },
    passed: (direction) => faults.passed[direction],
    cut,
    cutAfter: (bytes) => {
      faults.cutAt = faults.passed.toClient + bytes;
    },
    stall: (direction) => {
      for (const each of direction ? [direction] : (['toServer', 'toClient'] as const)) {
        faults.stalled.add(each);
      }
    },
    slow: (bytesPerSecond) => {
      faults.bytesPerSecond = bytesPerSecond;
    },
    refuse: () => {
      // `close` waits for open connections, which are to go on; it stops listening at once.
      server.close();
      return Promise.resolve();
    },
    heal: async () => {
      faults.heal();
      if (!server.listening) await listen(server, port);
    },
    close: async () => {
      cut();
      if (server.listening) await once(server.close(), 'close');
    },
  };
}
