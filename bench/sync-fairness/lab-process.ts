/** The lab in its own process, as a provider is, so that the time to simulate responses is not the service's. */
import { findProvider, type Tokens } from '@tributary/providers';
import { appInLab, openAppApi } from '@tributary/providers/testing';
import { startGatedLab, type GatedLab } from './gated-lab.ts';

/** Requests that the lab process handles, by name. */
export interface LabRequests {
  introduce: { input: { redirectUri: string; pushUrls: Record<string, string> }; result: null };
  consent: { input: { provider: string; person: string; life: string | null }; result: LabConsent };
  letGo: { input: { provider: string; person: string }; result: number | null };
  sharedCalls: { input: null; result: number };
  exceeded: { input: null; result: string[] };
}

export interface LabConsent {
  externalId: string;
  tokens: Tokens;
}

export interface LabRequest<Name extends keyof LabRequests = keyof LabRequests> {
  id: number;
  name: Name;
  given: LabRequests[Name]['input'];
}

type Handlers = { [Name in keyof LabRequests]: (input: LabRequests[Name]['input']) => unknown };

const gatedLab = await startGatedLab();
const handlers: Handlers = {
  introduce: ({ redirectUri, pushUrls }) => {
    gatedLab.lab.apps[0]!.redirectUris = [redirectUri];
    gatedLab.lab.apps[0]!.pushUrls = pushUrls;
    return null;
  },
  consent: (input) => consent(gatedLab, input),
  letGo: ({ provider, person }) => gatedLab.letGo(provider, person),
  sharedCalls: () => gatedLab.sharedCalls(),
  exceeded: () =>
    gatedLab.lab.providers.flatMap(({ id }) =>
      Object.entries(gatedLab.lab.counts(id).exceeded).map(([rule, calls]) => `${id} ${rule}: ${calls}`),
    ),
};
process.on('message', (request: LabRequest) => {
  const handle = async () => (handlers[request.name] as (input: unknown) => unknown)(request.given);
  handle().then(
    (result) => process.send?.({ id: request.id, result }),
    (error: unknown) => process.send?.({ id: request.id, failed: String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
process.send?.({ url: gatedLab.lab.url });

/** Consents as a user in a browser would, and returns the tokens. */
async function consent(
  { lab, hold, share }: GatedLab,
  { provider: id, person, life }: LabRequests['consent']['input'],
): Promise<LabConsent> {
  const provider = findProvider(id)!;
  const redirectUri = lab.apps[0]!.redirectUris[0]!;
  const app = appInLab(lab, provider);
  const verifier = 'a-verifier-that-is-long-enough-for-every-provider';
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const challenge = Buffer.from(digest).toString('base64url');
  const page = new URL(
    provider.oauth.authorizeUrl(app, { redirectUri, state: 'state-of-the-run', challenge }),
  );
  const form = new URLSearchParams(page.search);
  form.set('person', person);
  form.set('decision', 'allow');
  for (const scope of provider.oauth.scopes) form.append('granted', scope);
  const allowed = await fetch(page.origin + page.pathname, {
    method: 'POST',
    body: form,
    redirect: 'manual',
  });
  const returned = new URL(allowed.headers.get('location') ?? 'about:blank').searchParams;
  const code = returned.get('code');
  if (code === null) throw new Error(`The lab returned no code for ${person}: ${allowed.status}`);
  const api = openAppApi(lab, provider, app);
  const tokens = await provider.oauth.redeem(api, { code, redirectUri, verifier, returned });
  if (life === null) hold(id, person);
  else share(person, life);
  return { externalId: lab.grants(id).findLast(({ personId }) => personId === person)!.userId, tokens };
}
