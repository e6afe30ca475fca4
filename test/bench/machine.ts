/** What a run was made on. */
import { arch, cpus, release, totalmem, type } from 'node:os';

export function machine(): string {
  const [first] = cpus();
  const memory = Math.round(totalmem() / 1024 ** 3);
  return `${cpus().length} × ${first?.model.trim() ?? 'unknown processor'}, ${memory} GiB, ${type()} ${release()} ${arch()}, Node.js ${process.versions.node}`;
}
