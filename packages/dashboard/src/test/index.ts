/** Starts the browser, for benchmarks of the dashboard. */
export { launchChromium } from './chromium.ts';
