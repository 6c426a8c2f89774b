import { setTimeout as sleep } from 'node:timers/promises';
import type { Random, RunStack } from '@tributary/rig';
import type { Lab } from '@tributary/lab';
import { personOf } from '@tributary/lab/testing';
import { type App, type Provider, providers } from '@tributary/providers';
import type { Config } from '@tributary/server/testing/service';
import { formatId, parseId } from '@tributary/server/testing/ids';
import { pushUrlOf } from '@tributary/server/testing/sync';
import type { PushHistory } from './push-history.ts';
import type { Relay } from './relay.ts';

const named = ['ada', 'ben', 'chen', 'dara', 'eve', 'finn', 'gita', 'hana'];

/** A simulated user of the lab who uses the service. */
export interface Member {
  person: string;
  timezone: string;
  userId: string;
  /** As the API formats it. */
  id: string;
}

/** One consent of a member. */
export interface Consent {
  member: Member;
  provider: Provider;
  deviceId: string;
  /** Whether the user revoked it. */
  isRevoked: boolean;
}

export interface World {
  run: RunStack;
  lab: Lab;
  relay: Relay;
  /** All pushes of the lab so far. */
  pushes: PushHistory;
  random: Random;
  key: string;
}

/** Whether a provider only pushes. Its lost pushes are lost for good, and its data cannot be read again. */
export function isPushOnly({ streams }: Provider): boolean {
  return streams.every(({ kind }) => kind === 'pushed');
}

export function nameOf({ member, provider }: Pick<Consent, 'member' | 'provider'>): string {
  return `${member.person}/${provider.id}`;
}

/** Registers the redirect URI and each provider's push URL with the lab. */
export function introduceToLab(world: World): void {
  const { run, lab } = world;
  const publicUrl = run.api[0]!.baseUrl;
  const ctx = { config: { http: { publicUrl } } as Config, keyring: world.run.keyring };
  const app = lab.apps[0]!;
  app.redirectUris = [`${publicUrl}/connect/callback`];
  app.pushUrls = Object.fromEntries(
    providers.map(({ id }) => [id, pushUrlOf(ctx, 'sandbox', id, { clientId: app.clientId } as App)]),
  );
}

/**
 * Providers, assigned in rotation. Those with generous limits appear more often: after a step over a day, only a burst of the daily limit
 * is available.
 */
const rotation = [
  'oura',
  'whoop',
  'withings',
  'garmin',
  'google_health',
  'polar',
  'strava',
  'oura',
  'google_health',
  'garmin',
  'oura',
  'google_health',
  'whoop',
  'oura',
  'google_health',
  'garmin',
];

/** Plans who connects what: everyone one provider in rotation, every eighth user a second one, and users with a glucose sensor also Dexcom. */
export function planConsents(lab: Lab, people: number): { person: string; provider: Provider }[] {
  const worn = rotation.map((providerId) => providers.find(({ id }) => id === providerId)!);
  const sensors = providers.filter(({ id }) => id === 'dexcom');
  return Array.from({ length: people }, (_, at) => named[at] ?? `person-${at}`).flatMap((person, at) => {
    const mine = new Set([worn[at % worn.length]!]);
    if (at % 8 === 0) mine.add(worn[(at + 1 + Math.floor(at / 8)) % worn.length]!);
    const sensor = personOf(person, lab.seed)!.wearsGlucoseSensor ? sensors : [];
    return [...mine, ...sensor].map((provider) => ({ person, provider }));
  });
}

/** Creates a user without the sample data that the sandbox would generate. */
export async function createMember({ run, lab, random }: World, person: string): Promise<Member> {
  const userId = random.uuid();
  const { timezone } = personOf(person, lab.seed)!;
  await run.admin.query({
    text: `INSERT INTO users (id, account_id, environment, reference_id, timezone) VALUES ($1, $2, 'sandbox', $1::uuid::text, $3)`,
    values: [userId, parseId('acc', run.stack.info.account_id), timezone],
  });
  return { person, timezone, userId, id: formatId('user', userId) };
}

/** Goes through the connect pages as a user would. Returns null if that failed and can be retried. */
export async function connect(world: World, member: Member, provider: Provider): Promise<Consent | null> {
  const device = await request(world, 'POST', `/v1/users/${member.id}/devices`, { provider: provider.id });
  const { id, auth_url: authUrl } = (device['data'] ?? device) as { id: string; auth_url: string };
  const onwards = await fetch(authUrl, {
    method: 'POST',
    body: new URLSearchParams({ choice: 'continue' }),
    redirect: 'manual',
  });
  const cookie = onwards.headers.get('set-cookie')?.split(';')[0] ?? '';
  const consent = new URL(onwards.headers.get('location') ?? '');
  const form = new URLSearchParams(consent.search);
  form.set('person', member.person);
  form.set('decision', 'allow');
  const requestedScopes = (form.get('scope') ?? '').split(/[ ,]/);
  // Garmin does not request scopes by name. The user grants them on the page.
  for (const scope of new Set([...requestedScopes, ...provider.oauth.scopes])) form.append('granted', scope);
  const consented = await fetch(`${consent.origin}${consent.pathname}`, {
    method: 'POST',
    body: form,
    redirect: 'manual',
  });
  const back = new URL(consented.headers.get('location') ?? '');
  world.relay.expect(back.searchParams.get('code') ?? '', nameOf({ member, provider }));
  await fetch(back, { headers: { cookie }, redirect: 'manual' });
  const { status } = await deviceOf(world, parseId('dev', id)!);
  if (status !== 'active') return null;
  return { member, provider, deviceId: parseId('dev', id)!, isRevoked: false };
}

export async function deviceOf(
  { run }: World,
  deviceId: string,
): Promise<{ status: string; reason: string }> {
  const { rows } = await run.admin.query<{ status: string; reason: string }>({
    text: 'SELECT status, sync_reason AS reason FROM devices WHERE id = $1',
    values: [deviceId],
  });
  return rows[0] ?? { status: 'gone', reason: '' };
}

/** Sends an API request that must succeed, and retries while the service is throttling. */
export async function request(
  { run, key }: World,
  method: string,
  path: string,
  body?: object,
): Promise<Record<string, unknown>> {
  for (;;) {
    const response = await fetch(`${run.api[0]!.baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.status === 429 || response.status === 503) {
      await sleep(1000 * Number(response.headers.get('retry-after') ?? 1));
      continue;
    }
    if (response.status >= 300) throw new Error(`${method} ${path} returned ${response.status}: ${text}`);
    return JSON.parse(text) as Record<string, unknown>;
  }
}
