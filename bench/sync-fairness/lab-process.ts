/** The lab in its own process, as a provider is, so that the time to simulate responses is not the service's. */
import { findProvider, type Tokens } from '@tributary/providers';
import { appInLab, openAppApi } from '@tributary/providers/testing';
import { startHeldLab, type HeldLab } from './held-lab.ts';

/** Requests that the lab process handles, by name. */
export interface LabAsks {
  introduce: { given: { redirectUri: string; pushUrls: Record<string, string> }; answer: null };
  consent: { given: { provider: string; person: string; life: string | null }; answer: LabConsent };
  letGo: { given: { provider: string; person: string }; answer: number | null };
  sharedCalls: { given: null; answer: number };
  exceeded: { given: null; answer: string[] };
}

export interface LabConsent {
  externalId: string;
  tokens: Tokens;
}

export interface LabAsk<Name extends keyof LabAsks = keyof LabAsks> {
  id: number;
  name: Name;
  given: LabAsks[Name]['given'];
}

type Answers = { [Name in keyof LabAsks]: (given: LabAsks[Name]['given']) => unknown };

const held = await startHeldLab();
const answers: Answers = {
  introduce: ({ redirectUri, pushUrls }) => {
    held.lab.apps[0]!.redirectUris = [redirectUri];
    held.lab.apps[0]!.pushUrls = pushUrls;
    return null;
  },
  consent: (given) => consent(held, given),
  letGo: ({ provider, person }) => held.letGo(provider, person),
  sharedCalls: () => held.sharedCalls(),
  exceeded: () =>
    held.lab.providers.flatMap(({ id }) =>
      Object.entries(held.lab.counts(id).exceeded).map(([rule, calls]) => `${id} ${rule}: ${calls}`),
    ),
};
process.on('message', (ask: LabAsk) => {
  const answering = async () => (answers[ask.name] as (given: unknown) => unknown)(ask.given);
  answering().then(
    (answer) => process.send?.({ id: ask.id, answer }),
    (error: unknown) => process.send?.({ id: ask.id, failed: String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
process.send?.({ url: held.lab.url });

/** Consents as a user in a browser would, and returns the tokens. */
async function consent(
  { lab, hold, share }: HeldLab,
  { provider: id, person, life }: LabAsks['consent']['given'],
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
