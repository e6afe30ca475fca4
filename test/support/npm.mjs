// npm as a program of the tests: what they install lies in a cache outside the clone.
import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';

/** An outer npm hands its own state to its scripts, by which an inner one would be misled. */
function npmEnvironment(extra) {
  const outer =
    /^(npm_(package|lifecycle|command|execpath|node_execpath)|npm_config_(user_agent|local_prefix|node_gyp)|INIT_CWD$|NODE$|NODE_OPTIONS$)/;
  const kept = Object.entries(process.env).filter(([name]) => !outer.test(name));
  return { ...Object.fromEntries(kept), ...extra };
}

/** As root, code-server 4.93 asks for unsafe-perm, which npm itself no longer knows. */
const npmSettings = {
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_unsafe_perm: 'true',
};

/** Runs npm in `dir`; what it prints goes to `log`. */
export function npm(args, { dir, log, env = {} }) {
  const out = openSync(log, 'a');
  try {
    const { status, error } = spawnSync('npm', args, {
      cwd: dir,
      stdio: ['ignore', out, out],
      env: npmEnvironment({ ...npmSettings, ...env }),
    });
    if (error) throw error;
    if (status !== 0) throw new Error(`npm ${args.join(' ')} failed, see ${log}`);
  } finally {
    closeSync(out);
  }
}
