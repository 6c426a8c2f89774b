import type { App } from '../provider.ts';

export const usOrigin = 'https://api.dexcom.com';

/** The same API for different regions, and for the sandbox. */
const origins: Readonly<Record<string, string>> = {
  us: usOrigin,
  eu: 'https://api.dexcom.eu',
  jp: 'https://api.dexcom.jp',
  sandbox: 'https://sandbox-api.dexcom.com',
};

/** The host of an app's region. A lab serves all regions in one place. */
export function originOf({ hosts, settings }: App): string {
  const host = hosts['api'] ?? usOrigin;
  return host === usOrigin ? (origins[settings['region'] ?? 'us'] ?? usOrigin) : host;
}
