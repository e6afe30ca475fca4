import { execFileSync } from 'node:child_process';
import { mkdtempSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeShim } from '../../../../client/terminal/shim';

it.skipIf(process.platform === 'win32')('runs the program with its arguments untouched', () => {
  const dir = mkdtempSync(join(tmpdir(), 'etcd-list-shim-'));
  onTestFinished(() => {
    rmSync(dir, { recursive: true });
  });
  const odd = join(dir, `it's "odd" $HOME\``);
  mkdirSync(odd);
  const node = join(odd, 'node');
  symlinkSync(process.execPath, node);
  const main = join(odd, 'main.js');
  writeFileSync(
    main,
    'console.log(JSON.stringify([process.env.ELECTRON_RUN_AS_NODE, ...process.argv.slice(2)]))',
  );
  const shim = makeShim(process.platform, node, main);
  writeFileSync(join(dir, shim.fileName), shim.content, { mode: 0o755 });

  const args = ['get', 'pods', '-l', "app in (a, b),c!='d'", '$HOME', ''];
  const out = execFileSync('etcd-list', args, {
    encoding: 'utf8',
    env: { PATH: `${dir}${delimiter}${process.env['PATH'] ?? ''}` },
  });
  expect(JSON.parse(out)).toEqual(['1', ...args]);
});

it('is a batch file on Windows, with percent signs kept', () => {
  expect(makeShim('win32', 'C:\\100% code\\Code.exe', 'C:\\x y\\main.js')).toEqual({
    fileName: 'etcd-list.cmd',
    content:
      '@echo off\r\nsetlocal\r\nset ELECTRON_RUN_AS_NODE=1\r\n' +
      '"C:\\100%% code\\Code.exe" "C:\\x y\\main.js" %*\r\n',
  });
});
