import { defineConfig } from 'vitest/config';

/** The panel's page in a real browser: `npm run test:panel`. */
export default defineConfig({
  test: {
    name: 'panel',
    include: ['test/webview/browser/**/*.test.ts'],
    testTimeout: 160_000,
    hookTimeout: 160_000,
  },
});
