import { defineConfig } from 'vitest/config';

/** The panel's page in a real browser: `npm run test:panel`. */
export default defineConfig({
  test: {
    name: 'panel',
    include: ['test/webview/browser/**/*.test.ts'],
    // Figures are taken in one of the files; what runs beside it would be in them.
    fileParallelism: false,
    retry: 1,
    reporters: ['default', './test/support/secondTries.mjs'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
