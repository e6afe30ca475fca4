// `npm run test:e2e`: installs, gets what the tests need, packages the extension and tries that
// package in real VS Codes. Arguments go to vitest. What is to look at lies in build/e2e.
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled, root, runNode } from '../../setup.mjs';
import { getEtcds } from '../etcd/get.mjs';
import { getCodeServers } from './get.mjs';

const out = join(root, 'build', 'e2e');
const vsix = process.env.ETCD_LIST_VSIX ?? join(out, 'etcd-list-explorer.vsix');

/** Processes that this run started and that still live: all of them inherit the mark. */
function leftBehind(mark) {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false;
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(mark);
    } catch {
      return false;
    }
  });
}

function must(step, code) {
  if (code === 0) return;
  console.error(`${step} failed, so no test ran.`);
  process.exit(1);
}

ensureInstalled();
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const missing = [...getCodeServers(), ...getEtcds().map((version) => `etcd ${version}`)];
must(
  `REQUIRE_ALL=1: getting ${missing.join(', ')}`,
  process.env.REQUIRE_ALL === '1' ? missing.length : 0,
);
if (!process.env.ETCD_LIST_VSIX) {
  must('The build', await runNode('esbuild.mjs', '--production', '--quiet'));
  must(
    'Packaging',
    await runNode(
      'node_modules/@vscode/vsce/vsce',
      'package',
      '--no-dependencies',
      '--allow-missing-repository',
      '--no-rewrite-relative-links',
      '--out',
      vsix,
    ),
  );
}

const id = randomUUID();
process.env.ETCD_LIST_E2E_RUN = id;
process.exitCode = await runNode(
  'node_modules/vitest/vitest.mjs',
  'run',
  '--config',
  'test/e2e/vitest.config.mts',
  ...process.argv.slice(2),
);
console.log(`Pictures, texts and measurements of this run lie in ${out}`);
const left = process.platform === 'linux' ? leftBehind(`ETCD_LIST_E2E_RUN=${id}`) : [];
for (const pid of left) {
  console.error(`process ${pid} was left behind and is ended now`);
  process.kill(Number(pid), 'SIGKILL');
  process.exitCode ||= 1;
}
