import { defineConfig } from 'vitest/config';

/** Apart from the other tests: each file opens a whole VS Code and a browser, one after another. */
export default defineConfig({
  test: {
    dir: import.meta.dirname,
    include: ['**/*.test.ts'],
    fileParallelism: false,
    // VS Code moves the focus when it likes.
    retry: 1,
    reporters: ['default', './test/support/secondTries.mjs'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
