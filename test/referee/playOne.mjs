// `npm run test:referee -- --replay FILE` and `--seed N --case NAME:N`: one plan, played again.
import { root } from '../../setup.mjs';

/** Resolves to the exit code. `prepare` gets etcd and oracle, and says what code a want of them gives. */
export async function playOne({ replay, seed, case: name }, prepare) {
  // Not before the packages are installed.
  const { createServer } = await import('vite');
  const loader = await createServer({
    root,
    configFile: false,
    appType: 'custom',
    logLevel: 'warn',
    optimizeDeps: { noDiscovery: true, include: [] },
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
  });
  try {
    const player = await loader.ssrLoadModule('/test/referee/replay.ts');
    const plan = await planFor(player, { replay, seed, name });
    if (plan === undefined) return 2;
    return prepare() || (await player.replay(plan));
  } finally {
    await loader.close();
  }
}

/** Undefined, having said why, where there is none. */
async function planFor({ planFrom, planOfCase, ReplayRefusal }, { replay, seed, name }) {
  try {
    return replay === undefined ? planOfCase(name, Number(seed)) : await planFrom(replay);
  } catch (error) {
    if (!(error instanceof ReplayRefusal)) throw error;
    console.error(`referee: ${error.message}`);
    return undefined;
  }
}
