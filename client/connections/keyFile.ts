/** A look at the file of a client key, which may be anything that somebody named. */
import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';

/** Bytes looked at; what the language server refuses for its size needs no passphrase. */
const mostBytes = 1024 * 1024;

/**
 * Whether it says that it is encrypted. False for what is no readable file: the language server says
 * what is wrong with it. Never waits for a pipe or a device.
 */
export async function isEncryptedKey(path: string): Promise<boolean> {
  try {
    // Some devices act when they are opened.
    if (!(await stat(path)).isFile()) return false;
    // Another may stand there by now, and opening a pipe waits for its writer otherwise.
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(mostBytes), 0, mostBytes, 0);
      return buffer.subarray(0, bytesRead).includes('ENCRYPTED');
    } finally {
      await handle.close();
    }
  } catch {
    return false;
  }
}
