import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/** The shell without a window is much lighter; the whole browser does, too. */
function findChromium(): string {
  return ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(existsSync) ?? 'chromium';
}

/** The browser of the system, without what it would load for itself. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });
}
