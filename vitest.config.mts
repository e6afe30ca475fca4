import { defineConfig } from 'vitest/config';

const project = (name: string, include: string[], timeoutMs: number) => ({
  test: { name, include, testTimeout: timeoutMs, hookTimeout: timeoutMs },
});

/**
 * Real processes on a machine that does other work too: where a moment was missed, once more. Each
 * test that needs it is named at the end of the run.
 */
const withRetry = ({ test }: ReturnType<typeof project>) => ({ test: { ...test, retry: 1 } });

const withSetup = ({ test }: ReturnType<typeof project>, globalSetup: string) => ({
  test: { ...test, globalSetup },
});

export default defineConfig({
  test: {
    projects: [
      project('unit', ['test/unit/**/*.test.ts'], 60_000),
      project('vectors', ['test/vectors/**/*.test.ts'], 160_000),
      withRetry(project('store', ['test/store/**/*.test.ts'], 180_000)),
      withRetry(project('fault', ['test/fault/**/*.test.ts'], 160_000)),
      project('webview', ['test/webview/pure/**/*.test.ts'], 60_000),
      withRetry(project('cli', ['test/cli/**/*.test.ts'], 160_000)),
      withSetup(
        project('referee', ['test/referee/**/*.test.ts'], 160_000),
        'test/oracle/setup.mjs',
      ),
      withRetry(project('lsp', ['test/lsp/**/*.test.ts'], 160_000)),
    ],
  },
});
