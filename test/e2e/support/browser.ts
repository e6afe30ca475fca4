import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';
import { findChromium } from '../codeServers.mjs';

/** Starts Chromium without a display; as root it has no sandbox. It makes no calls of its own. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined)
    throw new Error('Chromium is absent: see node test/e2e/get.mjs');
  return await chromium.launch({
    executablePath,
    chromiumSandbox: false,
    args: [
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-dev-shm-usage',
    ],
  });
}
