/** What this project may say to an etcd: the guarantee that it only reads. */
import { methods, type MethodName } from './rpc/methods';

const readMethods = [
  'range',
  'rangeStream',
  'watch',
  'status',
  'memberList',
  'authenticate',
] as const satisfies readonly MethodName[];

export type ReadMethod = (typeof readMethods)[number];

const allowedPaths: ReadonlySet<string> = new Set(readMethods.map((name) => methods[name]));

/** Throws unless the gRPC path is one of the reading methods (Authenticate included). */
export function assertReadOnly(path: string): void {
  if (!allowedPaths.has(path)) {
    throw new Error(`${path} is refused: this connection only reads`);
  }
}
