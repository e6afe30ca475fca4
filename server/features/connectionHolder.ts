/** The one connection that is used, its status, and the workspace's trust. */
import { FailureError, cancelled, failureOf, plainText } from './failures';
import type { Failure } from '../protocol/errors';
import type { ConnectionStatus } from '../protocol/model';
import { onConnection } from './onConnection';
import type { OpenConnection } from './openConnection';

/** Makes a connection without announcing it; `onChange` must be told of its changes. */
export type Opening = (signal: AbortSignal, onChange: () => void) => Promise<OpenConnection>;

export type UsableConnection =
  | { readonly connection: OpenConnection; readonly failure?: never }
  | { readonly connection?: never; readonly failure: Failure };

const STOPPED = 'Connecting was stopped.';

const UNTRUSTED: Failure = {
  code: 'untrusted',
  sentence: 'This workspace is not trusted, so nothing is sent to an etcd: trust it first.',
};

const NOT_CONNECTED: Failure = {
  code: 'notConnected',
  sentence: 'There is no connection to an etcd: connect first.',
};

export class ConnectionHolder {
  /** Stays, and is read from, until another that is being opened has answered. */
  private open: OpenConnection | undefined;
  private openNumber = 0;
  private attempt: AbortController | undefined;
  private rest: ConnectionStatus = { state: 'disconnected' };
  private gate = true;
  private trusted = false;
  private ended = false;

  /** Connections are numbered from `number` on; a server started anew must not begin with the same. */
  constructor(
    private readonly publish: (status: ConnectionStatus) => void,
    private number = 0,
  ) {}

  get status(): ConnectionStatus {
    const { open, openNumber } = this;
    if (open === undefined || this.attempt !== undefined) return this.rest;
    return { ...open.status(this.gate), connectionNumber: openNumber };
  }

  /** Of the open connection; without one, of the latest. */
  get connectionNumber(): number {
    return this.open === undefined ? this.number : this.openNumber;
  }

  get rangeStreamGate(): boolean {
    return this.gate;
  }

  /** The open connection, without asking for one. */
  get current(): OpenConnection | undefined {
    return this.open;
  }

  trust(): void {
    this.trusted = true;
  }

  /** Throws while the network must stay off. */
  requireTrust(): void {
    if (!this.trusted) throw new FailureError(UNTRUSTED);
  }

  /** The open connection, or why there is none that may be used. */
  usable(): UsableConnection {
    if (!this.trusted) return { failure: UNTRUSTED };
    return this.open === undefined ? { failure: NOT_CONNECTED } : { connection: this.open };
  }

  /** The open connection. Throws `untrusted` or `notConnected`. */
  required(): OpenConnection {
    const { connection, failure } = this.usable();
    if (connection === undefined) throw new FailureError(failure);
    return connection;
  }

  setGate(on: boolean): void {
    if (this.gate === on) return;
    this.gate = on;
    this.announce();
  }

  /**
   * Opens a connection, asks who answers, and closes the one before it once somebody does: where nobody
   * does, and where it is cancelled before that, that one stays. The latest call wins; an earlier one
   * that still runs rejects as cancelled.
   */
  async replace(name: string, opening: Opening, signal: AbortSignal): Promise<ConnectionStatus> {
    this.requireTrust();
    if (this.ended) throw cancelled(STOPPED);
    this.attempt?.abort();
    this.number += 1;
    const { number } = this;
    const attempt = new AbortController();
    this.attempt = attempt;
    this.rest = { state: 'connecting', name };
    this.announce();
    const both = AbortSignal.any([signal, attempt.signal]);
    let opened: OpenConnection | undefined;
    try {
      opened = await opening(both, () => {
        const isUsed = this.open !== undefined && this.open === opened;
        if (isUsed && this.attempt === undefined) this.announce();
      });
      await opened.askMembers(both);
      if (both.aborted) throw cancelled(STOPPED);
    } catch (error) {
      opened?.close();
      const failure = both.aborted ? cancelled(STOPPED).failure : failureOf(error);
      throw new FailureError(this.gaveUp(attempt, failure), error);
    }
    const former = this.open;
    this.attempt = undefined;
    this.open = opened;
    this.openNumber = number;
    former?.close();
    await this.firstProbe(opened, signal);
    // Also while yet another is being opened, before which this one is not closed.
    return { ...opened.status(this.gate), connectionNumber: number };
  }

  private async firstProbe(opened: OpenConnection, signal: AbortSignal): Promise<void> {
    try {
      await opened.probe(signal, false);
    } catch (error) {
      const stopped = signal.aborted || opened.closed.aborted;
      const failure = stopped ? cancelled(STOPPED).failure : failureOf(error);
      this.lost(opened, failure);
      throw new FailureError(failure, error);
    }
    // Another connection may have taken its place meanwhile.
    if (this.open !== opened) throw cancelled(STOPPED);
  }

  /** What is said of an attempt that failed; the connection before it is used again. */
  private gaveUp(attempt: AbortController, failure: Failure): Failure {
    if (this.attempt !== attempt) return failure;
    this.attempt = undefined;
    this.rest = { state: 'disconnected', failure };
    this.announce();
    if (this.open === undefined) return failure;
    const stays = `"${plainText(this.open.name)}" stays connected.`;
    return { ...failure, sentence: `${failure.sentence} ${stays}` };
  }

  async probe(signal: AbortSignal): Promise<ConnectionStatus> {
    const connection = this.required();
    await onConnection(connection, signal, (both) => connection.probe(both, true));
    return this.status;
  }

  /** Closes what is open or being opened; `failure` says why, when it was nobody's wish. */
  disconnect(failure?: Failure): ConnectionStatus {
    this.letGo();
    this.rest = { state: 'disconnected', ...(failure === undefined ? {} : { failure }) };
    this.announce();
    return this.status;
  }

  /** It ended by itself; another that is being opened does not end with it. */
  lost(connection: OpenConnection, failure: Failure): void {
    if (this.open !== connection) return;
    if (this.attempt === undefined) {
      this.disconnect(failure);
      return;
    }
    this.open = undefined;
    connection.close();
  }

  /** Closes everything and says nothing any more. */
  end(): void {
    this.ended = true;
    this.letGo();
  }

  private letGo(): void {
    this.attempt?.abort();
    this.attempt = undefined;
    const closing = this.open;
    this.open = undefined;
    closing?.close();
  }

  private announce(): void {
    if (!this.ended) this.publish(this.status);
  }
}
