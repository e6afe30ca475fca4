import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import { requireOrSkip } from '../../support/requireOrSkip';
import { findChromium, findCodeServer, vscodeVersions } from '../codeServers.mjs';
import type { VSCodeVersion } from '../codeServers.mjs';
import { launchBrowser } from './browser';
import { startCodeServer } from './codeServer';
import type { CodeServer, CodeServerOptions } from './codeServer';
import { Workbench } from './workbench';

export { vscodeVersions };
export const newestVSCode: VSCodeVersion = '1.139';

export interface SuiteOptions extends Omit<CodeServerOptions, 'version'> {
  readonly prepare?: () => Promise<
    Partial<Pick<CodeServerOptions, 'settings' | 'files' | 'neighbours'>>
  >;
}

const outcome = 'see node test/e2e/get.mjs';

/**
 * The same tests in each of these versions of VS Code, all in one window that is opened before them.
 * A failed test leaves a picture, and the logs stay in build/e2e. `prepare` is called before VS Code
 * starts, for what is known only then, such as the ports of servers.
 */
export function describeVSCode(
  versions: readonly VSCodeVersion[],
  { name, prepare, ...options }: SuiteOptions,
  tests: (workbench: () => Workbench, version: VSCodeVersion) => void,
): void {
  for (const version of versions) {
    const missing =
      requireOrSkip(`VS Code ${version}`, findCodeServer(version), outcome) ||
      requireOrSkip('Chromium', findChromium(), outcome);
    describe.skipIf(missing)(`${name}, in VS Code ${version}`, () => {
      let server: CodeServer | undefined;
      let browser: Browser | undefined;
      let workbench: Workbench | undefined;

      beforeAll(async () => {
        server = await startCodeServer({ ...options, ...(await prepare?.()), name, version });
        browser = await launchBrowser();
        const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
        await context.grantPermissions(['clipboard-read', 'clipboard-write']);
        workbench = await Workbench.open(server, context);
      });

      afterEach(async ({ task }) => {
        if (task.result?.state !== 'fail' || !workbench) return;
        await workbench.screenshot(`failed ${task.name}`);
        const log = join(workbench.server.outDir, 'console-errors.log');
        writeFileSync(log, workbench.consoleErrors.join('\n'));
      });

      afterAll(async () => {
        await browser?.close();
        await server?.stop();
      });

      tests(() => {
        if (!workbench) throw new Error('VS Code is not open yet');
        return workbench;
      }, version);
    });
  }
}
