import { newSecret } from './oauth/secrets.ts';
import type { LabApp } from './provider.ts';

/** An app as it is registered with every provider of the lab. */
export interface RegisteredApp {
  clientId: string;
  clientSecret: string;
  name: string;
  redirectUris: string[];
  /** Where pushes of each provider go, by its id; `*` stands for all others. */
  pushUrls: Record<string, string>;
}

/** The app that is there when nobody registers another. Its secret is in the documents, and guards nothing but the lab. */
const DEMO_APP = { clientId: 'lab-app', clientSecret: 'lab-app-secret', name: 'Lab app' } as const;

/** The app as one provider knows it. */
export function appAt(app: RegisteredApp, provider: string): LabApp {
  const { clientId, clientSecret, name, pushUrls } = app;
  return { clientId, clientSecret, name, pushUrl: pushUrls[provider] ?? pushUrls['*'] ?? null };
}

/** Fills in what is not given. */
export function completeApp(given: Partial<RegisteredApp>, url: string): RegisteredApp {
  const clientId = given.clientId ?? DEMO_APP.clientId;
  return {
    clientId,
    clientSecret:
      given.clientSecret ?? (clientId === DEMO_APP.clientId ? DEMO_APP.clientSecret : newSecret()),
    name: given.name ?? DEMO_APP.name,
    redirectUris: given.redirectUris ?? [`${url}/lab/callback`],
    pushUrls: given.pushUrls ?? {},
  };
}
