import { setTimeout as sleep } from 'node:timers/promises';
import type { Random, RunStack } from '@tributary/rig';
import type { Lab } from '@tributary/lab';
import { personOf } from '@tributary/lab/testing';
import { type App, type Provider, providers } from '@tributary/providers';
import type { Config } from '@tributary/server/testing/service';
import { createKeyring, type Keyring } from '@tributary/server/testing/credentials';
import { formatId, parseId } from '@tributary/server/testing/ids';
import { pushUrlOf } from '@tributary/server/testing/sync';
import type { PushHistory } from './push-history.ts';
import type { Relay } from './relay.ts';

const named = ['ada', 'ben', 'chen', 'dara', 'eve', 'finn', 'gita', 'hana'];

/** Somebody of the lab who uses the service. */
export interface Member {
  person: string;
  timezone: string;
  userId: string;
  /** As the API calls the user. */
  id: string;
}

/** One consent of a member. */
export interface Consent {
  member: Member;
  provider: Provider;
  deviceId: string;
  /** Whether the person took it back. */
  isRevoked: boolean;
}

export interface World {
  run: RunStack;
  lab: Lab;
  relay: Relay;
  /** What the lab has pushed so far. */
  pushes: PushHistory;
  random: Random;
  key: string;
}

/** A provider that tells by push alone: what gets lost on the way there is lost for good, and nothing can be read afresh. */
export function tellsByPushAlone({ streams }: Provider): boolean {
  return streams.every(({ read }) => !read);
}

export function nameOf({ member, provider }: Pick<Consent, 'member' | 'provider'>): string {
  return `${member.person}/${provider.id}`;
}

/** By which the service under test seals what it stores. */
function keyringOf({ run }: Pick<World, 'run'>): Keyring {
  const key = Buffer.from(run.encryptionKeys.replace(/^1:/, ''), 'base64');
  return createKeyring([{ version: 1, key }]);
}

/** Tells the lab where people come back to, and where each provider pushes to. */
export function introduceToLab(world: World): void {
  const { run, lab } = world;
  const publicUrl = run.api[0]!.baseUrl;
  const ctx = { config: { http: { publicUrl } } as Config, keyring: keyringOf(world) };
  const app = lab.apps[0]!;
  app.redirectUris = [`${publicUrl}/connect/callback`];
  app.pushUrls = Object.fromEntries(
    providers.map(({ id }) => [id, pushUrlOf(ctx, 'sandbox', id, { clientId: app.clientId } as App)]),
  );
}

/** In turn, and more often those whose limits let many be read: a leap over a day leaves of a day's calls only what may come at once. */
const turns = [
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

/** Who connects what: everybody one provider in turn, every eighth a second one, and whoever wears a sensor what reads it. */
export function planConsents(lab: Lab, people: number): { person: string; provider: Provider }[] {
  const worn = turns.map((turn) => providers.find(({ id }) => id === turn)!);
  const sensors = providers.filter(({ id }) => id === 'dexcom');
  return Array.from({ length: people }, (_, at) => named[at] ?? `person-${at}`).flatMap((person, at) => {
    const mine = new Set([worn[at % worn.length]!]);
    if (at % 8 === 0) mine.add(worn[(at + 1 + Math.floor(at / 8)) % worn.length]!);
    const sensor = personOf(person, lab.seed)!.wearsGlucoseSensor ? sensors : [];
    return [...mine, ...sensor].map((provider) => ({ person, provider }));
  });
}

/** A user without the week that the sandbox would make up. */
export async function createMember({ run, lab, random }: World, person: string): Promise<Member> {
  const userId = random.uuid();
  const { timezone } = personOf(person, lab.seed)!;
  await run.admin.query({
    text: `INSERT INTO users (id, account_id, environment, reference_id, timezone) VALUES ($1, $2, 'sandbox', $1::uuid::text, $3)`,
    values: [userId, parseId('acc', run.stack.info.account_id), timezone],
  });
  return { person, timezone, userId, id: formatId('user', userId) };
}

/** Goes through the pages as the person would; null when it did not work out and can be tried again. */
export async function connect(world: World, member: Member, provider: Provider): Promise<Consent | null> {
  const device = await ask(world, 'POST', `/v1/users/${member.id}/devices`, { provider: provider.id });
  const { id, auth_url: authUrl } = (device['data'] ?? device) as { id: string; auth_url: string };
  const onwards = await fetch(authUrl, {
    method: 'POST',
    body: new URLSearchParams({ answer: 'continue' }),
    redirect: 'manual',
  });
  const cookie = onwards.headers.get('set-cookie')?.split(';')[0] ?? '';
  const consent = new URL(onwards.headers.get('location') ?? '');
  const form = new URLSearchParams(consent.search);
  form.set('person', member.person);
  form.set('decision', 'allow');
  const asked = (form.get('scope') ?? '').split(/[ ,]/);
  // Garmin asks for nothing by name; the person permits it on the page.
  for (const scope of new Set([...asked, ...provider.oauth.scopes])) form.append('granted', scope);
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

/** A call of the API that has to succeed, asked again while the service has no room. */
export async function ask(
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
    if (response.status >= 300) throw new Error(`${method} ${path} got ${response.status}: ${text}`);
    return JSON.parse(text) as Record<string, unknown>;
  }
}
