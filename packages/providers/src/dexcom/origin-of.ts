import type { App } from '../provider.ts';

export const usOrigin = 'https://api.dexcom.com';

/** The same API for people of different parts of the world, and for made-up ones. */
const origins: Readonly<Record<string, string>> = {
  us: usOrigin,
  eu: 'https://api.dexcom.eu',
  jp: 'https://api.dexcom.jp',
  sandbox: 'https://sandbox-api.dexcom.com',
};

/** Where the people of an app have their data; a lab has all of them in one place. */
export function originOf({ hosts, settings }: App): string {
  const host = hosts['api'] ?? usOrigin;
  return host === usOrigin ? (origins[settings['region'] ?? 'us'] ?? usOrigin) : host;
}
