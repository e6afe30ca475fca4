/** A file that lets a shell find `etcd-list`, which is a Node.js program inside the extension. */
export interface Shim {
  readonly fileName: string;
  readonly content: string;
}

const shQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
const cmdQuoted = (text: string): string => `"${text.replaceAll('%', '%%')}"`;

/**
 * @param node The program that runs `main`: VS Code's own, which ELECTRON_RUN_AS_NODE turns into a
 *   plain Node.js, or, on a remote machine, a Node.js.
 */
export function makeShim(platform: NodeJS.Platform, node: string, main: string): Shim {
  if (platform === 'win32') {
    const run = `${cmdQuoted(node)} ${cmdQuoted(main)} %*`;
    return {
      fileName: 'etcd-list.cmd',
      content: ['@echo off', 'setlocal', 'set ELECTRON_RUN_AS_NODE=1', run, ''].join('\r\n'),
    };
  }
  const run = `ELECTRON_RUN_AS_NODE=1 exec ${shQuoted(node)} ${shQuoted(main)} "$@"`;
  return { fileName: 'etcd-list', content: `#!/bin/sh\n${run}\n` };
}
