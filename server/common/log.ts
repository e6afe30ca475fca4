/** Where diagnostics go. Messages never hold values, passwords or tokens of the person's etcd. */
export interface Log {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
}

export const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
};
