import { newSecret } from './oauth/secrets.ts';
import type { LabApp } from './provider.ts';

/** An app registered with every provider of the lab. */
export interface RegisteredApp {
  clientId: string;
  clientSecret: string;
  name: string;
  redirectUris: string[];
  /** Push URLs by provider id. `*` applies to all other providers. */
  pushUrls: Record<string, string>;
}

/** The default app when no other is registered. Its secret is published in the docs and protects nothing but the lab. */
const DEMO_APP = { clientId: 'lab-app', clientSecret: 'lab-app-secret', name: 'Lab app' } as const;

/** The app as one provider sees it. */
export function appAt(app: RegisteredApp, provider: string): LabApp {
  const { clientId, clientSecret, name, pushUrls } = app;
  return { clientId, clientSecret, name, pushUrl: pushUrls[provider] ?? pushUrls['*'] ?? null };
}

/** Fills in defaults for missing fields. */
export function completeApp(partialApp: Partial<RegisteredApp>, url: string): RegisteredApp {
  const clientId = partialApp.clientId ?? DEMO_APP.clientId;
  return {
    clientId,
    clientSecret:
      partialApp.clientSecret ?? (clientId === DEMO_APP.clientId ? DEMO_APP.clientSecret : newSecret()),
    name: partialApp.name ?? DEMO_APP.name,
    redirectUris: partialApp.redirectUris ?? [`${url}/lab/callback`],
    pushUrls: partialApp.pushUrls ?? {},
  };
}
